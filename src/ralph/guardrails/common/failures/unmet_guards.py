"""Assertions behind a condition that the product never meets, because it writes a name in other letters (class G05).

Rule, for code of tests in a change that takes assertions away: a line leaves before assertions, or asserts only, unless
the product's answer has something by a name (`return unless headers["Content-Type"] == ...`) that no file of the
product has as it is written, but in other letters (`content-type`). What was asserted before is then asserted of
nothing.

A name that other lines of tests have is there. Headers are looked up in any letters by most libraries: they count in
Ruby alone, where they are a part of the answer itself and no framework gives it. C# writes names of its answers in
other letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ralph.guardrails.inventory.arranged.edits import ASSERTS
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORDS = later(rb"(?m)^[ \t]*(?:if|unless|return|next)\b[^\n]*[\[(][ \t]*(?:[\"']|:\w)")
LOOKED_UP = later(
    r"(?P<of>[\w.@]+)(?:\[\s*|\.(?:get|dig|fetch|getOrDefault|containsKey|has|key\?|include\?)\(\s*)"
    r"(?P<quote>[\"']|:(?!:))(?P<name>[A-Za-z][\w.-]*)(?:(?P=quote))?"
)
UNMET = later(r"!==?|\bnot\s+in\b|^!|\bnot\s|[(\s]!\s*\w")
LEAVES = later(r"\b(?:return|next)\b")
RUBY = later(r"^\s*(?:return|next)(?:\s+\w+)?\s+(?P<when>unless|if)\s+(?P<condition>.+)$")
BRANCH = later(r"^\s*(?P<when>if|unless)\b\s*(?P<condition>.+?)\s*(?:then|:|\{)?\s*(?:return\b.*|\}|$)")
HEADERS = later(r"(?i)\bheaders?$")
INPUT = later(r"(?i)\b(?:os\.)?(?:env(?:iron)?|argv|args|kwargs|params|options|opts|config|settings|request)$")
TAKEN_APART = later(r"(?m)^\s*\w+,\s*headers?\b[^=\n]*=(?!=)")
FRAMEWORK = later(r"\b(?:Sinatra|Rails|ActionController|ApplicationController|Hanami|Grape|Roda|Padrino|Rack::)\b")
SPOKEN = frozenset({"python", "javascript", "typescript", "tsx", "ruby", "go", "java", "kotlin", "php"})
WORD = later(r"[A-Za-z][\w.-]*")
FAILS = later(r"\b(?:raise|throw|flunk|fail)\b|Fatal|Error\w*\(")
REACH = 20
"""Lines behind, in which assertions are looked for."""
MOST = 400
"""Of more files of the product the rest is not read."""


def unmet_guards(change: Change) -> Iterator[Hit]:
    tests = [file for file in change.files if _may_ask(file)]
    if not tests or not _takes_assertions(change):
        return
    for file in tests:
        lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
        headers = _are_plain(file.path, lines)
        for number in sorted(file.added_numbers):
            line = lines[number - 1]
            for name in _unless_there(line, lines[number:], headers=headers):
                if _is_written_otherwise(name, file.path, number, change):
                    yield hit_at(
                        "test.weakened", file.path, number, f"nothing of the product is called {name} as written", line
                    )


def _may_ask(file: FileChange) -> bool:
    spoken = language_of(file.path) if file.status in "AM" and not file.binary else None
    if spoken not in SPOKEN or WORDS.search(file.added_text) is None:
        return False
    return is_beside_tests(file.path, reader_of(spoken))


def _takes_assertions(change: Change) -> bool:
    return any(
        ASSERTS.search(line.decode("utf-8", "replace"))
        for file in change.files
        if TEST_PLACE.search(file.path) or is_beside_tests(file.path, reader_of(language_of(file.path)))
        for line in file.removed()
    )


def _are_plain(path: str, lines: Sequence[str]) -> bool:
    """Headers are what the product gave, and look names up as they are written."""
    return path.endswith(".rb") and TAKEN_APART.search("\n".join(lines)) is not None


def _unless_there(line: str, behind: Sequence[str], *, headers: bool) -> Iterator[str]:
    """The names that the answer must have for the assertions to be reached."""
    found = RUBY.match(line)
    leaves = found is not None
    if found is None and (found := BRANCH.match(line)) is not None:
        leaves = LEAVES.search(line) is not None or (bool(behind) and LEAVES.match(behind[0].strip()) is not None)
    inner = behind[:REACH] if leaves else list(takewhile(lambda each: _is_below(each, line), behind[:REACH]))
    if found is None or not any(map(ASSERTS.search, inner)) or (not leaves and any(map(FAILS.search, inner))):
        return
    condition = found["condition"]
    denied = UNMET.search(condition) is not None
    goes_on = denied != (found["when"] == "unless") if leaves else denied == (found["when"] == "unless")
    for match in LOOKED_UP.finditer(condition) if goes_on else ():
        plain = headers and "." not in match["of"]
        if not INPUT.search(match["of"]) and (plain or not HEADERS.search(match["of"])):
            yield match["name"]


def _is_below(line: str, head: str) -> bool:
    return not line.strip() or len(line) - len(line.lstrip()) > len(head) - len(head.lstrip())


def _is_written_otherwise(name: str, path: str, number: int, change: Change) -> bool:
    """The product has the name in other letters alone, and no test but this line has it as it is."""
    plain, ending = name.lower(), path[path.rfind(".") :]
    exact = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    other = False
    for each in sorted(path for path in change.blobs.paths_after() if path.endswith(ending))[:MOST]:
        text = (change.blobs.after(each) or b"").decode("utf-8", "replace")
        if is_beside_tests(each, reader_of(language_of(each))):
            lines = text.split("\n")
            if any(exact.search(line) for at, line in enumerate(lines, 1) if (each, at) != (path, number)):
                return False
            continue
        if exact.search(text) or (ending == ".rb" and FRAMEWORK.search(text)):
            return False
        other = other or plain in (word.lower() for word in WORD.findall(text))
    return other


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unmet_guards,)
