"""The arguments of a call, as text."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST = 5000
"""A call that no person wrote; what stands behind is not looked at."""


def arguments(code: str, start: int) -> list[str]:
    """Of the call whose parenthesis was opened right before `start`."""
    return [part.strip() for part in _parts(code[start : start + LONGEST])]


def _parts(code: str) -> Iterator[str]:
    first = deep = 0
    quote = ""
    for at, char in enumerate(code):
        if quote:
            if char == quote and code[at - 1] != "\\":
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char in "([{":
            deep += 1
        elif char in ")]}":
            deep -= 1
            if deep < 0:
                yield code[first:at]
                return
        elif char == "," and deep == 0:
            yield code[first:at]
            first = at + 1
    yield code[first:]
