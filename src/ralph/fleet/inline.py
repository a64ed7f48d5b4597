"""The fleet without a queue: a job is done here and now, in this process's time, and remembered nowhere.

For one person it is the default: the same checkout, the same processes and the same evidence, and nothing to set up.
Whatever speaks of other jobs says that there is no queue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ralph.errors import UsageError
from ralph.fleet.home import Home
from ralph.fleet.job import command, request_of, result_of
from ralph.fleet.model import Job, Seen, Word, Work, kind_of
from ralph.record import replace
from ralph.system import process
from ralph.system.scratch import scratch

LONGEST_JOB_S = 24 * 3600.0


class InlineFleet:
    def __init__(self, home: Home) -> None:
        self.home = home

    def submit(self, work: Work) -> Job:
        return Job(id=work.id, kind=kind_of(work), work=work, state="queued", submitted_at=time.time())

    def wait(self, job: Job, changed: Callable[[Job], None], timeout_s: float | None = None) -> Job:
        """Do the job. Raises RalphError."""
        job = replace(job, state="running", attempt=1, home=self.home.id, started_at=time.time())
        changed(job)
        told: Mapping[str, Any] = {"then": "on"}
        while told.get("then") == "on":
            told = _performed(self.home, job, timeout_s or LONGEST_JOB_S)
            job = replace(job, outcome=told.get("outcome"), why=told.get("why") or "", result=told.get("result") or {})
        if error := told.get("error"):
            return replace(job, state="error", why=error, ended_at=time.time())
        if told.get("then") == "wait":
            return replace(job, state="waiting", waits=told["waits"])
        return replace(job, state="done", ended_at=time.time())

    def jobs(self, limit: int = 100) -> list[Job]:
        _no_queue()

    def find(self, beginning: str) -> Job:
        _no_queue()

    def cancel(self, job: Job) -> Job:
        _no_queue()

    def retry(self, job: Job) -> Job:
        _no_queue()

    def answer(self, job: Job, word: Word) -> Job:
        _no_queue()

    def workers(self) -> list[Seen]:
        _no_queue()

    def close(self) -> None:
        """Nothing is open."""


def _performed(home: Home, job: Job, timeout_s: float) -> dict[str, Any]:
    with scratch("job") as folder:
        return result_of(folder, process.run(command(folder, request_of(home, job), None, timeout_s)))


def _no_queue() -> NoReturn:
    raise UsageError("There is no queue here yet: start `ralph worker`, or name one with --queue.")
