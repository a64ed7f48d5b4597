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
from dataclasses import dataclass, field
from datetime import datetime
from types import FrameType
from typing import Any, get_args

from ralph.checkpoints import rollback
from ralph.errors import RalphError
from ralph.loop import checking, effects, inputs, standing
from ralph.loop.acting import act
from ralph.loop.control import Alive, Control, Order
from ralph.loop.effects import Asking, Effect
from ralph.loop.inputs import Controlled, Input
from ralph.loop.journal import Journal
from ralph.loop.keeping import keep
from ralph.loop.measuring import measure
from ralph.loop.projection import project
from ralph.loop.saved import fresh
from ralph.loop.site import Site
from ralph.loop.state import State

LOOK_S = 0.25
RUNS = "refs/ralph/runs/"
_QUIET = get_args(effects.Quiet)


@dataclass(slots=True, kw_only=True)
class Runner:
    """A run at work. `alive` says who holds the project (`control.hold`), `first` is what a person said as it began."""

    site: Site
    journal: Journal
    alive: Alive
    first: tuple[Controlled, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event)
    _acting: bool = False
    _kept: bool = False
    """The quiet effects of the last input are performed."""

    def run(self) -> State:
        """Perform everything up to the end. Raises RalphError where nothing can go on; the run can be resumed then."""
        rollback.recover(self.site.repo)
        with self._interruptible():
            self._project()
            self.site.view.moved(None, self.journal.state)
            while not isinstance(self._perform_all(), effects.Stop):
                pass
        return self.journal.state

    def _perform_all(self) -> Effect | None:
        """Perform the effects of the last input, and take in the answer. The stop, if that is all that is left."""
        quiet, asking = self.journal.effects[:-1], self.journal.effects[-1]
        for effect in quiet if not self._kept else ():
            assert isinstance(effect, _QUIET), effect
            keep(self.site, self.journal.state, effect)
        self._kept = True
        if self._took_in_orders():
            return None
        if isinstance(asking, effects.Stop):
            self._leave()
            return asking
        assert isinstance(asking, Asking), asking
        try:
            given = self._answer(asking)
        except KeyboardInterrupt:
            given = Controlled(do="stop")
        if given is not None:
            self._add(given)
        return None

    def _leave(self) -> None:
        """Keep the tree that the run leaves under a ref of its own; the work stays uncommitted where it is."""
        site, state = self.site, self.journal.state
        parents = [state.base] if state.base else []
        site.repo.keep(f"{RUNS}{state.run}", site.tree(), f"{state.end}: {state.prompt}"[:200], parents, site.now())

    def _add(self, given: Input) -> None:
        self.journal.add(given, self.site.now())
        self._kept = False
        self._project()
        self.site.view.moved(given, self.journal.state)

    def _project(self) -> None:
        saved, now = self.site.saved, self.site.now()
        before = saved.load_or_none() or fresh(self.site.root, now=now)
        saved.save(project(self.journal.state, before, now))
        standing.keep(self.journal)

    def _took_in_orders(self) -> bool:
        """Log what people said since; True if the effects are others now."""
        if self.stop.is_set():
            self.stop.clear()
            self._add(Controlled(do="stop"))
            return True
        if self.first:  # not before what was left undone is done: a word replaces the effects
            given, *rest = self.first
            self.first = tuple(rest)
            self._add(given)
            return True
        orders = self._orders()
        for order in orders:  # by their numbers: after a kill those that are left come again
            self._add(Controlled(do=order.do, number=order.number, text=order.text, priority=order.priority))
        return bool(orders)

    def _orders(self) -> tuple[Order, ...]:
        return Control(self.site.root).since(self.journal.state.control, self.alive)

    def _answer(self, asking: Asking) -> Input | None:
        state = self.journal.state
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
        self._acting = True
        watcher.start()
        try:
            yield
        finally:
            self._acting = False
            over.set()
            watcher.join()

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C ends a turn in good order; said twice, or outside of a turn, it interrupts what is being done."""

        def interrupted(number: int, frame: FrameType | None) -> None:
            if self._acting and not self.stop.is_set():
                self.stop.set()
            else:
                raise KeyboardInterrupt

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


_LOOKS: Mapping[type[Any], Callable[[Site, State, Any], Input]] = {
    effects.Survey: checking.survey,
    effects.Checkpoint: checking.checkpoint,
    effects.Rollback: checking.roll_back,
    effects.CheckPhase: checking.check_phase,
    effects.Validate: checking.validate,
    effects.AskHuman: checking.ask,
    effects.Measure: measure,
}
