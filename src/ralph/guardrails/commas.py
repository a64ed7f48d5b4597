"""Text apart at its commas, as a person reads it: what stands in brackets or in a string is one piece.

What a string looks like differs from language to language: `strings` is the expression for one, its quotes included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

OPENING, CLOSING = "([{", ")]}"


def between_commas(text: str, strings: re.Pattern[str]) -> list[str]:
    """The parts between commas that nothing encloses, without the blanks around them; empty ones, too."""
    parts, depth, start = [], 0, 0
    for at, letter in marks(text, strings):
        depth += step(letter)
        if letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def step(letter: str) -> int:
    """How much deeper it gets with a mark."""
    return (letter in OPENING) - (letter in CLOSING)


def marks(text: str, strings: re.Pattern[str], start: int = 0) -> Iterator[tuple[int, str]]:
    """Brackets, commas, semicolons and line ends outside of strings, with their places."""
    at = start
    while at < len(text):
        if text[at] in "\"'`" and (string := strings.match(text, at)) is not None:
            at = string.end()
            continue
        if text[at] in "([{}]),;\n":
            yield at, text[at]
        at += 1
