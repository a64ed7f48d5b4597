"""What the queue stands on, DBOS, made safe for us; the one place that loads it.

Rules (each was seen to go wrong without):

- The version of what is written down is pinned: by default it is a digest of our source, and another one strands work.
- Only JSON is read. A row that says of itself that it is a pickle would be unpickled whatever serializer is chosen, so
  whoever can write to the database could run code here: such a row is an error.
- An SQLite file gets its write-ahead log before anything else opens it: half as many jobs a second without.
- The library takes half a second to load, so nothing loads it that uses no queue.
"""

from __future__ import annotations

import logging
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from ralph.system.extras import needed

if TYPE_CHECKING:
    from dbos import DBOSClient, DBOSConfig

APPLICATION = "ralph"
VERSION = "ralph-fleet-1"
"""Of our workflows: raised when they change so that work begun under the old ones could not go on."""
WORK, RUNS = "ralph-work", "ralph-runs"
"""The queue of what needs a place at a worker, and that of the runs, which only wait."""
LEG, RUN = "ralph-leg", "ralph-run"
"""The workflows: a piece of work, and a run, which is one after the other."""


def at(home: str) -> str:
    """The queue of the pieces of runs that live in a home."""
    return f"{WORK}-{home}"


def loaded() -> ModuleType:
    """The library. Raises MissingToolError."""
    with needed("A queue", "fleet"):
        import dbos
        from dbos import _serialization as forms
    forms.DefaultSerializer.deserialize = _refused  # type: ignore[method-assign, assignment]
    logging.getLogger("dbos").setLevel(logging.CRITICAL)
    return dbos


def _refused(*_: object) -> NoReturn:
    raise ValueError("the queue holds a pickle, which is never read")


def config(address: str, worker: str) -> DBOSConfig:
    """How a worker runs the engine."""
    forms = loaded()
    return {
        "name": APPLICATION,
        "system_database_url": address,
        "application_version": VERSION,
        "executor_id": worker,
        "serializer": forms.DBOSPortableJSONSerializer(),
        "log_level": "CRITICAL",
        "notification_listener_polling_interval_sec": 1.0,
        "scheduler_polling_interval_sec": 300.0,
    }


def client(address: str) -> DBOSClient:
    """A door to the engine that runs nothing itself."""
    forms = loaded()
    made: Any = forms.DBOSClient(
        system_database_url=address, serializer=forms.DBOSPortableJSONSerializer(), application_name=APPLICATION
    )
    return made  # type: ignore[no-any-return]


def prepare(address: str) -> None:
    """Make the engine's own tables where they are missing. Raises what the library raises."""
    loaded().DBOS.migrate(address)


def options(workflow: str, queue: str, name: str, *, partition: str | None) -> dict[str, Any]:
    """For what is put into a queue. The version is named, as what has none waits for the newest worker."""
    given = {"workflow_name": workflow, "queue_name": queue, "workflow_id": name, "app_version": VERSION}
    return given | ({"queue_partition_key": partition} if partition else {})
