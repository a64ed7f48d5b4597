"""What follows from a turn: first what it used and how it ended, then what its claims came to. Pure.

Rules (design decisions 11, 20, 21, 29, 30):

- What was cut off (a few times), and what had to wait for the network or the provider, is nobody's failure: the same
  iteration is played again. Waits grow, unless the provider says how long.
- An agent's breakdown (it crashed, stalled, took too long, could not start) is a failure for the breaker and an attempt
  of the task. What the provider refuses is a failure for the breaker only. Without a login the run stops.
- Whatever the reason, what the turn claimed is measured first, and a tool that ran without a decision stops the run.
- What nobody may have read is said again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from ralph.agents.base import Usage
from ralph.loop import breaker as breakers
from ralph.loop import outcomes
from ralph.loop.effects import (
    BlockTask,
    CaptureMemory,
    CompleteTask,
    Effect,
    FailTask,
    Handoff,
    Measure,
    Publish,
    RunAgent,
    Wait,
)
from ralph.loop.inputs import Judged, TurnEnded
from ralph.loop.moves import Moved, after_measuring, new_session, next_turn, stop
from ralph.loop.outcomes import BROKEN
from ralph.loop.plan.model import RETRIES
from ralph.loop.state import State
from ralph.loop.words import Spent
from ralph.record import replace
from ralph.system.clock import rfc3339

REFUSED = frozenset({"api_error"})
"""The provider failed: a failure, and no attempt."""
POSTPONED = frozenset({"offline", "rate_limited"})
"""Nobody failed, and the turn has to wait."""
UNREAD = BROKEN | REFUSED | {"login"}
"""Nobody may have read the prompt."""
MOST_REPLAYS = 3
FIRST_WAIT_S, LONGEST_WAIT_S, DOUBLINGS = 15.0, 900.0, 6
RESERVE_S, MOST_WAIT_S = 1.0, 30 * 86_400.0

Then = Callable[[State], Moved]


def ended(state: State, given: TurnEnded, now: datetime) -> Moved:
    """A turn is over: count what it used, then measure, unless the same iteration is played again."""
    asked = state.awaiting
    assert isinstance(asked, RunAgent), asked
    if asked.kind == "handoff":
        return _summarised(_spent(state, given, iterations=0), given, now)
    if _is_played_again(state, given):
        state = replace(_spent(state, given, iterations=0), replays=state.replays + 1, played=state.played + 1)
        return next_turn(state, now) if given.reason == "interrupted" else _waiting(state, given, now)
    state = _spent(state, given, iterations=1)
    state = replace(
        state, turn=given, replays=0, played=0, iteration=state.iteration + 1, phase_turns=state.phase_turns + 1
    )
    if given.reason not in UNREAD:
        state = replace(state, hints=(), told=())
    return state, (Measure(iteration=state.iteration),)


def _is_played_again(state: State, given: TurnEnded) -> bool:
    if given.ungoverned:
        return False
    return given.reason in POSTPONED or (given.reason == "interrupted" and state.replays < MOST_REPLAYS)


def _spent(state: State, given: TurnEnded, *, iterations: int) -> State:
    """With what the turn used, whoever's fault its end was."""
    usage, session, hat, work = _used(given), state.session, given.hat or "", state.work
    clients, contexts = dict(session.clients), dict(session.contexts)
    if given.session:
        clients[hat] = given.session
    used = usage.context_tokens if usage else None
    if used is not None or iterations:  # what had to wait says nothing new
        contexts[hat] = _share(given, state.settings.context_window)
    if given.reason in BROKEN:  # a conversation that broke is not gone on with
        clients.pop(hat, None)
    if work:
        work = replace(work, tokens=work.tokens + (usage.tokens if usage else 0))

    def plus(spent: Spent) -> Spent:
        return spent.plus(usage, runtime_s=given.runtime_s, iterations=iterations)

    return replace(
        state,
        total=plus(state.total),
        here=plus(state.here),
        in_phase=plus(state.in_phase),
        last=plus(Spent()),
        work=work,
        session=replace(session, clients=clients, contexts=contexts, hat=hat, spent=plus(session.spent)),
    )


def _used(given: TurnEnded) -> Usage | None:
    """What never reached the model used nothing, if the client says no more."""
    nothing = Usage(cost_usd=0.0) if given.reason in POSTPONED | {"login"} else None
    return given.usage or nothing


def _share(given: TurnEnded, usual_window: int) -> float | None:
    """How much of the context's window the turn used; None if nobody knows."""
    if given.reason == "context_full":
        return 1.0
    if given.usage is None or given.usage.context_tokens is None:
        return None
    return given.usage.context_tokens / (given.usage.context_window or usual_window)


