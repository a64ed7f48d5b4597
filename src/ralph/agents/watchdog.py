"""Watches over a turn: is it told to stop, is its time up, does the client still live?

Rules (design decisions 29 and 30; research: agent clients, 1.1):

- A sign of life is output, a call of a tool, or a file of the project that changed. Only without any of the three, for
  `stall_s`, a turn has stalled: models think for minutes, and tools work for minutes without a word.
- Files are looked at only when everything else has been silent for that long. What counts is when the kernel saw the
  change (ctime), which nobody can set. Folders of dependencies, caches and Ralph's own are not looked into. A tree too
  large to look through in `LOOK_S` gives no sign.
- While Ralph itself is asked (a person has to approve, a tool of Ralph's is at work), the client has every reason to
  be silent: `paused`.
- The limit of time counts everything, waiting included.

An adapter reads its client through `watch`, whose items may be anything; None is a tick of silence.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from ralph.agents.base import End, Turn
from ralph.record import record

T = TypeVar("T")
Reason = Literal["interrupted", "timeout", "stalled"]

LOOK_S = 2.0
SKIPPED = frozenset(
    (
        *(".git", ".ralph", "node_modules", ".venv", "venv", "site-packages", "__pycache__", ".tox", ".nox"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".idea", ".vscode", ".next", ".turbo"),
    )
)


@record
class Overdue:
    """Why the turn has to end now."""

    reason: Reason
    detail: str

    def end(self) -> End:
        return End(self.reason, self.detail)


class Watchdog:
    """Over one turn, from now on. `pulse` is something that changes when the client lives: bytes that were received.

    `overdue` says why `watch` ended before its source did. One thread watches; any may call `alive` and `paused`.
    """

    def __init__(
        self, turn: Turn, *, pulse: Callable[[], object] = lambda: None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._turn = turn
        self._pulse = pulse
        self._now = now
        self._began = now()
        self._last_pulse = pulse()
        self._lock = threading.Lock()
        self._paused = 0
        self.overdue: Overdue | None = None
        self.alive()

    def alive(self) -> None:
        """A sign of life was seen."""
        self._last_sign, self._last_sign_at = self._now(), time.time()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While it is Ralph, or a person, that the client waits for."""
        with self._lock:
            self._paused += 1
        try:
            yield
        finally:
            self.alive()
            with self._lock:
                self._paused -= 1

    def watch(self, items: Iterable[T | None]) -> Iterator[T]:
        """The items that are not None, as long as nothing is overdue. The source is left where it is, not closed."""
        for item in items:
            if item is not None:
                self.alive()
                yield item
            if self.check():
                return

    def check(self) -> Overdue | None:
        """What is overdue, if anything is."""
        self.overdue = self.overdue or self._stopped() or self._late() or self._stalled()
        return self.overdue

    def _stopped(self) -> Overdue | None:
        return Overdue("interrupted", "the turn was told to stop") if self._turn.stop.is_set() else None

    def _late(self) -> Overdue | None:
        limit = self._turn.limits.runtime_s
        if limit is None or self._now() - self._began < limit:
            return None
        return Overdue("timeout", f"the turn took longer than {limit:g} s")

    def _stalled(self) -> Overdue | None:
        limit = self._turn.limits.stall_s
        if limit is None:
            return None
        if (pulse := self._pulse()) != self._last_pulse:
            self._last_pulse = pulse
            self.alive()
        silence = self._now() - self._last_sign
        if self._paused or silence < limit:
            return None
        since = last_change(self._turn.workdir, after=self._last_sign_at)
        if since is not None:
            self._last_sign, self._last_sign_at = self._now() - max(0.0, time.time() - since), since
            silence = self._now() - self._last_sign
        if silence < limit:
            return None
        return Overdue("stalled", f"no output, no call of a tool and no changed file for {limit:g} s")


def last_change(root: Path, *, after: float, within_s: float = LOOK_S) -> float | None:
    """When a file below `root` changed last, in seconds since the epoch; None if none did after `after`.

    Changes that the clock says are still to come are none: it was set back.
    """
    latest, until = after, time.monotonic() + within_s
    todo = [str(root)]
    now = time.time()
    while todo and time.monotonic() < until:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            continue  # gone meanwhile, or closed to this user
        for entry in entries:
            if entry.name in SKIPPED:
                continue
            try:
                changed = entry.stat(follow_symlinks=False).st_ctime
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
            except OSError:
                continue
            if latest < changed <= now:
                latest = changed
    return latest if latest > after else None
