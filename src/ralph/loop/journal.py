"""`.ralph/runs/<run>/log.jsonl`: everything that happened in a run, and nothing else is its state (decision 32).

Rules: a line is an input of the machine, on the disk before anything follows from it. The state is the fold of the
lines, with the times that they carry; whoever reads the log, in another terminal or after a crash, gets the same state
and the same effects. What follows from an input follows from its line, not from what was to be written. A damaged log,
or one with a line that cannot stand where it does, is an error that names the line, and starts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop import wire
from ralph.loop.effects import Effect
from ralph.loop.inputs import Begun, Input
from ralph.loop.machine import fits, step
from ralph.loop.state import State
from ralph.record import record
from ralph.system import ledger
from ralph.system.ledger import START, Entry, Place

RUNS = Path(".ralph", "runs")
LOG = "log.jsonl"
KEPT = "kept"
"""Beside the log: the last line of which everything is done but what it asks for."""


@record(frozen=False)
class Journal:
    """A run's log and what it comes to. `effects` are those of the last line."""

    folder: Path
    state: State
    effects: tuple[Effect, ...]
    place: Place = START

    @property
    def path(self) -> Path:
        return self.folder / LOG

    def add(self, given: Input, now: datetime) -> tuple[Effect, ...]:
        """Write an input down, and move. Raises StorageError; then nothing has moved."""
        self.state, self.effects = _written(self.path, self.state, given, now)
        return self.effects

    @property
    def is_kept(self) -> bool:
        """Whether the state's file is that of the last line, and its quiet effects are performed. Where nobody knows,
        they are not: once more does no harm, unless a person has decided otherwise since."""
        try:
            return (self.folder / KEPT).read_text("ascii") == self._last_line()
        except (OSError, ValueError):
            return False

    def mark_kept(self) -> None:
        """Remember that they were. A failure to write this down stops nothing."""
        with suppress(OSError):
            (self.folder / KEPT).write_text(self._last_line(), "ascii")

    def _last_line(self) -> str:
        number, digest = ledger.head(self.path)
        return f"{number} {digest}"

    def follow(self) -> Iterator[Input]:
        """Take in the lines that another process has written since, and yield them."""
        entries, self.place = ledger.follow(self.path, self.place)
        for entry in entries:
            given, (self.state, self.effects) = _moved(self.path, self.state, entry)
            yield given


def begin(root: Path, given: Begun, now: datetime) -> Journal:
    """Start the log of a new run. Raises StorageError."""
    folder = root / RUNS / given.run
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Journal(folder, *_written(folder / LOG, None, given, now))


def read(folder: Path) -> Journal:
    """The run whose folder it is, up to the last whole line. Raises StorageError."""
    path = folder / LOG
    entries, place = ledger.follow(path, START)
    state: State | None = None
    effects: tuple[Effect, ...] = ()
    for entry in entries:
        _, (state, effects) = _moved(path, state, entry)
    if state is None:
        raise StorageError(f"{path} holds nothing: the run never began; start a new one.")
    return Journal(folder, state, effects, place)


@record
class Moment:
    """A line of a log, and the state after it."""

    number: int
    time: str
    given: Input
    state: State


def moments(folder: Path, place: Place = START, state: State | None = None) -> tuple[list[Moment], Place]:
    """The lines after a place, at which `state` was, and the place behind them. Raises StorageError."""
    path = folder / LOG
    entries, behind = ledger.follow(path, place)
    found = []
    for entry in entries:
        given, (state, _) = _moved(path, state, entry)
        found.append(Moment(entry.seq, entry.time, given, state))
    return found, behind


def runs(root: Path) -> list[Path]:
    """The folders of the project's runs, oldest first. A run that never began is none."""
    return sorted(path.parent for path in (root / RUNS).glob(f"*/{LOG}") if path.stat().st_size)


def latest(root: Path) -> Journal | None:
    """The newest run of the project; None without one. Raises StorageError."""
    found = runs(root)
    return read(found[-1]) if found else None


def _written(path: Path, state: State | None, given: Input, now: datetime) -> tuple[State, tuple[Effect, ...]]:
    """Write a line, and what follows from it; nothing is written that could not be read again."""
    record = wire.to_record(given)
    wire.from_record(record, f"A line for {path}")
    return _moved(path, state, ledger.append(path, record, time=now))[1]


def _moved(path: Path, state: State | None, entry: Entry) -> tuple[Input, tuple[State, tuple[Effect, ...]]]:
    """The input of a line, and what follows from it."""
    where = f"Line {entry.seq} of {path}"
    given = wire.from_record(entry.record, where)
    if not fits(state, given):
        raise StorageError(f"{where} is out of its place: restore the log, or start a new run.")
    return given, step(state, given, datetime.fromisoformat(entry.time))
