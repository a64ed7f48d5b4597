"""What people tell a run from outside, and which run is alive (issue: commands; spec: circuit breaker, state).

Rules:

- `.ralph/control.jsonl` is a ledger: a command appends an order, the runner takes in those after the last number that
  its log knows. So an order is followed once, whatever crashes in between, and nothing but the runner consumes one.
- An order is for the process that was at work when it was given: what was to stop a run does not stop it again when it
  is resumed, nor the next one. A hint and a reset of the breaker wait for whoever comes.
- A line that cannot be used (damaged, or of another version) hides none of the others, and is told to people.
- The runner holds `.ralph/run.lock` as long as it lives. The kernel takes the lock away with the process, so a crashed
  run is not alive, and there is one run at a time in a project.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from ralph.errors import ConfigError, StorageError, UsageError
from ralph.record import record
from ralph.system import clock, files, ledger, records

CONTROL = Path(".ralph", "control.jsonl")
LOCK = Path(".ralph", "run.lock")
LONGEST_TEXT = 10_000
HIGHEST_PRIORITY = 1_000
_STARTING_S = 2.0
"""So long a run waits for the lock, which those hold for an instant who look whether a run is alive."""
_LOOKS = 20
"""So often one looks who holds it: a run takes the lock first, and then writes down who it is."""

Do = Literal["pause", "resume", "stop", "inject", "handoff", "reset_breaker"]
FOR_WHOEVER_COMES = frozenset({"inject", "reset_breaker"})


@record(kw_only=True)
class _Line:
    """What an order's line holds; `to` is the `id` of who was at work, None: whoever comes."""

    do: Do
    text: str = ""
    priority: int = 0
    by: str = ""
    to: str | None = None


@record(kw_only=True)
class Order:
    """One order. `number` is that of its line, and the larger, the later; `priority` is the higher, the sooner."""

    number: int
    time: str
    do: Do
    text: str = ""
    priority: int = 0
    by: str = ""
    to: str | None = None


@record(kw_only=True)
class Alive:
    """A run at work in a process; when it is resumed, that is another `id`. Empty in the instant in which it starts."""

    id: str = ""
    pid: int = 0
    run: str = ""
    since: str = ""


class Control:
    """The orders for the runs of the project at `root`."""

    def __init__(self, root: Path, *, now: Callable[[], datetime] = clock.now) -> None:
        self.path = root / CONTROL
        self._now = now

    def post(self, do: Do, text: str = "", *, priority: int = 0, by: str = "", to: Alive | None = None) -> Order:
        """Write an order down, for the run at work. Raises UsageError, and StorageError if it cannot be written."""
        _check(do, text, priority, to)
        line = _Line(
            do=do, text=text, priority=priority, by=by, to=to.id if to and do not in FOR_WHOEVER_COMES else None
        )
        entry = ledger.append(self.path, asdict(line), time=self._now())
        return Order(number=entry.seq, time=entry.time, **asdict(line))

    def since(self, number: int, at_work: Alive) -> tuple[Order, ...]:
        """The orders after that number that are for who is at work, in their order. Raises StorageError if the file is
        not the one in which that number stood."""
        entries, damaged = ledger.intact(self.path)
        if len(entries) + len(damaged) < number:
            raise StorageError(f"{self.path} lost lines that were followed before: restore it, or start a new run.")
        later = {entry.seq: entry for entry in entries if entry.seq > number}
        orders = (_order(later[seq]) for seq in sorted(later))
        return tuple(order for order in orders if order is not None and order.to in (None, at_work.id))

    def unusable(self) -> tuple[str, ...]:
        """What is wrong with lines that nobody can follow. Raises StorageError if the file cannot be read."""
        entries, damaged = ledger.intact(self.path)
        strange = [entry.seq for entry in entries if _order(entry) is None]
        return (
            *(f"line {number} of {self.path} is damaged: nobody follows it" for number in damaged),
            *(f"line {number} of {self.path} is no order that this version knows" for number in strange),
        )


@contextmanager
def hold(root: Path, run: str, *, now: Callable[[], datetime] = clock.now) -> Iterator[Alive]:
    """Be the only run at work in the project. Raises StorageError that names the one at work."""
    path = root / LOCK
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(f"{path} cannot be locked: {files.reason(error)}.") from error
    try:
        if not files.wait_for_lock(descriptor, _STARTING_S):
            other = _card(descriptor)
            raise StorageError(
                f"The run {other.run} is at work here already (process {other.pid}): `ralph status` shows it, "
                "`ralph stop` ends it."
            )
        card = Alive(id=secrets.token_hex(8), pid=os.getpid(), run=run, since=now().isoformat())
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(asdict(card)).encode(), 0)
        yield card
    finally:
        os.close(descriptor)


def alive(root: Path) -> Alive | None:
    """The run at work in the project; None if there is none. Raises StorageError if nobody can tell."""
    path = root / LOCK
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {files.reason(error)}.") from error
    try:
        for _ in range(_LOOKS):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return None
            except BlockingIOError:
                card = _card(descriptor)
            if card.id:
                break
            time.sleep(0.005)
        return card
    finally:
        os.close(descriptor)


def _check(do: str, text: str, priority: int, to: Alive | None) -> None:
    if do not in get_args(Do):
        raise UsageError(f"A run does not know the order {do!r}; it knows: {', '.join(get_args(Do))}.")
    if do == "inject" and not text.strip():
        raise UsageError("There is nothing to tell the agent: give a text.")
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"The text has {len(text)} characters, and may have {LONGEST_TEXT}: put it into a file.")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise UsageError("The text is not UTF-8: write it anew.")
    if abs(priority) > HIGHEST_PRIORITY:
        raise UsageError(f"A priority is a whole number from -{HIGHEST_PRIORITY} to {HIGHEST_PRIORITY}.")
    if do not in FOR_WHOEVER_COMES and to is None:
        raise UsageError(f"There is no run to {do}.")


def _order(entry: ledger.Entry) -> Order | None:
    """The order in a line; None if this version knows no such order."""
    try:
        line = records.parse(_Line, entry.record, "an order")
    except ConfigError:
        return None
    return Order(number=entry.seq, time=entry.time, **asdict(line))


def _card(descriptor: int) -> Alive:
    """Who holds the lock, as far as it stands there."""
    try:
        return records.parse(Alive, json.loads(os.pread(descriptor, 4096, 0)), "the lock")
    except (OSError, ValueError, ConfigError):
        return Alive()
