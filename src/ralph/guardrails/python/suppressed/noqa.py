"""`noqa` and its relatives, as ruff reads them.

Rules (spec: governance engine 1.4; policy set v2, class G01). Every one was measured with ruff itself, and
`tests/guardrails/python/test_real_tools.py` measures it again:

- `# noqa` may follow other text behind a mark of its own (`# why # noqa`); the first such mark decides.
- It needs its end, a blank or another mark behind it, or a colon with a list of codes; anything else
  (`# noqaville`, `# noqa: because`, `# noqa: F401abc`) is not honoured.
- On a line of its own it can only be about the comment itself: a matter of style.
- `# ruff: noqa` and `# flake8: noqa` (alone on a line, anywhere in the file) switch off the whole file.
- `# ruff: ignore[X]` is about its line or the next, `disable[X]` lasts to `enable[X]` or the end,
  `file-ignore[X]` must begin its line. They need codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.python.suppressed.directive import Note, Said, code_set
from ralph.guardrails.ruff_codes import current
from ralph.system.patterns import later

CODE = r"[A-Z]+[0-9]+"
NAME = r"[a-z]+|[a-z0-9]+(?:-[a-z0-9]+)+"
_LINE = later(r"#\s*(?i:noqa)")
_FILE = later(r"#\s*(?:ruff|flake8)\s*:\s*(?i:noqa)")
_FLAKE8_FILE = later(r"# flake8[:=]\s*noqa(?=\s*$|:)", re.IGNORECASE)
_LIST = later(r"\s*:[\s,]*+((?:[A-Z]++[0-9]++[\s,]*+)++)(?:(?<=[\s,])|$|(?=#))")
_RUFF = later(r"#\s*ruff\s*:\s*(?P<what>ignore|disable|enable|file-ignore)\s*\[(?P<codes>[^\]]*)\]")


def read(note: Note) -> Iterator[Said]:
    yield from _ruff(note)
    if note.alone:
        yield from _whole_file(note)
    found = next((match for part in note.segments() if (match := _LINE.match(part))), None)
    if found is None:
        return
    for scope in scopes(found.string[found.end() :]):
        if not note.alone:
            yield Said("py.noqa", "noqa", scope)
        elif scope or found.end() == len(found.string):
            yield Said("py.noqa-comment", "noqa", scope)


def ended(note: Note) -> frozenset[str]:
    """The codes that `# ruff: enable[..]` switches on again."""
    match = _RUFF.match(note.text)
    return (_listed(match["codes"]) or frozenset()) if match and match["what"] == "enable" else frozenset()


def scopes(tail: str) -> Iterator[frozenset[str] | None]:
    """What the words behind `noqa` leave of it: codes, None for everything, nothing where it is not honoured."""
    if match := _LIST.match(tail):
        yield frozenset(map(current, code_set(match[1], CODE) or ()))
    elif re.match(r"$|#|\s(?!\s*:)", tail):
        yield None


def _whole_file(note: Note) -> Iterator[Said]:
    found = next((match for part in note.segments() if (match := _FILE.match(part))), None)
    found = found or _FLAKE8_FILE.match(note.text)
    if found is not None:
        for scope in scopes(found.string[found.end() :]):
            yield Said("py.noqa-file", "noqa file", scope)


def _ruff(note: Note) -> Iterator[Said]:
    for part in note.segments():
        match = _RUFF.match(part)
        scope = _listed(match["codes"]) if match else None
        if match is None or scope is None:
            continue
        if match["what"] == "ignore":
            yield Said("py.noqa", "noqa", scope)
        elif part == note.text:
            if match["what"] == "disable" and note.alone:
                yield Said("py.noqa-range", "noqa range", scope)
            elif match["what"] == "file-ignore" and note.comment.column == 1:
                yield Said("py.noqa-file", "noqa file", scope)


def _listed(text: str) -> frozenset[str] | None:
    """Codes and names of rules, which a preview of ruff takes, apart by commas; None if ruff does not take the list."""
    items = [item.strip() for item in text.split(",")]
    if not all(re.fullmatch(r"[\w-]+", item) for item in items[:-1]) or not re.fullmatch(r"[\w-]*", items[-1]):
        return None
    return frozenset(current(item) for item in items if re.fullmatch(rf"{CODE}|{NAME}", item)) or None
