"""Types of the product in whose place a test file puts one of its own by the same name (policy set v2, class G06).

Rules, for a test file of the base; Python and Ruby have their own for it (`inventory.arranged.attitude`):

- The base made objects of the type, or asked it, without declaring it, and an assertion looked at what a method
  answered. The head declares the type in that file, and its own method gives the answer that is still looked at.
- Where the base took the type from a library, by its import, it was none of the product's. Neither was one that
  another test file declared, nor one that a file of this change lost: it moved.
- A type that is only handed to the product, as a record with test data is, and one whose name says that it is a fake,
  replace nothing. A subclass replaces what it answers itself.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from ralph.guardrails.inventory.readers import TEST_PLACE, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORTH = later(rb"\b(?:class|record|struct|object|enum|type)\s+[A-Z]|\b[A-Z]\w*\s*=\s*class\b")
DECLARED = {
    **dict.fromkeys(("java", "kotlin", "csharp"), later(r"(?<!\.)\b(?:class|record|struct|object|enum)\s+([A-Z]\w*)")),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx"), later(r"(?<!\.)\bclass\s+([A-Z]\w*)|\b([A-Z]\w*)\s*=\s*class\b")
    ),
    "go": later(r"\btype\s+([A-Z]\w*)\s"),
    "rust": later(r"\b(?:struct|enum)\s+([A-Z]\w*)"),
}
_GIVEN = r"\([^()]*(?:\([^()]*\)[^()]*)*\)"
MADE = {
    **dict.fromkeys(
        ("java", "csharp", "javascript", "typescript", "tsx"),
        rf"new\s+@\b(?:<[^<>()]*>)?(?:{_GIVEN}|\s*\{{)|@(?=\.\w+\()",
    ),
    "kotlin": rf"@{_GIVEN}|@(?=\.\w+\()",
    "go": rf"&?@\{{[^{{}}]*\}}|New@{_GIVEN}|new\(@\)",
    "rust": r"@(?=::\w+\()|@\s*\{",
}
"""How an object of the type `@` is made, or the type itself is asked."""
IMPORTED = {
    **dict.fromkeys(("java", "kotlin"), r"(?m)^[ \t]*import[ \t]+(?P<from>[\w.]+)\.@[ \t]*;?[ \t]*$"),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx"),
        r"\b(?:import\b[^;'\"]*\b@\b[^;'\"]*from|@\b[^;'\"=]*=\s*(?:await\s+)?(?:require|import)\s*\()\s*['\"](?P<from>[^'\"]+)",
    ),
    "rust": r"\buse\s+(?P<from>[\w:]+)::(?:@\b|\{[^}]*\b@\b|\*)",
}
PACKAGE = later(r"(?m)^[ \t]*package[ \t]+([\w.]+)")
OWN_MODULE = later(r"[.~#]|@/|src/|app/|lib/")
FOREIGN_CRATE = later(r"(?:std|core|alloc)\b")
LINE_COMMENT = later(r"(?<![:\"'])//[^\n]*")
ASSERTS = later(r"(?i)\b(?:assert\w*|expect\w*|should\w*|verify|require|t\.is|t\.deepEqual)\b|^\s*if\b")
SET = later(r"(?:^|[\s.@])(\w+)(?:\s*:\s*[\w<>.\[\]| ]+?)?\s*:?=(?![=>])\s*(\S.*)$")
DOUBLE_NAME = later(r"(?i)fake|stub|mock|dummy|spy|test|fixture|sample|helper|builder|example")
TESTS_OF_RUST = "#[cfg(test)]"
MOST_NEIGHBOURS = 200
LONGEST = 2000
"""A statement that no person wrote says nothing, and takes long to read."""


def shadowed(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if file.status != "M" or spoken not in DECLARED or not _holds_tests(file, spoken, change):
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            yield from _compared(file, spoken, change)


def _holds_tests(file: FileChange, spoken: str, change: Change) -> bool:
    reader = reader_of(spoken)
    inside = spoken == "rust" and TESTS_OF_RUST.encode() in (change.blobs.before(file.path) or b"")
    return inside or (reader is not None and reader.is_test_file(file.path))


def _compared(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (_tests_of(spoken, read(file.path)) for read in (change.blobs.before, change.blobs.after))
    added = "\n".join(line.decode("utf-8", "replace") for hunk in file.hunks for line in hunk.added)
    old, new = _Said(before), _Said(after)
    for kind in sorted(_declared(spoken, after) - _declared(spoken, before)):
        if DOUBLE_NAME.search(kind) or kind not in before or not _is_own(spoken, kind, before):
            continue
        asked = _asked(spoken, kind, old, r"(?:\w+(?:\.|::))*") & _asked(spoken, kind, new)
        answered = sorted(each for each in asked if _is_defined(each, added))
        if answered and not _came_from_elsewhere(file, spoken, kind, change):
            line, text = _place(file, kind)
            detail = f"{kind} is declared here, and tests compare its {answered[0]}"
            yield hit_at("test.subject-faked", file.path, line, detail, text, key=f"{kind} is declared here")


def _tests_of(spoken: str, data: bytes | None) -> str:
    """The code of the tests without comments; what a product file of Rust holds above them is the product."""
    text = _code(data)
    return text.partition(TESTS_OF_RUST)[2] if spoken == "rust" and TESTS_OF_RUST in text else text


def _code(data: bytes | None) -> str:
    """Without comments; one that nothing ends goes to the end."""
    first, *commented = (data or b"").decode("utf-8", "replace").split("/*")
    text = first + "".join(each.partition("*/")[2] for each in commented)
    return LINE_COMMENT.sub("", text)


def _statements(text: str) -> list[str]:
    """The lines, each with those that only go on with it."""
    found: list[list[str]] = [[""]]
    for line in filter(None, map(str.strip, text.split("\n"))):
        if line.startswith((".", "?.", "!!.")) or found[-1][-1].endswith(("(", ",", "=")):
            found[-1].append(line)
        else:
            found.append([line])
    return [joined for parts in found if len(joined := "".join(parts)) <= LONGEST]


def _declared(spoken: str, text: str) -> frozenset[str]:
    return frozenset(name for match in DECLARED[spoken].finditer(text) for name in match.groups() if name)


def _is_own(spoken: str, kind: str, before: str) -> bool:
    """As far as the imports of the file tell, the type is the project's."""
    form = IMPORTED.get(spoken)
    if form is None:
        return True
    found = re.search(form.replace("@", re.escape(kind)), before)
    if spoken in ("java", "kotlin"):
        package = PACKAGE.search(before)
        return found is None or package is None or _root(found["from"]) == _root(package[1])
    if found is None or DOUBLE_NAME.search(found["from"]):
        return spoken == "rust" and found is None
    return not FOREIGN_CRATE.match(found["from"]) if spoken == "rust" else OWN_MODULE.match(found["from"]) is not None


