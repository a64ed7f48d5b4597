"""The calls of tools that are under way, so that whoever ends a turn can wait for them and let no other begin."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Calls:
    """Counts calls of any number of threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[bool]:
        """Around a call. Gives False if none may begin any more."""
        with self._changed:
            taken = not self._closed
            self._running += taken
        try:
            yield taken
        finally:
            with self._changed:
                self._running -= taken
                self._changed.notify_all()

    def close(self, timeout_s: float) -> bool:
        """Let no call begin any more, and wait for those that run. False if one still does when the time is up."""
        with self._changed:
            self._closed = True
            return self._changed.wait_for(lambda: not self._running, timeout_s)
