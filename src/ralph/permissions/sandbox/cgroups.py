"""Control groups: limits for all that a command starts together, where this machine lets Ralph have them.

Rules (research: commands and sandbox, B.3):

- A group is made for one command, beside the group that Ralph itself is in (version 2: only folders may be empty of
  processes and pass controllers on) or below it (version 1), and removed with it. Groups that a killed Ralph left are
  empty; the next one removes them.
- Only for root, whose processes the kernel does not count otherwise. An ordinary user's are counted inside the sandbox,
  and to join a group can take longer than the command.
- A single thread joins by `tasks` where there is one (version 1), for which the kernel need not stop all others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.permissions.sandbox.model import Ceilings
from ralph.record import record

TOP = Path("/sys/fs/cgroup")
_PREFIX = "ralph-"


@record
class _Place:
    """A folder in which groups can be made, and the files of a new group that take the limits."""

    folder: Path
    door: str
    processes: str | None
    memory: str | None


@contextmanager
def group(ceilings: Ceilings) -> Iterator[tuple[Path, ...]]:
    """The files by which a process joins new groups with these limits; none where none can be had."""
    made: list[Path] = []
    try:
        doors = []
        for place in _places() if os.geteuid() == 0 else ():
            with suppress(OSError):
                made.append(_make(place, ceilings))
                doors.append(made[-1] / place.door)
        yield tuple(doors)
    finally:
        for each in made:
            with suppress(OSError):  # a process that is ending: the next run removes it
                each.rmdir()


def _make(place: _Place, ceilings: Ceilings) -> Path:
    _clear(place.folder)
    folder = place.folder / f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
    folder.mkdir()
    try:
        if place.processes:
            (folder / place.processes).write_text(str(ceilings.processes), encoding="ascii")
        if place.memory:
            (folder / place.memory).write_text(str(ceilings.memory_bytes), encoding="ascii")
    except OSError:
        folder.rmdir()
        raise
    return folder


def _clear(folder: Path) -> None:
    """Remove groups of processes that live no more."""
    for left in folder.glob(f"{_PREFIX}*-*"):
        owner = left.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            with suppress(OSError):
                left.rmdir()


def _places() -> Iterator[_Place]:
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for place in _of(controllers, path.lstrip("/")):
            if os.access(place.folder, os.W_OK):
                yield place


def _of(controllers: str, path: str) -> Iterator[_Place]:
    if controllers == "pids":
        yield _Place(TOP / "pids" / path, "tasks", "pids.max", None)
    elif controllers == "memory":
        yield _Place(TOP / "memory" / path, "tasks", None, "memory.limit_in_bytes")
    elif not controllers and path:
        beside = (TOP / path).parent
        with suppress(OSError):
            passed_on = (beside / "cgroup.subtree_control").read_text(encoding="ascii").split()
            processes = "pids.max" if "pids" in passed_on else None
            memory = "memory.max" if "memory" in passed_on else None
            if processes or memory:
                yield _Place(beside, "cgroup.procs", processes, memory)