def _root(package: str) -> list[str]:
    """`com.example` of `com.example.shop`; the packages of one organisation begin alike."""
    return package.split(".")[:2] if "." in package else [package]


class _Said:
    """The statements of one side: all of them, those that assert, and what those that set a variable set."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _all(self) -> list[str]:
        return _statements(self._text)

    @cached_property
    def asserting(self) -> list[str]:
        return [statement for statement in self._all if ASSERTS.search(statement)]

    @cached_property
    def sets(self) -> list[tuple[str, str]]:
        found = (SET.search(statement) for statement in self._all)
        return [(match[1], match[2]) for match in found if match is not None]


def _asked(spoken: str, kind: str, said: _Said, qualifier: str = r"(?<![\w.:])") -> frozenset[str]:
    """Methods of the type that assertions look at the answers of, directly or by a variable."""
    made = MADE[spoken].replace("@", qualifier + re.escape(kind))
    objects, values = _variables(made, said.sets)
    direct = re.compile(_chain(made, objects))
    named = _any_of(values)
    asked: set[str] = set()
    for statement in said.asserting:
        asked |= set(_methods(direct, statement))
        asked.update(*(values[name] for name in (named.findall(statement) if named else ())))
    return frozenset(asked)


def _variables(made: str, sets: Sequence[tuple[str, str]]) -> tuple[frozenset[str], dict[str, set[str]]]:
    """The names of objects of the type, and those of what their methods answered, each with the methods."""
    makes = re.compile(made)
    objects = frozenset(name for name, value in sets if makes.match(value))
    direct = re.compile(_chain(made, objects))
    values: dict[str, set[str]] = {}
    for name, value in sets:
        if methods := set(_methods(direct, value)):
            values.setdefault(name, set()).update(methods)
    return objects, values


def _chain(made: str, objects: frozenset[str]) -> str:
    """An object of the type, with the calls on it."""
    names = "|".join(map(re.escape, sorted(objects)))
    one = rf"{made}|(?<![\w.])(?:this\.)?(?:{names})\b" if names else made
    return rf"(?:{one})(?P<calls>(?:(?:[?!]*\.|::)\w+(?:{_GIVEN})?)+)"


def _methods(chain: re.Pattern[str], statement: str) -> Iterator[str]:
    for match in chain.finditer(statement):
        yield from re.findall(r"(?:\.|::)(\w+)", re.sub(_GIVEN, "", match["calls"]))


def _any_of(names: dict[str, set[str]]) -> re.Pattern[str] | None:
    listed = "|".join(map(re.escape, sorted(names)))
    return re.compile(rf"(?<![\w.])(?:{listed})\b") if listed else None


def _is_defined(method: str, added: str) -> bool:
    return (
        re.search(rf"(?<![.\w:]){re.escape(method)}\s*(?:<[^<>()]*>\s*)?(?:[({{]|=>|:|=(?!=)|get\b)", added) is not None
    )


def _came_from_elsewhere(file: FileChange, spoken: str, kind: str, change: Change) -> bool:
    """Another file of the change lost it, or a test file beside this one has it."""
    for other in change.files:
        if other.path != file.path and other.status in ("M", "D") and language(other, change) == spoken:
            was, now = (_code(read(other.path)) for read in (change.blobs.before, change.blobs.after))
            if kind in _declared(spoken, was) and kind not in _declared(spoken, now):
                return True
    folder, end = posixpath.dirname(file.path), posixpath.splitext(file.path)[1]
    reader = reader_of(spoken)
    beside = (
        each
        for each in sorted(change.blobs.paths_before())
        if each.endswith(end)
        and posixpath.dirname(each) == folder
        and each != file.path
        and (TEST_PLACE.search(each) or (reader is not None and reader.is_test_file(each)))
    )
    return any(kind in _declared(spoken, _code(change.blobs.before(each))) for each in islice(beside, MOST_NEIGHBOURS))


def _place(file: FileChange, kind: str) -> tuple[int, str]:
    """The added line that declares the type."""
    word = re.compile(rf"\b{re.escape(kind)}\b")
    lines = [(number, line.decode("utf-8", "replace").strip()) for number, line in file.added()]
    declares = (each for each in lines if word.search(each[1]) and WORTH.search(each[1].encode()))
    return next(declares, lines[0])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (shadowed,)
