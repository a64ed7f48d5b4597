"""A list of files as a program prints it, and what stands for a program that only running could tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.record import record

Words = Sequence[str]
ReadText = Callable[[str], str | None]
"""The text of a file of the tree."""


@record
class Entry:
    """A file, or a package of Go by its folder, and the way that it is printed."""

    path: str
    printed: str


Entries = list[Entry]
