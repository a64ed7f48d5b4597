"""What runs on this machine, as /proc tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def command_lines() -> Iterator[tuple[int, bytes]]:
    """Each process that lives, by its number, with its words apart by NUL bytes; they need not be text."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield int(path.parent.name), path.read_bytes()
        except OSError:  # it has ended meanwhile
            continue


def running(words: bytes) -> list[int]:
    """The numbers of those whose command line holds something."""
    return [number for number, line in command_lines() if words in line]
