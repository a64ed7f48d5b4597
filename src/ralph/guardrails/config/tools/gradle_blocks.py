"""The blocks of a Gradle script, told by their braces. Comments are blanks there."""

from __future__ import annotations

from collections.abc import Iterator


def openings(text: str, place: int) -> Iterator[int]:
    """Where the blocks open that a place stands in, the innermost first."""
    depth = 0
    for index in range(place - 1, -1, -1):
        if text[index] == "}":
            depth += 1
        elif text[index] == "{":
            if depth == 0:
                yield index
            depth = max(0, depth - 1)
