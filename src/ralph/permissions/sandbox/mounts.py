"""What a confined command sees of the file system, as a list of mounts.

Rules (research: commands and sandbox, B.1 and B.3):

- The innermost rule decides about a path: a writable report folder inside a protected one is writable. For the same
  path the stronger counts: hidden, then read-only, then writable.
- Everything is shown for reading, but for the home folders, /tmp, /run and the like, which are private and empty, and
  known secrets. Sockets of programs outside are hidden: read-only is no protection against connecting to one.
- A protected path inside a writable folder becomes a mount point, which cannot be moved, removed or replaced. The
  folders between the two become mount points as well: one could else be moved away, and a new one made in its place.
- All paths are real ones. The command may have planted a link in its project; so a path of the project that is to be
  written or protected, and leads through one, is an error. Callers say beforehand what they mean (`walls.py`).
"""

# Thousands of paths a second are compared here, and pathlib takes ten times as long:
# ruff: noqa: PTH112, PTH110, PTH120, PTH122

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import chain, takewhile
from pathlib import Path

from ralph.errors import SandboxUnavailable
from ralph.permissions.sandbox.homes import ELSEWHERE, homes, secret_places, tools
from ralph.permissions.sandbox.model import Walls
from ralph.record import record
from ralph.system.places import cache_home, config_home

PRIVATE = ("/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm")


class Kind(IntEnum):
    """Of two rules for one path the greater counts."""

    READ = 1
    WRITE = 2
    EMPTY = 3
    """A private folder, writable and gone with the command."""
    PROTECT = 4
    """Read-only, and a mount point in any case."""
    HIDE = 5


@record
class Mount:
    path: str
    kind: Kind


@record
class Layout:
    """The rules for paths, by path."""

    rules: Mapping[str, Kind]

    def mounts(self) -> list[Mount]:
        """Parents before children; what would change nothing is left out."""
        rules = dict(self.rules)
        for path, kind in self.rules.items():
            if kind in (Kind.PROTECT, Kind.HIDE):
                rules |= self._pins(path)
        for path in _sockets():
            rules.setdefault(path, Kind.HIDE)
        whole = Layout(rules)
        return [Mount(path, rules[path]) for path in sorted(rules) if whole._changes(path)]

    def protected(self) -> list[str]:
        """Protected paths that could be made by the command if they are missing: in a folder that it may write."""
        return [path for path, kind in self.rules.items() if kind is Kind.PROTECT and self._around(path) is Kind.WRITE]

    def openings(self) -> list[str]:
        """Writable folders that could not be made by the command if they are missing. A name with an ending is taken
        for a file, which cannot be opened before it is there."""
        writable = [path for path, kind in self.rules.items() if kind is Kind.WRITE]
        return [path for path in writable if not os.path.splitext(path)[1] and self._around(path) is not Kind.WRITE]

    def _around(self, path: str) -> Kind:
        """What holds for the folder in which `path` lies."""
        return next((self.rules[each] for each in _above(path) if each in self.rules), Kind.READ)

    def _pins(self, path: str) -> dict[str, Kind]:
        """The folders between a protected path and the writable one that it lies in."""
        between = list(takewhile(lambda each: each not in self.rules, _above(path)))
        return dict.fromkeys(between, Kind.WRITE) if self._around(path) is Kind.WRITE else {}

    def _changes(self, path: str) -> bool:
        kind, around = self.rules[path], self._around(path)
        if kind is Kind.EMPTY:
            return os.path.isdir(path) or around is Kind.EMPTY
        if path == "/" or (kind is Kind.HIDE and around in (Kind.EMPTY, Kind.HIDE)) or not os.path.exists(path):
            return False
        return not (kind in (Kind.READ, Kind.PROTECT) and around in (Kind.READ, Kind.PROTECT))


def layout(walls: Walls) -> Layout:
    """The rules that these walls mean on this machine.

    Raises SandboxUnavailable if a path that is to be written or protected leads through a link of the project.
    """
    rules = {"/": Kind.READ}
    real_root = os.path.realpath(walls.root)
    for path, kind in chain(_everywhere(walls), _asked(walls)):
        real = os.path.realpath(path)
        strict = kind in (Kind.WRITE, Kind.PROTECT) and Path(path).is_relative_to(walls.root)
        if strict and real != os.path.normpath(f"{real_root}/{os.path.relpath(path, walls.root)}"):
            raise SandboxUnavailable(
                f"{path} leads through a symbolic link to {real}; remove the link, or name {real}."
            )
        rules[real] = max(kind, rules.get(real, Kind.READ))
    return Layout(rules)


def _everywhere(walls: Walls) -> Iterator[tuple[str, Kind]]:
    exceptions = {os.path.realpath(path) for path in walls.readable_home}
    yield from ((path, Kind.EMPTY) for path in PRIVATE)
    # What the user cannot read needs no mount of its own.
    yield from ((path, Kind.HIDE) for path in ELSEWHERE if os.access(path, os.R_OK))
    yield from ((home, Kind.EMPTY) for home in homes())
    yield from ((path, Kind.READ) for path in tools(walls.environment))
    for home in homes():
        secrets = filter(os.path.lexists, secret_places(home))
        yield from ((secret, Kind.HIDE) for secret in secrets if os.path.realpath(secret) not in exceptions)


def _asked(walls: Walls) -> Iterator[tuple[str | Path, Kind]]:
    yield from ((path, Kind.READ) for path in (walls.root, *walls.readable_home))
    yield from ((path, Kind.HIDE) for path in (config_home(), cache_home(), *walls.unreadable))
    yield from ((path, Kind.WRITE) for path in walls.writable)
    yield from ((path, Kind.PROTECT) for path in walls.read_only)


def _above(path: str) -> Iterator[str]:
    while path != "/":
        path = os.path.dirname(path)
        yield path


def _sockets() -> Iterator[str]:
    """Where programs of this machine listen. Those that are bound by a relative name cannot be found."""
    try:
        lines = Path("/proc/net/unix").read_text("utf-8", "surrogateescape").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        name = line.split(None, 7)[7:]
        if name and name[0].startswith("/") and (path := _socket(name[0])):
            yield path


def _socket(name: str) -> str | None:
    """Its real path, if it is there. Links may go meanwhile: `/proc/self/fd/9` of another program is one of ours."""
    try:
        path = os.path.realpath(name)
        return path if stat.S_ISSOCK(os.lstat(path).st_mode) else None
    except OSError:
        return None
