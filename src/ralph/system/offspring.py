"""The processes below this one: finding them, and ending them all.

Rules (design decision 7):

- On Linux a process that adopts (PR_SET_CHILD_SUBREAPER) stays the ancestor of everything started below it, whatever
  is done to get away: a new session, a double fork, closed descriptors. "No child left" is then the kernel's answer
  (ECHILD), not an impression.
- A direct child is signalled by its number: nobody else can reap it, so the number cannot have become another's.
  A deeper one is signalled through a pidfd whose start time was checked.
- Elsewhere only the process group is reached, and the result says so.

This module is loaded once for every command that Ralph runs: it imports only what the interpreter has at hand.
"""

# pathlib takes longer to load than all of the warden:
# ruff: noqa: PTH123, PTH208

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # typing takes longer to load than all of this
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Iterable
else:
    import _signal as signal  # without the enums of `signal`, which cost 8 ms a command

LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Process:
    """One line of the process table. `started` is in clock ticks since boot."""

    __slots__ = ("group", "parent", "pid", "session", "started", "state")

    def __init__(self, pid: int, stat: bytes) -> None:
        # The command name stands in parentheses and may hold anything, parentheses too.
        fields = stat[stat.rindex(b")") + 2 :].split()
        self.pid = pid
        self.state = fields[0].decode("ascii")
        self.parent, self.group, self.session = int(fields[1]), int(fields[2]), int(fields[3])
        self.started = int(fields[19])


def quietly(call: Callable[..., object], *arguments: object) -> None:
    """`contextlib.suppress(OSError)` without the time it takes to load contextlib."""
    try:  # noqa: SIM105
        call(*arguments)
    except OSError:
        pass


def prctl(option: int, value: int) -> bool:
    """True if the kernel has done it."""
    if not LINUX:
        return False
    import ctypes

    done: int = ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
    return done == 0


def adopt_orphans(adopt: bool = True) -> bool:
    """Become the new parent of every orphan below this process. False where the system cannot do that."""
    return prctl(PR_SET_CHILD_SUBREAPER, int(adopt))


def look_up(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as stat:
            return Process(pid, stat.read())
    except (OSError, ValueError, IndexError):
        return None  # it has ended meanwhile


def everybody() -> list[Process]:
    rows = (look_up(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return [row for row in rows if row is not None]


def descendants(root: int, within_s: float) -> list[Process] | None:
    """Living processes below `root`, parents before children. None if there are too many to look at in this time:
    a swarm leaves so little of the processor that one look at it can take longer than its members live."""
    below: dict[int, list[Process]] = {}
    limit = time.monotonic() + within_s
    for name in os.listdir("/proc") if LINUX else []:
        row = look_up(int(name)) if name.isdigit() else None
        if row is not None:
            below.setdefault(row.parent, []).append(row)
        if time.monotonic() > limit:
            return None
    found: list[Process] = []
    todo = [root]
    while todo:
        rows = below.pop(todo.pop(), [])
        found += [row for row in rows if row.state not in "ZX"]
        todo += [row.pid for row in rows]
    return found


def send(row: Process, number: int, *, own_child: bool) -> None:
    """Signal exactly this process, or nobody if it has ended."""
    try:
        if own_child:
            os.kill(row.pid, number)
            return
        handle = os.pidfd_open(row.pid)
    except OSError:
        return
    try:
        now = look_up(row.pid)
        if now is not None and now.started == row.started:
            signal.pidfd_send_signal(handle, number)
    except OSError:
        pass
    finally:
        os.close(handle)


def signal_all(rows: Iterable[Process], number: int, root: int) -> None:
    """Signal every row, each once: a clean-up that is asked for twice runs twice, or is cut short. The groups of own
    children first: one call for a group leaves nobody time to fork."""
    rows = list(rows)
    groups = {row.group for row in rows if row.parent == root} - {os.getpgid(0)}
    for group in groups:
        signal_group(group, number)
    for row in rows:
        if row.group not in groups:
            send(row, number, own_child=row.parent == root)


def signal_group(group: int, number: int) -> None:
    quietly(os.killpg, group, number)  # it may be empty


def kill_children() -> None:
    """Kill the direct children of this (single-threaded) process, and with each the whole of its group.

    This needs one small file where a look at everybody needs thousands: a swarm that takes nearly all of the
    processor is beaten only by what is cheap. Their own children are the direct ones of the next call.
    """
    me, own_group = os.getpid(), os.getpgid(0)
    try:
        with open(f"/proc/{me}/task/{me}/children", "rb", buffering=0) as listing:
            children = [int(pid) for pid in listing.read().split()]
    except OSError:  # a kernel without this file
        children = [row.pid for row in everybody() if row.parent == me]
    for pid in children:
        group = os.getpgid(pid)  # not yet reaped, so neither number can have become another's
        if group != own_group:
            quietly(os.killpg, group, signal.SIGKILL)
        quietly(os.kill, pid, signal.SIGKILL)
