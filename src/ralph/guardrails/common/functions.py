"""The functions of a file of any language, told by their heads and by how deep their lines are indented."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ralph.guardrails.source import remembered
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

HEAD = later(
    r"^\s*(?:[\w@]+\s+)*?(?:def|func|function|fn|fun)\s+(?:\([^()]*\)\s*)?(?:self\.)?(?P<plain>\w+[?!]?)"
    r"|^\s*(?:export\s+)?(?:const|let)\s+(?P<arrow>\w+)\s*=.*(?:=>|function)"
    r"|^\s*(?:module\.)?exports\.(?P<exported>\w+)\s*=.*(?:=>|function)"
    r"|^\s*(?:(?:public|private|protected|internal|static|async|final)\s+)+(?:[\w<>\[\], ]+?\s)?(?P<member>\w+)\s*\("
    r"|^\s+(?!(?:if|for|while|switch|catch|with|when)\b)(?P<method>\w+)\([^\n]*\{$"
)
MARKS = ("def", "fun", "fn", "=>", "{\n", "public", "private", "protected", "internal", "static", "async", "final")
"""Every head has one of these."""
GOES_ON = later(r"\s*(?:$|[){]|(?:rescue|ensure)\b)")
"""No deeper than the head, and still of the function."""
LONGEST_LINE = 300
"""No person wrote a longer one: it is no head, and says nothing."""


Function = tuple[int, str, str, str]
"""The place of its head, its name, its head, and what stands deeper below."""


def functions(lines: Sequence[str]) -> Iterator[Function]:
    """In the order of their heads."""
    lines = [line if len(line) <= LONGEST_LINE else "..." for line in lines]
    depths = list(map(depth, lines))
    for number in _marked(lines):
        line = lines[number]
        match = HEAD.search(line)
        if match is None:
            continue
        deep, end = depths[number], number + 1
        while end < len(lines) and (depths[end] > deep or GOES_ON.match(lines[end])):
            end += 1
        yield number, next(filter(None, match.groups())), line, "\n".join(lines[number + 1 : end])


def _marked(lines: Sequence[str]) -> list[int]:
    """The lines that hold a mark, found in all of the text at once: most lines hold none."""
    text, ends = "\n".join((*lines, "")), list(accumulate(len(line) + 1 for line in lines))
    found: set[int] = set()
    for mark in MARKS:
        place = text.find(mark)
        while place >= 0:
            number = bisect_right(ends, place)
            found.add(number)
            place = text.find(mark, ends[number])
    return sorted(found)


@remembered(256)
def functions_of(data: bytes) -> Sequence[Function]:
    """Those of a text as it is, found once for all rules that ask."""
    return tuple(functions(data.decode("utf-8", "replace").split("\n")))
