"""A queue's records and workers, of which nobody does anything."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ralph.fleet import home as homes
from ralph.fleet.beats import Beats
from ralph.fleet.jobs import Jobs, Taken
from ralph.fleet.model import Job, Run, Verification
from ralph.fleet.tables import Database


def verification(number: int = 1, repository: str = "/r", **more: Any) -> Verification:
    return Verification(repository=repository, commit=f"{number:040x}", policy="v1", policy_digest="d", **more)


def a_run() -> Run:
    return Run(id="r" * 32, repository="/r", commit="c" * 40, prompt="do it")


class Office:
    """At `place`: the database of the queue, and the home of its workers."""

    def __init__(self, place: Path) -> None:
        self.database = Database(f"sqlite:///{place}/queue.db", patience_s=5)
        self.database.make()
        self.jobs = Jobs(self.database, dead_after_s=30)
        self.home = homes.opened(place / "home")
        self.marks = {name: self.home.enter(name) for name in ("ann", "bob")}
        self.beats = {
            name: Beats(self.database, self.home, name, beat_s=0.1, dead_after_s=30) for name in ("ann", "bob")
        }
        for each in self.beats.values():
            each.enter(4)

    def take(self, job: Job, worker: str, number: int = 0, allowed: int = 2) -> Taken:
        return self.jobs.take(job.id, worker, round_number=job.round, number=number, allowed=allowed)

    def dies(self, worker: str) -> None:
        """Its lock is free, and the others see to it."""
        os.close(self.marks[worker].descriptor)
        other = next(each for name, each in self.beats.items() if name != worker)
        other.give_up_the_dead()
