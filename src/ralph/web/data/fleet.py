"""Workers and queues, if there is a fleet. The page needs to know no more of one than this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, Protocol

from ralph.record import record
from ralph.web.shown import Shown, line

MOST_JOBS = 200


class Worker(Protocol):
    """A worker as the queue knows it; `seen_s` ago it was heard of."""

    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def running(self) -> int: ...
    @property
    def concurrency(self) -> int: ...
    @property
    def seen_s(self) -> float: ...
    @property
    def alive(self) -> bool: ...


class Job(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def work(self) -> Any: ...
    @property
    def state(self) -> str: ...
    @property
    def outcome(self) -> str | None: ...
    @property
    def why(self) -> str: ...
    @property
    def holder(self) -> str | None: ...
    @property
    def attempt(self) -> int: ...


class Fleet(Protocol):
    """What the page asks a fleet for. The first two raise RalphError."""

    def workers(self) -> Sequence[Worker]: ...
    def jobs(self, limit: int = MOST_JOBS) -> Sequence[Job]: ...
    def close(self) -> None: ...


@record
class WorkerRow:
    name: Shown
    host: Shown
    load: str
    seen: str
    alive: bool


@record
class JobRow:
    id: Shown
    kind: str
    repository: Shown
    state: str
    outcome: str
    worker: Shown
    attempt: int
    why: Shown


@record
class FleetPage:
    """`queues` counts jobs by repository and state."""

    workers: tuple[WorkerRow, ...]
    jobs: tuple[JobRow, ...]
    queues: tuple[tuple[Shown, str, int], ...]


def page(opened: Callable[[], Fleet | None]) -> FleetPage | None:
    """None where no fleet is configured. Raises RalphError."""
    fleet = opened()
    if fleet is None:
        return None
    with closing(fleet):
        workers, found = fleet.workers(), fleet.jobs(MOST_JOBS)
    counted = Counter((str(getattr(job.work, "repository", "")), job.state) for job in found)
    return FleetPage(
        workers=tuple(_worker(each) for each in workers),
        jobs=tuple(_job(each) for each in found),
        queues=tuple((line(name), state, number) for (name, state), number in sorted(counted.items())),
    )


def _worker(worker: Worker) -> WorkerRow:
    return WorkerRow(
        name=line(worker.name),
        host=line(worker.host),
        load=f"{worker.running} of {worker.concurrency}",
        seen=f"{worker.seen_s:.0f} s",
        alive=worker.alive,
    )


def _job(job: Job) -> JobRow:
    return JobRow(
        id=line(job.id),
        kind=job.kind,
        repository=line(getattr(job.work, "repository", "")),
        state=job.state,
        outcome=job.outcome or "",
        worker=line(job.holder or ""),
        attempt=job.attempt,
        why=line(job.why),
    )
