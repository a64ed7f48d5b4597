"""A worker's hands: takes jobs up, runs each in a process of its own, and says how it ended.

Rules:

- A job's process stands below a warden (`system.process`): it ends when the job is cancelled, when the job was given to
  another worker, and when this worker dies, however it dies; with everything that it started.
- At most `concurrency` processes run at once, and of one repository at most `per_repository` in the whole fleet.
- A result counts only while the attempt is this worker's own. A process that left no result is an error of the job's
  when it ended by itself, and nothing at all when the worker ended it because it ends itself.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ralph.errors import RalphError
from ralph.fleet.home import Home
from ralph.fleet.job import command, request_of, result_of
from ralph.fleet.jobs import Jobs, Taken
from ralph.fleet.model import Job, State
from ralph.system import process
from ralph.system.wardens import Leash

LONGEST_JOB_S = 24 * 3600.0
LOOK_S = 0.3
_STATES: Mapping[str, State] = {"on": "queued", "wait": "waiting", "over": "done"}


class Ending(BaseException):
    """This worker ends: nothing more is said about any job."""


@dataclass(slots=True, kw_only=True)
class Hands:
    """`leashes` are those of the jobs at work, by the job and its attempt."""

    jobs: Jobs
    home: Home
    name: str
    concurrency: int
    per_repository: int
    ending: threading.Event = field(default_factory=threading.Event)
    leashes: dict[tuple[str, int], Leash] = field(default_factory=dict)
    _places: threading.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = threading.Semaphore(self.concurrency)

    def work(self, job_id: str, round_number: int, number: int) -> dict[str, Any]:
        """Do a piece of work, once it may be done; what follows from it. Raises Ending."""
        with self._places:
            while (taken := self._taken(job_id, round_number, number)).how in ("busy", "full"):
                self._unless_ending(LOOK_S)
            if taken.how == "over":  # also where this is left of an earlier round
                return {"then": "over", "state": taken.job.state}
            if taken.how == "done":
                return _stands(taken.job)
            try:
                told = self._performed(taken, number)
            except RalphError as error:
                told = {"error": str(error)}
            except Exception as error:  # noqa: BLE001 - a defect of ours ends the job, not the worker
                told = {"error": f"Ralph failed ({type(error).__name__}: {error})."}
            return self._settled(taken, number, told)

    def _taken(self, job_id: str, round_number: int, number: int) -> Taken:
        self._unless_ending(0)
        place = {"round_number": round_number, "number": number}
        return self.jobs.take(job_id, self.name, **place, allowed=self.per_repository)

    def _unless_ending(self, wait_s: float) -> None:
        if self.ending.wait(wait_s):
            raise Ending

    def _performed(self, taken: Taken, number: int) -> dict[str, Any]:
        """Run the job's process to its end. Raises StorageError."""
        folder = self.home.desk(self.name) / f"{taken.job.id[:40]}-{taken.attempt}"
        leash = Leash()
        self.leashes[taken.job.id, taken.attempt] = leash
        try:
            word = self.jobs.decided(taken.job, number) if number else None  # a run waits after its first piece
            request = request_of(self.home, taken.job, word, anew=bool(taken.job.round) and not number)
            ended = process.run(command(folder, request, leash, LONGEST_JOB_S))
            self._unless_ending(0)
            return result_of(folder, ended)
        finally:
            del self.leashes[taken.job.id, taken.attempt]
            shutil.rmtree(folder, ignore_errors=True)

    def _settled(self, taken: Taken, number: int, told: Mapping[str, Any]) -> dict[str, Any]:
        if error := told.get("error"):
            return _stands(self.jobs.settle(taken, self.name, "error", number=number, why=error))
        then = told.get("then", "over")
        kept = {name: told[name] for name in ("outcome", "why", "result", "waits") if name in told}
        # The number of the next piece: what is told to the run now is for that, and this piece is not done again.
        following = number + (then != "over")
        job = self.jobs.settle(taken, self.name, _STATES[then], number=following, home=self.home.id, **kept)
        return _stands(job)

    def let_go(self) -> None:
        """End what this worker may not go on with: jobs that were cancelled, or that others have now."""
        at_work = list(self.leashes.items())  # before the question: what is taken after it is not in the answer
        mine = self.jobs.held(self.name) if at_work else {}
        for (job_id, attempt), leash in at_work:
            if mine.get(job_id) != attempt and not leash.pulled:
                leash.pull()

    def drop_everything(self) -> None:
        """End all processes, and say nothing about them."""
        self.ending.set()
        for leash in list(self.leashes.values()):
            leash.pull()


def _stands(job: Job) -> dict[str, Any]:
    """What follows from how a job stands in our records, after a piece of it."""
    then = "over" if job.is_over else "wait" if job.state == "waiting" else "on"
    return {"then": then, "state": job.state, "home": job.home, "timeout_s": (job.waits or {}).get("timeout_s")}
