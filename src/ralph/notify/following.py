"""Finds what has to be told, and puts it into the outbox: from the logs of the runs and the queue of approvals.

Rules: the log says what happened, so nothing is missed by a crash. How far a log was read is kept beside the outbox,
and only after its notices are in the outbox; what is read twice makes the same notices. What is older than a day is no
news.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.config.notify import NotifyEntry
from ralph.errors import StorageError
from ralph.loop.journal import LOG, RUNS, moments
from ralph.loop.state import State
from ralph.notify.notices import Notice, between, request
from ralph.notify.outbox import Outbox
from ralph.record import field, record
from ralph.system import files
from ralph.system.ledger import START, Place

FRESH = timedelta(days=1)


@record(frozen=False)
class Follower:
    """Follows one run. What it has read it does not read again."""

    outbox: Outbox
    targets: Mapping[str, NotifyEntry]
    folder: Path
    _place: Place = START
    _state: State | None = None

    def look(self, now: datetime) -> None:
        """Take in what is new. Raises StorageError."""
        read = self._read()
        found, behind = moments(self.folder, self._place, self._state)
        state = self._state
        for each in found:
            if each.number > read and _is_news(each.time, now):
                for notice in between(state, each):
                    put(self.outbox, self.targets, notice, now)
            state = each.state
        if behind.seq > read:
            files.atomic_write(self._cursor, str(behind.seq).encode())
        self._place, self._state = behind, state

    @property
    def _cursor(self) -> Path:
        return self.outbox.folder / "read" / self.folder.name

    def _read(self) -> int:
        with suppress(FileNotFoundError, ValueError):
            return int(files.read_bytes(self._cursor))
        return 0


@record(frozen=False)
class Approvals:
    """Looks for questions to a person."""

    outbox: Outbox
    targets: Mapping[str, NotifyEntry]
    _known: set[str] = field(default_factory=set)

    def look(self, now: datetime) -> None:
        """Raises RalphError."""
        for entry in Desk(self.outbox.root, {}).entries():
            if entry.status is Status.OPEN and entry.request is not None and entry.id not in self._known:
                put(self.outbox, self.targets, request(entry.request), now)
                self._known.add(entry.id)


def put(outbox: Outbox, targets: Mapping[str, NotifyEntry], notice: Notice, now: datetime) -> None:
    """Put a notice into the outbox for everybody who wants it. Raises StorageError."""
    for name, target in targets.items():
        if notice.event in target.events:
            outbox.add(notice, name, now)


def recent(root: Path, now: datetime) -> Iterator[Path]:
    """The folders of the runs in which something happened lately."""
    for path in sorted((root / RUNS).glob(f"*/{LOG}")):
        with suppress(OSError):
            stat = path.stat()
            if stat.st_size and now.timestamp() - stat.st_mtime < FRESH.total_seconds():
                yield path.parent


def catch_up(outbox: Outbox, targets: Mapping[str, NotifyEntry], now: Callable[[], datetime]) -> None:
    """Everything that was not yet put into the outbox. Raises RalphError."""
    for folder in recent(outbox.root, now()):
        Follower(outbox, targets, folder).look(now())
    Approvals(outbox, targets).look(now())


def _is_news(time: str, now: datetime) -> bool:
    try:
        return now - datetime.fromisoformat(time) < FRESH
    except ValueError as error:
        raise StorageError(f"A line of the log has no time ({error}).") from None
