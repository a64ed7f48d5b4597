"""Levels of confinement, and what a confined command may touch.

Research: commands and sandbox, part B; design decision 25. A level is what the kernel was seen to enforce, never what
a version promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from ralph.record import field, record


class Level(StrEnum):
    """Strongest first in strength: `Level.BUBBLEWRAP.covers(Level.LANDLOCK)`."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"

    def covers(self, demanded: Level) -> bool:
        """True if this level enforces all that `demanded` does."""
        order = [Level.NONE, Level.LANDLOCK, Level.BUBBLEWRAP]
        return order.index(self) >= order.index(demanded)


@record(kw_only=True)
class Ceilings:
    """Limits of resources for all that a command starts."""

    processes: int = 512
    memory_bytes: int = 8 << 30
    file_bytes: int = 2 << 30
    open_files: int = 4096


@record(kw_only=True)
class Walls:
    """What one command may touch. All paths are absolute; they need not exist.

    Everything that exists may be read, but for `unreadable` and the secrets of the home folder; nothing may be written
    but `writable` less `read_only`, a private /tmp, and /dev/null and its like.
    """

    root: Path
    writable: tuple[Path, ...] = ()
    read_only: tuple[Path, ...] = ()
    """Protected places below `writable`. They stay protected, and absent, where they do not exist yet."""
    unreadable: tuple[Path, ...] = ()
    readable_home: tuple[Path, ...] = ()
    """Exceptions below the home folder's secrets (a toolchain in ~/.cargo)."""
    network: tuple[str, ...] = ()
    """Domains that may be reached through Ralph's proxy; empty means no network at all."""
    open_network: bool = False
    """No limit on the network: only where a contract says so."""
    environment: Mapping[str, str] = field(default_factory=dict)
    ceilings: Ceilings = field(default_factory=Ceilings)
