"""What a fleet can do. Two things do it: `inline`, here and now for one person, and `queue`, which stands on DBOS.

Nothing else in Ralph knows DBOS; whoever submits, shows or answers uses this protocol alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ralph.fleet.model import Job, Seen, Word, Work


class Fleet(Protocol):
    """Every method raises RalphError in one sentence; none waits but `wait`."""

    def submit(self, work: Work) -> Job:
        """The job that does this work; the same one if it is asked for already, or was found to pass."""
        ...

    def jobs(self, limit: int = 100) -> list[Job]:
        """The newest jobs, newest first."""
        ...

    def find(self, beginning: str) -> Job:
        """The job whose id is, or alone begins with, `beginning`."""
        ...

    def cancel(self, job: Job) -> Job:
        """End it; what it runs is killed within a second or so."""
        ...

    def retry(self, job: Job) -> Job:
        """Begin a job anew that is over."""
        ...

    def answer(self, job: Job, word: Word) -> Job:
        """Tell a waiting run to go on. It hears the first word that is said to it, once."""
        ...

    def workers(self) -> list[Seen]: ...

    def wait(self, job: Job, changed: Callable[[Job], None], timeout_s: float | None = None) -> Job:
        """The job when it is over or waits for a person. `changed` hears of every other state in between."""
        ...

    def close(self) -> None: ...
