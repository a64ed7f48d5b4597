"""The functions of a file of any language, told by their heads and by how deep their lines are indented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.system.patterns import later

HEAD = later(
    r"^\s*(?:[\w@]+\s+)*?(?:def|func|function|fn|fun)\s+(?:\([^()]*\)\s*)?(?:self\.)?(?P<plain>\w+[?!]?)"
    r"|^\s*(?:export\s+)?(?:const|let)\s+(?P<arrow>\w+)\s*=.*(?:=>|function)"
    r"|^\s*(?:(?:public|private|protected|internal|static|async|final)\s+)+(?:[\w<>\[\], ]+?\s)?(?P<member>\w+)\s*\("
    r"|^\s+(?!(?:if|for|while|switch|catch|with|when)\b)(?P<method>\w+)\([^\n]*\{$"
)
GOES_ON = later(r"\s*(?:$|[){]|(?:rescue|ensure)\b)")
"""No deeper than the head, and still of the function."""
LONGEST_LINE = 300
"""No person wrote a longer one: it is no head, and says nothing."""


def functions(lines: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """Each by the place of its head: its name, its head, and what stands deeper below."""
    lines = [line if len(line) <= LONGEST_LINE else "..." for line in lines]
    for number, line in enumerate(lines):
        match = HEAD.search(line)
        if match is None:
            continue
        deep, end = depth(line), number + 1
        while end < len(lines) and (depth(lines[end]) > deep or GOES_ON.match(lines[end])):
            end += 1
        yield number, next(filter(None, match.groups())), line, "\n".join(lines[number + 1 : end])


def depth(line: str) -> int:
    return len(line) - len(line.lstrip())
