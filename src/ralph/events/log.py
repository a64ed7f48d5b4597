"""`.ralph/events.jsonl`: every published event, in order (spec: events; design section 6, decision 32).

Rules:

- It is a ledger (`system.ledger`): hash-chained, appended to only, safe for many writers; an event's number and time
  are those of its line. Only Ralph writes it: agents post into the inbox of their turn.
- `append` takes a batch: one lock, one write and one sync for all its events, and it returns when they are on the disk.
  So what is batched is what the caller gives at once: the events of one turn, or as many as a stress test likes.
- Readers stop at the last complete line, count bytes as they lie on the disk, and take up again exactly there; a line
  that is being written is read when it is whole, never halved, never twice. A line end of CR LF is one line end.
- A changed, forged, moved or missing line is an error that names it: a damaged log rebuilds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from ralph.errors import StorageError
from ralph.events.model import Event, Origin
from ralph.record import replace
from ralph.system import ledger
from ralph.system.ledger import START, Entry, Place

LOG = Path(".ralph", "events.jsonl")

_KINDS = {each.name: int if each.name == "iteration" else str for each in fields(Event)}
del _KINDS["number"], _KINDS["time"]  # these are the ledger's
_ORIGINS = get_args(Origin)


def append(path: Path, events: Sequence[Event], *, time: datetime) -> tuple[Event, ...]:
    """Write events down, together; they come back with their number and time. Raises StorageError."""
    entries = ledger.append_all(path, [_record(event) for event in events], time=time)
    return tuple(
        replace(event, number=entry.seq, time=entry.time) for event, entry in zip(events, entries, strict=True)
    )


def read(path: Path, place: Place = START) -> tuple[tuple[Event, ...], Place]:
    """The events after `place`, and where to go on. Raises StorageError if the log is damaged."""
    entries, behind = ledger.follow(path, place)
    return tuple(_event(path, entry) for entry in entries), behind


def _record(event: Event) -> dict[str, Any]:
    """What stands in the line: the ledger adds number and time, and what is not known is left out."""
    return {name: value for name in _KINDS if (value := getattr(event, name)) is not None}


def _event(path: Path, entry: Entry) -> Event:
    record = entry.record
    try:
        if all(type(value) is _KINDS[name] for name, value in record.items()) and record["origin"] in _ORIGINS:
            return Event(**record, number=entry.seq, time=entry.time)
    except (AttributeError, KeyError, TypeError):
        pass  # no mapping, a field that no event has, or one that it must have is missing
    raise StorageError(f"Line {entry.seq} of {path} is no event of Ralph's: restore the log, or move it away.")
