"""Moves that the machine's answers have in common: the next turn, the end of a session, the end of the run. Pure.

Rules (design decisions 28 to 30): before every turn the limits and the breaker are looked at, then a person's wish to
pause, then whether the session must end. `limits.*` of `ralph.yml` count for this run, `cost_limits.total` for the
project; what a person resumed starts with a session of its own.
"""

from __future__ import annotations

from datetime import datetime

from ralph.loop import breaker as breakers
from ralph.loop import budget, said
from ralph.loop.effects import Asking, CapturePhase, Effect, Handoff, Pause, RunAgent, Stop, Survey
from ralph.loop.inputs import PhaseSettings
from ralph.loop.state import Session, State
from ralph.loop.words import Phase, RunEnd, Spent
from ralph.record import replace
from ralph.system.clock import rfc3339

Moved = tuple[State, tuple[Effect, ...]]


def stop(state: State, end: RunEnd, why: str, *, keep: Asking | None = None) -> Moved:
    """The run ends. `keep`: what was about to be done, and will be when it goes on."""
    return replace(state, status="ended", end=end, why=why, interrupted=keep), (Stop(end=end, why=why),)


def counted(state: State) -> Spent:
    """What the limits of the run are compared with."""
    return replace(state.here, cost_usd=state.total.cost_usd)


def reached(state: State) -> str | None:
    """The limit that is reached, if one is."""
    return budget.exceeded(state.settings.limits, state.last, state.session.spent, counted(state))


def at_limit(state: State, over: str) -> Moved:
    return stop(state, "limit", f"A limit is reached ({over}); {budget.way_on(over)}.")


def next_turn(state: State, now: datetime) -> Moved:
    """What follows when nothing else is to be done first."""
    if over := reached(state):
        state = replace(state, breaker=breakers.over_limit(state.breaker, over, now))
        return at_limit(state, over)
    if breakers.halts(state.breaker):
        return _halted(state, now)
    if state.wants_pause:
        return replace(state, status="paused"), (Pause(),)
    if state.phase is Phase.BUILDING and state.work is None:
        return state, (Survey(),)
    return to_agent(state, now)


def to_agent(state: State, now: datetime) -> Moved:
    """The agent's next turn, unless the phase has had all of its own, or the session ends first."""
    most = phase_settings(state).iterations
    if most is not None and state.phase_turns >= most:
        told = "\n".join(state.told)
        way = f"raise phases.{state.phase}.max_iterations in ralph.yml, then `ralph resume`."
        return stop(
            state, "limit", f"The phase {state.phase} is not complete after {most} turns; {way}\n{told}".strip()
        )
    if why := _handoff_due(state):
        return _handing_off(state, why, now)
    return state, (_turn(state),)


def _halted(state: State, now: datetime) -> Moved:
    """The breaker is open: after stagnation a fresh session is tried once, else the run stops."""
    halted = breakers.halts(state.breaker)
    if breakers.recovery(state.breaker, "stagnation", 0) == "HANDOFF":
        state = replace(state, breaker=breakers.handed_off(state.breaker))
        state, effects = new_session(state, "stagnation", now)
        told = (*state.told, "Nothing has changed for several iterations: look at the task afresh, and do one step.")
        state, following = next_turn(replace(state, told=told), now)
        return state, (*effects, *following)
    last = state.breaker.last_failure_reason
    why = f"{halted}: {last}" if last and state.breaker.opened_for == "failures" else str(halted)
    return stop(
        state, "limit", f"The breaker is open ({why}); look at what happened, then `ralph breaker reset` and `resume`."
    )


def _turn(state: State) -> RunAgent:
    task = state.work.task if state.work else None
    return RunAgent(kind="work", phase=state.phase, iteration=state.iteration + 1, task=task, played=state.played)


def _handoff_due(state: State) -> str:
    """Why the session must end before the next turn; "" if it need not."""
    if not state.session.spent.iterations:
        return ""
    if state.wants_handoff:
        return state.wants_handoff
    if state.session.context is None:
        return "context_unknown"
    return "context_full" if state.session.context >= state.settings.handoff_at else ""


def _handing_off(state: State, why: str, now: datetime) -> Moved:
    """Ask the agent for a summary if it can still give one; else Ralph's own facts must do."""
    session = state.session
    if why == "context_unknown" or (session.context or 0) >= 1 or session.hat not in session.clients:
        state, effects = new_session(state, why, now)
        return state, (*effects, _turn(state))
    return replace(state, wants_handoff=why), (replace(_turn(state), kind="handoff", played=0),)


def new_session(state: State, reason: str, now: datetime, summary: str = "") -> Moved:
    """End the session, if anything happened in it."""
    session = state.session
    if session.is_empty:
        return replace(state, wants_handoff=""), ()
    ended = Handoff(
        session=session.number,
        reason=reason,
        phase=state.phase,
        iteration=state.iteration,
        started_at=session.started_at,
        spent=session.spent,
        completed=session.completed,
        told=state.told,
        summary=summary,
    )
    fresh = Session(number=session.number + 1, started_at=rfc3339(now))
    return replace(state, session=fresh, wants_handoff=""), (ended,)


def end_of_phase(state: State) -> CapturePhase:
    return CapturePhase(
        phase=state.phase, iteration=state.iteration, spent=state.in_phase, summary=said.summary(state.summary)
    )


def after_measuring(state: State, runtime_s: float) -> State:
    """With the time that Ralph's own measuring took."""
    return replace(state, here=state.here.plus_time(runtime_s), total=state.total.plus_time(runtime_s))


def phase_settings(state: State) -> PhaseSettings:
    return state.settings.phases.get(state.phase, PhaseSettings())
