"""Watches a run and tells people of it, beside the run: in a thread of its own.

Rules: nothing here delays a run or fails it. The run's own thread only says that something happened; the notifier reads
the log, writes the outbox and sends. When the run is over it gets a few seconds for what is left; what nobody took by
then is sent by the next run, or by `ralph notify flush`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime

from ralph import config as configs
from ralph.agents.base import Record
from ralph.errors import RalphError
from ralph.loop.inputs import Input
from ralph.loop.runner import Runner
from ralph.loop.site import View
from ralph.loop.state import State
from ralph.notify.following import Approvals, Follower, catch_up
from ralph.notify.outbox import Outbox
from ralph.notify.post import drain
from ralph.record import field, record, replace
from ralph.system import clock
from ralph.verdict import StepResult

LOOK_S = 1.0
LAST_S = 5.0


@contextmanager
def watched(
    runner: Runner, environ: Mapping[str, str], *, now: Callable[[], datetime] = clock.now, last_s: float = LAST_S
) -> Iterator[None]:
    """Tell people of the run at work, if its configuration says so. Raises ConfigError for one that cannot be read."""
    site = runner.site
    config = configs.from_repository(site.repo, runner.journal.state.base, site.accepted).config
    if not config.notify:
        yield
        return
    outbox = Outbox(site.root)
    follower = Follower(outbox, config.notify, runner.journal.folder)
    wake, over = threading.Event(), threading.Event()
    until: list[float] = []

    def look() -> None:
        _quietly(lambda: follower.look(now()))
        _quietly(lambda: Approvals(outbox, config.notify).look(now()))

    def send() -> None:
        _quietly(lambda: drain(outbox, config.notify, environ, now, stop=lambda: bool(until) and _over(until[0])))

    def work() -> None:
        _quietly(lambda: catch_up(outbox, config.notify, now))
        while not over.is_set():
            look()
            send()
            wake.wait(LOOK_S)
            wake.clear()
        look()
        send()

    thread = threading.Thread(target=work, name="notify", daemon=True)
    runner.site = replace(site, view=_Telling(site.view, wake))
    thread.start()
    try:
        yield
    finally:
        until.append(time.monotonic() + last_s)
        over.set()
        wake.set()
        with suppress(KeyboardInterrupt):  # the run is over, and its exit code stays
            thread.join(last_s)


@record
class _Telling:
    """The run's view, and a word to the notifier."""

    view: View
    wake: threading.Event = field(repr=False)

    def moved(self, given: Input | None, state: State) -> None:
        self.wake.set()
        self.view.moved(given, state)

    def record(self, record: Record) -> None:
        self.view.record(record)

    def measured(self, step: str, result: StepResult | None) -> None:
        self.view.measured(step, result)


def _over(deadline: float) -> bool:
    return time.monotonic() >= deadline


def _quietly(do: Callable[[], object]) -> None:
    """Whatever is wrong stands in the outbox, or is met again by `ralph notify list` and `flush`."""
    try:
        do()
    except (RalphError, OSError):
        return
