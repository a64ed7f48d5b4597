"""The functions of a file of any language, told by their heads and by how deep their lines are indented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
MARK = later(r"\(|def|fun|fn|=>")
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
    deep = [depth(line) for line in lines]
    for number, line in enumerate(lines):
        match = HEAD.search(line) if MARK.search(line) else None
        if match is None:
            continue
        end = number + 1
        while end < len(lines) and (deep[end] > deep[number] or GOES_ON.match(lines[end])):
            end += 1
        yield number, next(filter(None, match.groups())), line, "\n".join(lines[number + 1 : end])


@remembered(256)
def functions_of(data: bytes) -> Sequence[Function]:
    """Those of a text as it is, found once for all rules that ask."""
    return tuple(functions(data.decode("utf-8", "replace").split("\n")))
