"""A name that a test declares which the base did not have (policy set v2, class G06).

Rules:

- Such a name is nobody else's. In a new test, what it is given takes nothing's place but in a test that is gone, whose
  assertions may stand in the new one. In any test, it ends with that test.
- A test goes by the line with which it begins, and by the next where that is an annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ralph.system.patterns import later

BEGINS = later(
    r"\s*(?:(?:it|test|specify|(?P<group>describe|context))\b"
    r"(?!\.(?!(?:describe|each|for|only|skip|skipIf|runIf|todo|failing|fails|concurrent|sequential|serial|parallel)\b)"
    r"|\s*(?:[=;]|$))"
    r"|func Test|@(?:Test(?:Factory|Template)?|ParameterizedTest|RepeatedTest)\b|\[(?:Fact|Test|Theory))"
)
"""A line with which a test or a group of tests begins; `test.setTimeout(9)` stands in one."""
ANNOTATION = later(r"\s*[@\[]")
DECLARES = later(r"\s*(?:(?:const|let|val|var|final)\s+\w|\w+\s*:=)")


def is_of_one_test(lines: Sequence[str], at: int) -> bool:
    """What the line `at` declares is in a test: the test, or its annotations, begin right above its body."""
    depth = _indent(lines[at])
    around = range(at - 1, -1, -1)
    head = next((row for row in around if lines[row].strip(" \t{}") and _indent(lines[row]) < depth), None)
    for row in range(head, -1, -1) if head is not None else ():
        if BEGINS.match(lines[row]):
            return True
        if row != head and not ANNOTATION.match(lines[row]):
            return False
    return False


def up_to_next_test(lines: Sequence[str]) -> Iterator[str]:
    """What follows a name that only one test has, up to the next test or group."""
    for line in lines:
        if BEGINS.match(line):
            return
        yield line


class Gone:
    """The tests that the head of a file does not have; `before` and `after` are the lines of its sides."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self._before, self._after = before, after

    def lines(self, at: int) -> list[str] | None:
        """The lines of all of them; None where the line `at` of the head declares no name in a new test."""
        after = self._after
        if not DECLARES.match(after[at]):
            return None
        begin = next((row for row in range(at, -1, -1) if BEGINS.match(after[row])), None)
        if begin is None or _indent(after[begin]) >= _indent(after[at]) or _is_group(after[begin]):
            return None
        return None if _title(after, begin) in {title for _, title in self._were} else self._lines

    @cached_property
    def _were(self) -> list[tuple[int, str]]:
        return list(_tests(self._before))

    @cached_property
    def _lines(self) -> list[str]:
        left = {title for _, title in _tests(self._after)}
        gone = (start for start, title in self._were if title not in left)
        return [line for start in gone for line in up_to_next_test(self._before[start + 1 :])]


def _tests(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(lines):
        if BEGINS.match(line) and not _is_group(line):
            yield row, _title(lines, row)


def _title(lines: Sequence[str], begin: int) -> str:
    end = begin
    while end + 1 < len(lines) and ANNOTATION.match(lines[end]):
        end += 1
    return " ".join(line.strip() for line in lines[begin : end + 1])


def _is_group(line: str) -> bool:
    match = BEGINS.match(line)
    return match is not None and match["group"] is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
