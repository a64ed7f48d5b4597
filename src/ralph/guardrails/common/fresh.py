"""A name that a test declares which the base did not have (policy set v2, class G06).

Rules:

- Such a name is nobody else's. In a new test, what it is given takes nothing's place but in a test that is gone, whose
  assertions may stand in the new one. In any test, it ends with that test.
- A test goes by the line with which it begins, and by the next where that is an annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def lines_of_gone(before: Sequence[str], after: Sequence[str], at: int) -> list[str] | None:
    """The lines of all tests that are gone; None where the line `at` of the head declares no name in a new test."""
    if not DECLARES.match(after[at]):
        return None
    begin = next((row for row in range(at, -1, -1) if BEGINS.match(after[row])), None)
    if begin is None or _indent(after[begin]) >= _indent(after[at]) or _is_group(after[begin]):
        return None
    titles = {title for _, title in _tests(before)}
    if _title(after, begin) in titles:
        return None
    left = {title for _, title in _tests(after)}
    return [
        line for start, title in _tests(before) if title not in left for line in up_to_next_test(before[start + 1 :])
    ]


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
