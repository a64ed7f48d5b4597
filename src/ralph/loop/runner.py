"""Performs what the machine decides, until it says stop (DESIGN section 2, decisions 29 to 34).

Rules:

- Every input is on the disk before anything follows from it. What was cut off by a crash is performed again, and
  performing twice is the same as once (`journal`, `keeping`, `acting`).
- Between two effects what people say from outside is taken in, each word once. A turn under way is ended for `stop` and
  for Ctrl-C; `pause` waits for its end.
- `.ralph/state.json` is written from the state before the effects are performed that follow from it.
- One run at a time in a project. What it leaves is kept as `refs/ralph/runs/<run>`, and never committed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import FrameType
from typing import Any, Literal, get_args

from ralph.checkpoints import rollback
from ralph.errors import RalphError
from ralph.loop import checking, effects, inputs, standing
from ralph.loop.acting import act, finished
from ralph.loop.control import Alive, Control, Order
from ralph.loop.effects import Asking, Effect
from ralph.loop.inputs import Controlled, Input, Resumed
from ralph.loop.journal import Journal
from ralph.loop.keeping import keep
from ralph.loop.measuring import measure
from ralph.loop.projection import project
from ralph.loop.saved import fresh
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.record import field, record

LOOK_S = 0.25
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
RUNS = "refs/ralph/runs/"
_QUIET = get_args(effects.Quiet)


@record(frozen=False, kw_only=True)
class Runner:
    """A run at work. `alive` says who holds the project (`control.hold`), `first` is what a person said as it began."""

    site: Site
    journal: Journal
    alive: Alive
    first: tuple[Controlled | Resumed, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event)
    _at: Literal["a turn", "a look", "its books"] = "its books"

    def run(self, until: Callable[[State], bool] = lambda state: False) -> State:
        """Perform everything up to the end, or until the state is one that the caller wants to leave it in: it is gone
        on with as after a crash. Raises RalphError where nothing can go on; the run can be resumed then."""
        rollback.recover(self.site.repo)
        with self._interruptible():
            self.catch_up()
            self.site.view.moved(None, self.journal.state)
            while not isinstance(self._perform_all(), effects.Stop):
                if until(self.journal.state):
                    break
        return self.journal.state

    def _perform_all(self) -> Effect | None:
        """Perform the effects of the last input, and take in the answer. The stop, if that is all that is left."""
        asking = self.journal.effects[-1]
        self._keep()
        if isinstance(asking, effects.RunAgent) and (ended := finished(self.site.folder, asking)):
            self.take_in(ended)  # before what people said since: that is for the next prompt
            return None
        if self._took_in_orders():
            return None
        if isinstance(asking, effects.Stop):
            self._leave()
            return asking
        assert isinstance(asking, Asking), asking
        try:
            given = self._answer(asking)
        except KeyboardInterrupt:
            given = None
            self.stop.set()
        finally:
            self._at = "its books"
        if given is not None:
            self.take_in(given)
        return None

    def catch_up(self) -> None:
        """Do what a kill left undone: the file of the state, and the quiet effects of the last input."""
        if not self.journal.is_kept:  # else a person may have decided otherwise since
            self._project()
            self._keep()

    def _keep(self) -> None:
        """Perform the quiet effects of the last input, once."""
        if self.journal.is_kept:
            return
        for effect in self.journal.effects[:-1]:
            assert isinstance(effect, _QUIET), effect
            keep(self.site, self.journal.state, effect)
        self.journal.mark_kept()

    def _leave(self) -> None:
        """Keep the tree that the run leaves under a ref of its own; the work stays uncommitted where it is."""
        site, state = self.site, self.journal.state
        parents = [state.base] if state.base else []
        site.repo.keep(f"{RUNS}{state.run}", site.tree(), f"{state.end}: {state.prompt}"[:200], parents, site.now())

    def take_in(self, given: Input) -> None:
        """Log what happened. What follows from it is performed later."""
        self.journal.add(given, self.site.now())
        self._project()
        self.site.view.moved(given, self.journal.state)

    def _project(self) -> None:
        saved, now = self.site.saved, self.site.now()
        before = saved.load_or_none() or fresh(self.site.root, now=now)
        saved.save(project(self.journal.state, before, now))
        standing.keep(self.journal)

    def _took_in_orders(self) -> bool:
        """Log one thing that people said since; True if the effects are others now. One at a time, and not before what
        was left undone is done: a word replaces the effects."""
        if self.stop.is_set():
            self.stop.clear()
            self.take_in(Controlled(do="stop"))
            return True
        if self.first:
            given, *rest = self.first
            self.first = tuple(rest)
            self.take_in(given)
            return True
        for order in self._orders()[:1]:  # by their numbers: after a kill those that are left come again
            self.take_in(Controlled(do=order.do, number=order.number, text=order.text, priority=order.priority))
            return True
        return False

    def _orders(self) -> tuple[Order, ...]:
        return Control(self.site.root).since(self.journal.state.control, self.alive)

    def _answer(self, asking: Asking) -> Input | None:
        state = self.journal.state
        self._at = "a turn" if isinstance(asking, effects.RunAgent) else "a look"
        match asking:
            case effects.RunAgent():
                with self._watching():
                    return act(self.site, state, asking, self.stop)
            case effects.Wait():
                return self._waited(asking)
            case effects.Pause():
                time.sleep(LOOK_S)
                return None
        return _LOOKS[type(asking)](self.site, state, asking)

    def _waited(self, asking: effects.Wait) -> Input | None:
        """Wait, unless somebody says something."""
        left = (datetime.fromisoformat(asking.until) - self.site.now()).total_seconds()
        until = time.monotonic() + min(left, asking.seconds)
        while (left := until - time.monotonic()) > 0:
            if self.stop.wait(min(left, LOOK_S)) or self._orders():
                return None
        return inputs.Waited()

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """Look for an order to stop while a turn is under way."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(LOOK_S):
                try:
                    ordered = any(order.do == "stop" for order in self._orders())
                except RalphError:
                    return  # the runner meets it itself when the turn is over
                if ordered:
                    self.stop.set()
                    return

        watcher = threading.Thread(target=look, name="orders", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C ends a turn in good order; said twice, or while something is measured, it interrupts that. What is
        being written is written first."""

        def interrupted(number: int, frame: FrameType | None) -> None:
            again = self.stop.is_set()
            self.stop.set()
            if self._at == "a look" or (self._at == "a turn" and again):
                self._at = "its books"  # said once more, it would interrupt the cleaning up
                raise KeyboardInterrupt

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        heard = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
        before = {number: signal.signal(number, interrupted) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


_LOOKS: Mapping[type[Any], Callable[[Site, State, Any], Input]] = {
    effects.Survey: checking.survey,
    effects.Checkpoint: checking.checkpoint,
    effects.MeasureBase: checking.measure_base,
    effects.Rollback: checking.roll_back,
    effects.CheckPhase: checking.check_phase,
    effects.Validate: checking.validate,
    effects.AskHuman: checking.ask,
    effects.Measure: measure,
}
