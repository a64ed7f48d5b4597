"""A run as a job: `ralph run` in a working copy of its own, one iteration at a time.

Rules:

- The run's log (`loop.journal`) is what is durable; the queue only says when to go on. Each call goes on until one more
  iteration is over, or the run ends. A kill costs at most the turn that was under way, as with `ralph resume`.
- What waits for a person, or for a breaker's cooldown, is told to the queue and ends the process: it holds no worker.
- A word of a person is taken in once: an answer to an approval request is refused by one that is answered.
- A process that still holds the run although its worker was given up is ended first: two never write one log.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ralph.agents.base import Record
from ralph.approvals.answering import Desk
from ralph.approvals.model import Decision, Status
from ralph.errors import ApprovalError
from ralph.fleet.checkout import placed
from ralph.fleet.home import Home
from ralph.fleet.mirrors import fetched
from ralph.fleet.model import Run
from ralph.loop import breaker as breakers
from ralph.loop import former, starting
from ralph.loop.control import alive, hold
from ralph.loop.effects import Measure
from ralph.loop.inputs import Input
from ralph.loop.runner import Runner
from ralph.loop.standing import standing
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.notify.watch import watched
from ralph.system import clock
from ralph.system.git import open_exactly
from ralph.telemetry.otel import observed
from ralph.verdict import StepResult

LONGEST_WAIT_S = 7 * 24 * 3600.0
_DECISIONS = {"approve": Decision.APPROVED, "reject": Decision.REJECTED, "suggest": Decision.SUGGESTED}
_ENDING_S = 10.0


class Unwatched:
    """Nobody watches a job; what happened stands in the run's log."""

    def moved(self, given: Input | None, state: State) -> None: ...
    def record(self, record: Record) -> None: ...
    def measured(self, step: str, result: StepResult | None) -> None: ...


def go_on(
    home: Home, work: Run, word: Mapping[str, str] | None, environ: Mapping[str, str], *, anew: bool = False
) -> dict[str, Any]:
    """Begin the run, or go on with it. Raises RalphError."""
    root = home.run(work.id) / "tree"
    if not (root / ".ralph" / "runs").is_dir():
        with fetched(home, work.repository, [work.commit]):
            placed(home, work.repository, work.commit, root)
    _end_who_holds(root)
    if word is not None:
        _heard(root, word)
    state = _one_more(root, work, environ, anew=anew, reset=word is not None and word["do"] == "go on")
    return _told(root, state)


def _one_more(root: Path, work: Run, environ: Mapping[str, str], *, anew: bool, reset: bool) -> State:
    """Until one more iteration is over and measured, or the run ends."""
    found = former.newest(root)
    if found is None:
        wanted = starting.Wanted(
            prompt=work.prompt,
            agent=work.agent,
            preset=work.preset,
            contract=work.contract,
            phase=Phase(work.phase) if work.phase else None,
            iterations=work.iterations,
            cost_usd=work.cost_usd,
        )
        name = starting.name(root, wanted)
        with hold(root, name) as held:
            prepared = starting.prepare(root, wanted, name, Unwatched(), environ)
            runner = Runner(site=prepared.site, journal=starting.begin(prepared, held), alive=held)
            return _watched(runner, environ, 0)
    goes_on = found.state.end in (None, "waits") or _is_breaker(found.state) or (anew and found.state.end != "passed")
    if found.is_kept and not goes_on:
        return found.state  # it ended, and the worker died before it could say so
    with hold(root, found.state.run) as held:
        site, journal, first = starting.go_on(root, Unwatched(), environ, starting.Wanted(), reset_breaker=reset)
        runner = Runner(site=site, journal=journal, alive=held, first=first)
        return _watched(runner, environ, found.state.iteration)


def _watched(runner: Runner, environ: Mapping[str, str], done: int) -> State:
    """Until the iteration after `done` is over; people and collectors hear of it."""
    with watched(runner, environ), observed(runner, environ, _warn):
        return runner.run(until=_after(done))


def _warn(sentence: str) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - the log of the job


class _after:
    """Whether the iteration after this one is over."""

    def __init__(self, iteration: int) -> None:
        self.iteration = iteration

    def __call__(self, state: State) -> bool:
        return state.iteration > self.iteration and not isinstance(state.awaiting, Measure)


def _told(root: Path, state: State) -> dict[str, Any]:
    """How things stand, for the queue. `then`: on, wait or over."""
    told = {
        "outcome": state.end,
        "why": state.why,
        "result": {"run": state.run, "folder": str(root), "standing": standing(state)},
    }
    if state.end is None:
        return {**told, "then": "on"}
    if state.end == "waits" and (asked := _asked(root, state)):
        return {**told, "then": "wait", "waits": {"for": "approval", "timeout_s": LONGEST_WAIT_S, **asked}}
    if _is_breaker(state):
        left = breakers.cooldown_left_s(state.breaker, state.settings.breaker, clock.now())
        waits = {"for": "breaker", "timeout_s": left or LONGEST_WAIT_S}
        return {**told, "then": "wait", "waits": waits}
    return {**told, "then": "over"}


def _is_breaker(state: State) -> bool:
    return state.end == "limit" and state.breaker.state == "open"


def _asked(root: Path, state: State) -> dict[str, Any] | None:
    """The request that the run waits for."""
    for entry in reversed(Desk(root, {}).entries()):
        if entry.status is Status.OPEN and entry.request and entry.request.session == state.run:
            request = entry.request
            return {"request": request.id, "action": asdict(request.action), "detail": request.detail}
    return None


def _heard(root: Path, word: Mapping[str, str]) -> None:
    """Write down what a person decided, under the person's name. Said before, it counts already."""
    if (decision := _DECISIONS.get(word["do"])) is None:
        return
    desk = Desk(root, {})
    found = desk.find(word["request"])
    if found.request is None:
        raise ApprovalError(found.problem or f"The approval request {found.id} cannot be read.")
    if found.status is Status.OPEN:
        desk.answer(found.request, decision, reason=word["reason"], text=word["text"], who=word["by"])


def _end_who_holds(root: Path) -> None:
    """End the process that has the run although another worker was given it. It holds the lock, so it is that one."""
    if not open_exactly(root).root.is_dir() or (holder := alive(root)) is None or not holder.pid:
        return
    with suppress(ProcessLookupError):
        os.kill(holder.pid, signal.SIGKILL)
    deadline = time.monotonic() + _ENDING_S
    while alive(root) is not None and time.monotonic() < deadline:
        time.sleep(0.05)
