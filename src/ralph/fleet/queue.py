"""The fleet as a queue: what those see who submit, look and answer. It runs nothing itself.

What is asked is written down in our own records first, and then told to the engine; a worker tells it again where
somebody died in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from ralph.errors import RalphError, StorageError, UsageError
from ralph.fleet import parts
from ralph.fleet.address import shown, sqlite_file
from ralph.fleet.beats import seen
from ralph.fleet.jobs import Jobs
from ralph.fleet.model import Job, Seen, Word, Work
from ralph.fleet.tables import Database
from ralph.fleet.workflows import leg_name, run_name, topic

LOOK_S = 0.25
PATIENCE_S = 20.0


class QueueFleet:
    """The queue at `address`; `make` makes the tables that are missing. Raises RalphError."""

    def __init__(self, address: str, *, make: bool = True, dead_after_s: float = 30.0) -> None:
        path = sqlite_file(address)
        if path is not None and not make and not path.exists():
            raise UsageError("There is no queue here yet: start `ralph worker`, or name one with --queue.")
        parts.loaded()
        self.database = Database(address, patience_s=0.0)
        self.jobs_kept = Jobs(self.database, dead_after_s=dead_after_s)
        try:
            self.database.make()
            parts.prepare(address)
            self.client = parts.client(address)
        except RalphError:
            self.database.close()
            raise
        except Exception as error:  # noqa: BLE001 - whatever the engine and the drivers below it raise
            self.database.close()
            raise StorageError(f"The queue {shown(address)} cannot be used: {type(error).__name__}.") from None
        self.database.patience_s = PATIENCE_S

    def submit(self, work: Work) -> Job:
        job, begins = self.jobs_kept.submit(work)
        return self.enqueue(job) if begins else job

    def enqueue(self, job: Job) -> Job:
        """Tell the engine of a job; once more does no harm."""
        partition = job.work.repository[-200:]
        if job.kind == "run":
            options = parts.options(parts.RUN, parts.RUNS, run_name(job.id, job.round), partition=None)
            self.client.enqueue(options, job.id, job.round, partition, job.home)  # type: ignore[arg-type]
        else:
            options = parts.options(parts.LEG, parts.WORK, leg_name(job.id, job.round, 0), partition=partition)
            self.client.enqueue(options, job.id, job.round, 0)  # type: ignore[arg-type]
        self.jobs_kept.enqueued(job)
        return job

    def jobs(self, limit: int = 100) -> list[Job]:
        return self.jobs_kept.newest(limit)

    def find(self, beginning: str) -> Job:
        return self.jobs_kept.find(beginning)

    def cancel(self, job: Job) -> Job:
        cancelled, number = self.jobs_kept.cancel(job)
        if job.kind == "run":
            self.wake(cancelled, number)
        return cancelled

    def retry(self, job: Job) -> Job:
        return self.enqueue(self.jobs_kept.retry(job))

    def answer(self, job: Job, word: Word) -> Job:
        self.wake(job, self.jobs_kept.answer(job, word))
        return self.jobs_kept.get(job.id)

    def wake(self, job: Job, number: int) -> None:
        """Have a waiting run look what was said; once more does no harm."""
        name = run_name(job.id, job.round)
        self.client.send(name, "look", topic(number), idempotency_key=f"{name}.{number}")

    def forget(self, older_than_s: float) -> int:
        """Have the engine forget what ended so long ago; our own records stay. How much that was."""
        before = datetime.fromtimestamp(time.time() - older_than_s, UTC).isoformat()
        old = self.client.list_workflows(
            status=["SUCCESS", "ERROR", "CANCELLED"],
            completed_before=before,
            limit=500,
            load_input=False,
            load_output=False,
        )
        if old:
            self.client.delete_workflows([each.workflow_id for each in old])
        return len(old)

    def workers(self) -> list[Seen]:
        return seen(self.database, self.jobs_kept.dead_after_s)

    def wait(self, job: Job, changed: Callable[[Job], None], timeout_s: float | None = None) -> Job:
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while not (job.is_over or job.state == "waiting"):
            if until is not None and time.monotonic() > until:
                break
            time.sleep(LOOK_S)
            now = self.jobs_kept.get(job.id)
            if now.state != job.state:
                changed(now)
            job = now
        return job

    def close(self) -> None:
        self.client.destroy()
        self.database.close()