def _summarised(state: State, given: TurnEnded, now: datetime) -> Moved:
    """The agent's summary, or none if that turn failed: the handoff happens all the same."""
    if given.ungoverned:
        return outcomes.stopped_blocked(
            state, f"Tools ran that nobody had decided about: {', '.join(given.ungoverned)}.", now
        )
    summary = given.summary if given.reason == "completed" else ""
    state, effects = new_session(state, state.wants_handoff or "manual_handoff", now, summary)
    state, following = next_turn(state, now)
    return state, (*effects, *following)


def _waiting(state: State, given: TurnEnded, now: datetime) -> Moved:
    asked = given.reason == "rate_limited"
    if asked and not state.settings.wait_for_limits:
        return stop(state, "limit", f"The model's provider asks to wait ({given.detail}), and the run may not.")
    seconds = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(state.replays - 1, DOUBLINGS))
    if asked and given.retry_after_s is not None and math.isfinite(given.retry_after_s):
        seconds = min(max(0.0, given.retry_after_s), MOST_WAIT_S) + RESERVE_S
    why = f"the provider asks to wait: {given.detail}" if asked else f"the model cannot be reached: {given.detail}"
    return state, (Wait(seconds=seconds, until=rfc3339(now + timedelta(seconds=seconds)), why=why),)


def judged(state: State, given: Judged, now: datetime, then: Then | None = None) -> Moved:
    """What the turn's claims came to. `then` replaces what follows when nothing speaks against it."""
    turn = state.turn
    assert turn is not None, "claims are judged after a turn"
    state = replace(
        after_measuring(state, given.runtime_s),
        turn=None,
        tree=given.tree,
        plan=given.plan,
        told=given.told or state.told,
        thrash=given.thrash,
        expected=given.expected,
        unreliable=given.unreliable,
        verdict=given.verdict or state.verdict,
        verdict_run=given.verdict_run or state.verdict_run,
    )
    is_progress = given.moved or outcomes.is_transition(state, turn, given)
    state = _breathed(state, turn, given, is_progress, now)
    before: tuple[Effect, ...] = ()
    if given.events or given.claims:
        before = (Publish(key=f"{state.run}/{state.iteration}", events=given.events, claims=given.claims),)
    number, task = state.session.number, state.work.task if state.work else None
    state, effects = _following(state, turn, given, now, then)
    captured = CaptureMemory(
        iteration=state.iteration,
        phase=state.phase,
        session=number,
        progress=is_progress,
        spent=state.last,
        end=turn.reason,
        task=task,
        told=given.told,
        completed=_names(effects, CompleteTask),
        blocked=_names(effects, BlockTask) + _names(effects, FailTask),
    )
    quiet = tuple(each for each in effects[:-1] if not isinstance(each, Handoff))
    handoff = tuple(each for each in effects[:-1] if isinstance(each, Handoff))
    return state, (*before, *quiet, captured, *handoff, effects[-1])


def _names(effects: tuple[Effect, ...], kind: type[CompleteTask | BlockTask | FailTask]) -> tuple[str, ...]:
    """The tasks that end so; one that failed and is tried again does not end."""
    ended = (each for each in effects if isinstance(each, kind))
    return tuple(each.task for each in ended if not isinstance(each, FailTask) or each.attempt >= RETRIES)


def _breathed(state: State, turn: TurnEnded, given: Judged, is_progress: bool, now: datetime) -> State:
    """The breaker after the iteration: once for progress, once for a failure of the agent."""
    settings, breaker = state.settings.breaker, state.breaker
    if is_progress:
        breaker = breakers.progressed(breaker)
    elif given.outcome != "phase":  # whether that is progress, its check will say
        breaker = breakers.idle(breaker, settings, now)
    if turn.reason in BROKEN | REFUSED and given.outcome == "open":
        breaker = breakers.failed(breaker, f"{turn.reason}: {turn.detail}", settings, now)
    return replace(state, breaker=breaker)


def _following(state: State, turn: TurnEnded, given: Judged, now: datetime, then: Then | None) -> Moved:
    if outcomes.stops(state, given):
        return outcomes.stopped_blocked(state, outcomes.said(given), now)
    if given.outcome == "waits":
        return stop(state, "waits", given.reason or "A person was asked for.")
    if given.outcome == "open" and turn.reason == "login":
        return stop(state, "error", f"The agent is not logged in: {turn.detail}")
    if state.work:
        return outcomes.following(state, state.work, turn, given, now)
    return then(state) if then else next_turn(state, now)
