"""Work that waits for other programs, done side by side.

`concurrent.futures` does this as well, but importing it takes as long as reading a small change: it brings logging
along, and every scan would pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Job(Generic[T]):
    """One piece of work in a thread of its own."""

    def __init__(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> None:
        self._work, self._arguments = work, arguments
        self._given: T
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def wait(self) -> None:
        self._thread.join()

    def result(self) -> T:
        """What the work gave, once it is done. Raises what the work raised."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._given

    def _run(self) -> None:
        try:
            self._given = self._work(*self._arguments)
        except BaseException as error:  # noqa: BLE001 (whatever it is, who asks for the result gets it)
            self._error = error


class Together:
    def __init__(self) -> None:
        self.jobs: list[Job[Any]] = []

    def start(self, work: Callable[..., T], *arguments: Any) -> Job[T]:
        job = Job(work, arguments)
        self.jobs.append(job)
        return job


@contextmanager
def together() -> Iterator[Together]:
    """At its end all work is done, however it ends."""
    all_of_it = Together()
    try:
        yield all_of_it
    finally:
        for job in all_of_it.jobs:
            job.wait()
