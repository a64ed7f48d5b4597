"""Lines that only gained what makes a type checker look away (policy set v2, class G01), as tables of what that is.

Python, TypeScript and the marks of C# have their own. Rules, for product code:

- A line of the base that says the same of a value nobody checks (`T.unsafe(x)`, `(dynamic)x`), or that has a type which
  takes anything where another one was (`T.untyped`, `dynamic`), blocks.
- A line that declares a value to be there, or to be of a type, which is only found out when it runs (`x!!`, `x as! T`)
  is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support, language
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import bare, stripped, without_note
from ralph.record import record
from ralph.system.patterns import later

SILENCED, ESCAPED = "code.type-silenced", "code.type-escaped"
VALUE = r"(?P<value>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)"
PLACE = r"(?P<value>[\w.@?]+(?:\([^()\n]*\))?)"
TYPE = r"[\w:.<>?,\[\]()&|]+?"
"""A type as it is written, without blanks."""
LONGEST, MOST = 400, 4
"""Characters of a line, and types in it, that are compared with what it had."""


@record
class Escape:
    """What a line gained: the text, and what it was before: the value in it, or any type."""

    rule: str
    gained: re.Pattern[str]
    typed: bool = False


def _escape(rule: str, gained: str, *, typed: bool = False) -> Escape:
    return Escape(rule, later(gained), typed)


ESCAPES = {
    "ruby": (
        _escape(SILENCED, rf"\bT\.unsafe(?:\({VALUE}\)|[ \t]+(?P<bare>[\w@.]+))"),
        _escape(SILENCED, rf"\bT\.(?:let|cast)\({VALUE},\s*T\.untyped\)"),
        _escape(SILENCED, r"\bT\.untyped\b", typed=True),
        _escape(ESCAPED, rf"\bT\.cast\({VALUE},\s*[^()\n]+\)"),
    ),
    "csharp": (
        _escape(SILENCED, rf"\(\(dynamic\)\s*{PLACE}\)"),
        _escape(SILENCED, r"(?<![\w.])dynamic\??(?=\s+\w)", typed=True),
    ),
    "kotlin": (
        _escape(ESCAPED, r"!!"),
        _escape(
            ESCAPED,
            rf"(?:\({PLACE}\s+as\s+[A-Z][\w.<>?, ]*\)|(?P<bare>[\w.]+(?:\([^()\n]*\))?)\s+as\s+[A-Z][\w.<>?, ]*)",
        ),
    ),
    "java": (_escape(ESCAPED, rf"(?:\([A-Z][\w.<>\[\]?, ]*\)\s*){{2,}}{PLACE}"),),
    "swift": (
        _escape(ESCAPED, rf"\({PLACE}\s+as!\s+[\w.<>?\[\]: ]+\)"),
        _escape(ESCAPED, r"(?<=[\w)\]])!(?=[.,)\]\[]|\s*$)|(?<=\btry)!"),
    ),
    "dart": (
        _escape(SILENCED, rf"\({PLACE}\s+as\s+dynamic\)"),
        _escape(SILENCED, r"(?<![\w.])dynamic(?=\s+\w)", typed=True),
        _escape(ESCAPED, r"(?<=[\w)\]])!(?=[.,;)\]\[])"),
    ),
    "scala": (_escape(ESCAPED, r"\.asInstanceOf\[[^\[\]\n]*(?:\[[^\[\]\n]*\])?\]"),),
}
NOTES = {"ruby": "#"}


def silenced(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change) if file.status == "M" and not is_support(file.path) else None
        if spoken in ESCAPES:
            yield from _gained(file, spoken)


def _gained(file: FileChange, spoken: str) -> Iterator[Hit]:
    note = NOTES.get(spoken, "//")
    for hunk in file.hunks:
        removed = [bare(without_note(line, note)) for line in stripped(hunk.removed)]
        for number, line in enumerate(stripped(hunk.added), start=hunk.new_start) if removed else ():
            said = "" if line.startswith("import ") else without_note(line, note)
            escape = next(
                (each for each in ESCAPES[spoken] if each.gained.search(said) and _was(each, said, removed)), None
            )
            if escape is not None:
                yield hit_at(escape.rule, file.path, number, line, line)


def _was(escape: Escape, line: str, removed: list[str]) -> bool:
    """The base had this very line without it."""
    if not escape.typed:
        without = bare(escape.gained.sub(_value, line))
        return without != bare(line) and without in removed
    if len(line) > LONGEST or len(escape.gained.findall(line)) > MOST:
        return False
    pattern = TYPE.join(re.escape(bare(part)) for part in escape.gained.split(line))
    return any(re.fullmatch(pattern, each) and not escape.gained.search(each) for each in removed)


def _value(gained: re.Match[str]) -> str:
    return next((each for each in gained.groupdict().values() if each), "")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (silenced,)
