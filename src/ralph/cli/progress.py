"""Progress on standard error: a live line on a terminal, plain lines elsewhere, nothing with --json."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ralph.verdict import StepResult

MARKS = {"pass": "✓", "fail": "✗", "error": "!", "skipped": "-", "not_applicable": "-"}


class Progress:
    """Called by the engine when a step starts and when it ends. Safe to call from several threads."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live = not quiet and sys.stderr.isatty()
        self._running: dict[str, float] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Progress:
        if self._live:
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._live:
            self._ticker.join()
            self._clear()

    def __call__(self, step: str, result: StepResult | None) -> None:
        with self._lock:
            if result is None:
                self._running[step] = time.monotonic()
                return
            self._running.pop(step, None)
        if result.duration_ms >= 1000 or not result.good:
            self.note(f"{MARKS[result.status]} {step} {result.status} ({result.duration_ms / 1000:.1f} s)")

    def note(self, line: str) -> None:
        """One line that stays."""
        if self._quiet:
            return
        with self._lock:
            if self._live:
                self._clear()
            click.echo(f"  {line}", err=True)

    def _tick(self) -> None:
        while not self._stop.wait(0.2):
            with self._lock:
                now = time.monotonic()
                parts = [f"{step} {now - since:.0f} s" for step, since in self._running.items()]
                self._clear()
                sys.stderr.write(f"  running: {', '.join(parts)}" if parts else "")
                sys.stderr.flush()

    def _clear(self) -> None:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()
