"""A piece of work that runs in a thread from now on, or in this one when its result is asked for; and what it cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")


class Timed(Generic[T]):
    """`duration_ms` is right as soon as there is a result. Nothing of the work is held on to once it is done."""

    def __init__(self, work: Callable[[], T], pool: ThreadPoolExecutor | None) -> None:
        self.duration_ms = 0
        self.future: Future[T] = pool.submit(self._measured, work) if pool else Future()
        self._waiting: Callable[[], T] | None = None if pool else work

    def result(self) -> T:
        if self._waiting is not None:
            work, self._waiting = self._waiting, None
            self.future.set_result(self._measured(work))
        return self.future.result()

    def _measured(self, work: Callable[[], T]) -> T:
        began = time.monotonic()
        try:
            return work()
        finally:
            self.duration_ms = since(began)


def since(began: float) -> int:
    """Milliseconds since a moment of the monotonic clock."""
    return round((time.monotonic() - began) * 1000)
