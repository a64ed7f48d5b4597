"""From walls to grants: what a Landlock ruleset must say so that a command sees what `Walls` describes.

Rules (research: commands and sandbox, B.1; what is hidden and shown is the same as in `mounts.py`):

- Landlock grants whole trees and can take nothing back inside one. Where something below must stay closed, the tree
  is opened child by child; what appears later beside a closed place is out of reach, and nothing can be made there.
- In a folder of the project that is opened child by child the listing is granted, since hardly a program works
  without; so the names (never the contents) inside a closed folder there can be listed.
- Of /proc, /sys and /dev only what programs need. Of /proc nothing that belongs to a process: the command lines of
  others are there, and ways around (`root`, `cwd`). A program that reads /proc/self finds it closed.
- /dev/shm is open, and shared with the user's other processes: without it locks between processes do not work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from ralph.errors import SandboxUnavailable
from ralph.permissions.sandbox.homes import ELSEWHERE, SECRETS, homes, tools
from ralph.permissions.sandbox.landlock import LIST, READ, USE, WRITE, Grant, Right
from ralph.permissions.sandbox.model import Walls
from ralph.system.places import cache_home, config_home

LIMIT = 20_000
"""So many files and folders are opened one by one; more would take longer than most commands."""

_CLOSED = ("/proc", "/sys", "/dev", "/run", "/var/run", "/tmp", "/var/tmp")
_OF_MACHINE = (
    *(f"/proc/{name}" for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version")),
    *("/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage"),
    "/etc/resolv.conf",  # often a link to somewhere below /run
)
_DEVICES = ("null", "zero", "full", "random", "urandom")


def grants(walls: Walls, private: Path) -> list[Grant]:
    """The grants for these walls. `private` is the command's own folder for temporary files.

    Raises SandboxUnavailable if too much would have to be opened one by one.
    """
    hidden = _real([*walls.unreadable, *ELSEWHERE, config_home(), cache_home(), *_secrets(walls)])
    shown = tools(walls.environment)
    named = _real([walls.root, *walls.writable, *walls.readable_home])
    opened = [
        _open(["/"], READ, hidden | _real([*_CLOSED, *homes()])),
        _open(_real([*_OF_MACHINE, *shown]), READ, hidden),
        [Grant(top, LIST) for top in named - hidden],
        _open(named, READ, hidden),
        _open(_real(walls.writable), WRITE, hidden | _real(walls.read_only)),
        [Grant(f"/dev/{name}", USE) for name in _DEVICES],
        [Grant("/dev/shm", WRITE), Grant(str(private.resolve()), WRITE)],
    ]
    found = list(islice(chain.from_iterable(opened), LIMIT + 1))
    if len(found) > LIMIT:
        raise SandboxUnavailable(
            f"More than {LIMIT} files stand beside closed ones for {walls.root}, too many for Landlock; "
            "install bubblewrap, or close whole folders."
        )
    return found


def _open(tops: Iterable[str], rights: Right, closed: set[str]) -> Iterator[Grant]:
    """Everything below the tops but what is closed there; around that, child by child. The innermost rule decides:
    what is closed further up does not matter to a top."""
    around = _folders_around(closed)
    todo = list(tops)
    while todo:
        place = todo.pop()
        if place in around and place not in closed:
            todo += _children(place)
        elif place not in closed:
            yield Grant(place, rights)


def _folders_around(closed: set[str]) -> set[str]:
    around = {"/"}
    for path in closed:
        while (path := path.rpartition("/")[0]) and path not in around:
            around.add(path)
    return around


def _children(folder: str) -> list[str]:
    """Files and folders. No links, which need no grant, and no devices, sockets or pipes, which deserve none."""
    try:
        with os.scandir(folder) as entries:
            return [
                each.path
                for each in entries
                if each.is_dir(follow_symlinks=False) or each.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []  # gone, or closed to this user: then to the command too


def _secrets(walls: Walls) -> Iterator[Path]:
    return (path for home in homes() for each in SECRETS if (path := Path(home, each)) not in walls.readable_home)


def _real(paths: Iterable[str | Path]) -> set[str]:
    return {os.path.realpath(path) for path in paths}
