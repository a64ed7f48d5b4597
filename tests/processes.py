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


def started_with(mark: bytes) -> list[str]:
    """Those whose environment holds something, with their command lines, for people."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and mark in (process / "environ").read_bytes():
                found.append(f"{process.name} {(process / 'cmdline').read_bytes().decode(errors='replace')}")
        except OSError:  # it has ended meanwhile, or is nobody's to look at
            continue
    return found
