"""The brackets around a place of a text, where strings hold none that matter."""

from __future__ import annotations

from ralph.guardrails.checks.programs.spelled_commands import STRING
from ralph.system.patterns import later

OPTION = later(r"(?:add_argument|[oO]ption|[aA]rgument|[fF]ield)\s*$")
"""What is said of an option of the script itself."""
OPEN, CLOSED = "([{", ")]}"
WIDEST, LEVELS = 600, 2


def around(text: str, at: int) -> tuple[int, int] | None:
    """The nearest brackets around a place that hold a text, too."""
    start = at
    for _ in range(LEVELS):
        begin = opened(text, start - 1)
        if begin is None:
            return None
        end = closed(text, begin)
        if end is None or end - begin > WIDEST:
            return None
        if OPTION.search(text, max(0, begin - 30), begin):
            return None
        if STRING.search(text, begin, end):
            return begin, end
        start = begin
    return None


def opened(text: str, at: int, widest: int = WIDEST) -> int | None:
    """Where the bracket opens that is still open at a place, at most so far before it."""
    depth = 0
    for index in range(at, max(-1, at - widest), -1):
        if text[index] in CLOSED:
            depth += 1
        elif text[index] in OPEN:
            if depth == 0:
                return index
            depth -= 1
    return None


def closed(text: str, at: int, widest: int = WIDEST) -> int | None:
    """Behind the bracket that closes the one at a place."""
    depth = 0
    for index in range(at, min(len(text), at + widest + 1)):
        depth += (text[index] in OPEN) - (text[index] in CLOSED)
        if depth == 0:
            return index + 1
    return None
