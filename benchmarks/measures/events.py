"""Events through log and bus, one sync for each batch, next to writing the same records as plain JSON lines."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from report import Table, best_s

from ralph.events import bus, log
from ralph.events.model import Event
from ralph.hats.model import Hat
from ralph.system import clock

BATCH = 100
HATS = (
    Hat(id="builder", name="Builder", triggers=("build.task", "build.blocked")),
    Hat(id="confessor", name="Confessor", triggers=("build.done",)),
    Hat(id="handler", name="Handler", triggers=("confession.*",)),
)
PAYLOAD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"


def measure(table: Table, work: Path, *, quick: bool) -> None:
    count, times = (1_000, 1) if quick else (10_000, 3)
    events = [
        Event(topic="build.done", payload=PAYLOAD, origin="agent", hat="builder", task=f"t{n}", iteration=n)
        for n in range(count)
    ]
    batches = [events[first : first + BATCH] for first in range(0, count, BATCH)]
    path = work / "events.jsonl"
    whole = best_s(lambda: _publish(path, batches), times)
    records = [[asdict(event) for event in batch] for batch in batches]
    plain = best_s(lambda: _plain(work / "plain.jsonl", records), times)
    table.row(
        f"events through log and bus, {BATCH} to a batch, a sync for each and for its hat's turn",
        f"{count / whole:,.0f} events/s",
        "10,000 events/s",
        f"`json.dumps` and a synced write of the same records: {count / plain:,.0f}",
    )
    single = best_s(lambda: _publish(path, [[each] for each in events[:200]]), times)
    table.row("the same, one event to a sync", f"{200 / single:,.0f} events/s")
    _publish(path, batches)
    reading = best_s(lambda: log.read(path), times)
    read, _ = log.read(path)
    replaying = best_s(lambda: bus.replay(HATS, read), times)
    table.row("the log read and checked", f"{len(read) / reading:,.0f} events/s")
    table.row(f"the bus rebuilt from {len(read)} events", f"{len(read) / replaying:,.0f} events/s")


def _publish(path: Path, batches: list[list[Event]]) -> None:
    path.unlink(missing_ok=True)
    state = bus.Bus(hats=HATS)
    for batch in batches:
        given = log.append(path, batch, time=clock.now())
        for event in given:
            state, _ = bus.publish(state, event)
        (done,) = log.append(path, [bus.handled("confessor", given)], time=clock.now())
        state, _ = bus.publish(state, done)


def _plain(path: Path, batches: list[list[dict[str, Any]]]) -> None:
    path.unlink(missing_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for batch in batches:
            for record in batch:
                file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
