"""What is published in a project, and the bus that follows from it: written once, whatever is begun twice.

Rules (design decision 32): a publication has a key, and its events and claims carry it. Events of one publication stand
together in the log, so a crash between two of them shows how many are missing. The bus is a fold of the log, taken up
where it was left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ralph.events import bus as buses
from ralph.events import honesty, log
from ralph.events.model import Event
from ralph.record import replace
from ralph.system.ledger import START


class Published:
    """The events and claims of the project at `root`, with hats that listen."""

    def __init__(self, root: Path, hats: Sequence[buses.Listener]) -> None:
        self._events, self._claims = root / log.LOG, root / honesty.CLAIMS
        self._bus, self._place = buses.Bus(hats=tuple(hats)), START
        self._last: tuple[str | None, int] = (None, 0)
        self._known: Counter[str | None] | None = None

    def bus(self) -> buses.Bus:
        """As it stands now. Raises StorageError."""
        events, self._place = log.read(self._events, self._place)
        for event in events:
            self._take(event)
        return self._bus

    def publish(self, key: str, events: Sequence[Event], claims: Sequence[honesty.Claim], *, time: datetime) -> None:
        """Write down what is not there yet. Raises StorageError."""
        self.bus()
        known, count = self._last
        missing = events[count:] if known == key else events
        self._record(key, claims, time)
        if missing:
            log.append(self._events, [replace(event, key=key) for event in missing], time=time)
            self.bus()

    def _take(self, event: Event) -> None:
        self._bus, _ = buses.publish(self._bus, event)
        known, count = self._last
        self._last = (event.key, count + 1 if event.key == known else 1)

    def _record(self, key: str, claims: Sequence[honesty.Claim], time: datetime) -> None:
        if not claims:
            return
        if self._known is None:  # read once: only what an earlier process began can stand there already
            self._known = Counter(claim.key for claim in honesty.read(self._claims))
        for claim in claims[self._known[key] :]:
            honesty.keep(self._claims, replace(claim, key=key), time=time)
            self._known[key] += 1
