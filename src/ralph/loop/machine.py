"""The machine: `(state, input, now) -> (state, effects)`. Pure; the whole run is a fold of its inputs.

Rules (DESIGN section 2, decisions 11, 20, 21, 26, 28 to 36):

- Order in an iteration: the agent ends; its events are read and its claims measured; state, memory and breaker follow;
  then the limits are looked at. How a turn ended is not whether the work succeeded.
- A task's attempt fails when its claim was measured and does not hold, or when the agent broke down; after the last one
  it is BLOCKED. What the network or the provider did is no attempt. BLOCKED verdicts have a count of their own: one
  more try, then the task is BLOCKED and the run stops; what was tampered with stops it at once.
- A task that ends without success is rolled back, if the policy wants that, before the next one starts.
- What fails before anything was built is measured once, and said.
- A phase ends when the agent says so by a tool and the check agrees; building ends when no task is open. A validation
  that fails goes back to building with its reasons, a few times.
- A session ends with a task, with a phase, at 60 % of the context, after stagnation, or when nobody knows how full
  the context is.
- Words from outside (`Controlled`) may come before any effect is performed: stop ends the run where it is, and the
  same effect is performed when it goes on. Where a turn is next, other words may change that; else they wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from ralph.loop import breaker as breakers
from ralph.loop import crossing, turns
from ralph.loop.effects import (
    AskHuman,
    Asking,
    CheckPhase,
    Checkpoint,
    Effect,
    Measure,
    MeasureBase,
    Pause,
    ResetStale,
    Rollback,
    RunAgent,
    StartTask,
    Stop,
    Survey,
    Validate,
    Wait,
)
from ralph.loop.inputs import (
    Answered,
    BaseMeasured,
    Begun,
    Checkpointed,
    Controlled,
    Hint,
    Input,
    Judged,
    PhaseChecked,
    Resumed,
    RolledBack,
    Surveyed,
    TurnEnded,
    Validated,
    Waited,
)
from ralph.loop.moves import Moved, after_measuring, at_limit, new_session, next_turn, reached, stop, to_agent
from ralph.loop.state import Session, State, Work
from ralph.loop.words import Phase, Spent
from ralph.record import replace
from ralph.system.clock import rfc3339


def step(state: State | None, given: Input, now: datetime) -> tuple[State, tuple[Effect, ...]]:
    """The state after an input that `fits`, and what to do now. The last effect is the one `state.awaiting` names."""
    if isinstance(given, Begun):
        return _waiting_for(_begun(given, now))
    assert state is not None, "a run begins with Begun"
    return _waiting_for(_HANDLERS[type(given)](state, given, now))


def fits(state: State | None, given: Input) -> bool:
    """Whether an input can come now: the beginning first, then what answers the awaited effect, and words from outside
    at any time."""
    if state is None or isinstance(given, Begun):
        return state is None and isinstance(given, Begun)
    return isinstance(given, (Controlled, *_ANSWERS[type(state.awaiting)]))


def _waiting_for(moved: Moved) -> tuple[State, tuple[Effect, ...]]:
    state, effects = moved
    last = effects[-1]
    assert isinstance(last, Asking), last
    return replace(state, awaiting=last), effects


def _begun(given: Begun, now: datetime) -> Moved:
    state = State(
        run=given.run,
        prompt=given.prompt,
        agent=given.agent,
        settings=given.settings,
        base=given.base,
        tree=given.tree,
        plan=given.plan,
        phase=given.phase,
        session=Session(number=given.sessions + 1, started_at=rfc3339(now)),
        iteration=given.iterations,
        total=given.carried,
        breaker=given.breaker,
        control=given.control,
        hints=given.hints,
    )
    state, effects = _started(state, now)
    return state, (ResetStale(), *effects)


def _resumed(state: State, given: Resumed, now: datetime) -> Moved:
    """Go on where the run stood, with a session of its own. The plan is looked at afresh: a person may have changed it;
    the checkpoint stays, and so does what the task is judged against."""
    was = state.interrupted
    state = replace(
        state,
        settings=given.settings,
        breaker=breakers.reset(state.breaker) if given.reset_breaker else state.breaker,
        thrash=replace(state.thrash, abandoned=()),
        status="running",
        end=None,
        why="",
        wants_pause=False,
        last=Spent(),
        replays=0,
        interrupted=None,
    )
    state, ended = new_session(state, "resumed", now)
    if isinstance(was, Measure):  # the turn is over, and what was claimed in it still counts
        return _probed(state, now), (*ended, was)
    state = replace(state, left=state.work or state.left, work=None)
    if was is not None and not isinstance(was, Pause | RunAgent | Survey | Wait):
        return _probed(state, now), (*ended, ResetStale(), was)
    state, effects = _started(state, now)
    return state, (*ended, ResetStale(), *effects)


def _probed(state: State, now: datetime) -> State:
    """An open breaker is tried again, if that may be."""
    breaker = breakers.probe(state.breaker, state.settings.breaker, now, over=reached(state))
    return replace(state, breaker=breaker)


def _started(state: State, now: datetime) -> Moved:
    """Start, or start again: an open breaker is probed before it halts."""
    state = _probed(state, now)
    if halted := breakers.halts(state.breaker):
        if over := reached(state):
            return at_limit(state, over)
        left = breakers.cooldown_left_s(state.breaker, state.settings.breaker, now)
        way = f"wait {left:.0f} s, or " if left else ""
        return stop(
            state, "limit", f"The breaker is open ({halted}): {way}look at what happened, then `ralph breaker reset`."
        )
    return crossing.enter(state, now) if state.checkpoint is None else next_turn(state, now)


def _checkpointed(state: State, given: Checkpointed, now: datetime) -> Moved:
    state = replace(state, checkpoint=given, tree=given.tree)
    return (state, (MeasureBase(),)) if state.red is None else next_turn(state, now)


def _base_measured(state: State, given: BaseMeasured, now: datetime) -> Moved:
    """What fails already is said once, before anybody works on it."""
    state = replace(after_measuring(state, given.runtime_s), red=given.failing)
    if given.failing:
        listed = "\n".join(f"- {each}" for each in given.failing)
        told = f"Before any work, this fails already. A task is complete only when all of it is gone:\n{listed}"
        state = replace(state, told=(*state.told, told))
    return next_turn(state, now)


def _surveyed(state: State, given: Surveyed, now: datetime) -> Moved:
    left = state.left
    state = replace(state, open=given.open, blocked=given.blocked, complete=given.complete, left=None)
    if given.next is not None:
        work = left if left and left.task == given.next else Work(task=given.next, attempt=1)
        work = replace(work, attempt=given.attempts + 1)
        began, effects = to_agent(replace(state, work=work, expected=None, unreliable=0), now)
        if not isinstance(effects[-1], RunAgent):  # the phase has had its turns
            return replace(began, work=None, left=left), effects
        return began, (StartTask(task=given.next), *effects)
    if given.open:
        return stop(state, "failed", f"No task can be done: {given.stuck}.")
    if not given.complete:
        names = ", ".join(given.blocked)
        what = f"every task is blocked ({names})" if names else "the plan has no tasks"
        return stop(state, "failed", f"Nothing was built: {what}.")
    return crossing.built(state, now)


def _rolled_back(state: State, given: RolledBack, now: datetime) -> Moved:
    return next_turn(replace(state, tree=given.tree), now)


def _waited(state: State, given: Waited, now: datetime) -> Moved:
    return next_turn(state, now)


def _controlled(state: State, given: Controlled, now: datetime) -> Moved:
    """A word from outside, before the awaited effect is performed."""
    state = replace(state, control=max(state.control, given.number))
    awaited = state.awaiting
    assert awaited is not None
    if isinstance(awaited, Stop):  # nothing runs any more: what was said to whoever comes is kept
        if given.do == "reset_breaker":
            state = replace(state, breaker=breakers.reset(state.breaker))
        return _hinted(state, given) if given.do == "inject" else state, (awaited,)
    match given.do:
        case "stop":
            return stop(state, "stopped", "It was stopped; `ralph resume` goes on with it.", keep=awaited)
        case "pause":
            state = replace(state, wants_pause=True)
        case "resume":
            state = replace(state, wants_pause=False, status="running")
        case "inject":
            state = _hinted(state, given)
        case "handoff":
            state = replace(state, wants_handoff=given.text or "manual_handoff")
        case "reset_breaker":
            state = replace(state, breaker=breakers.reset(state.breaker))
        case "limits":
            state = replace(state, settings=given.settings or state.settings)
    if isinstance(awaited, RunAgent | Survey | Pause):  # what comes next is decided afresh
        return next_turn(state, now)
    return state, (awaited,)


def _hinted(state: State, given: Controlled) -> State:
    """With one more hint; of two with the same priority the earlier one comes first."""
    hints = (*state.hints, Hint(text=given.text, priority=given.priority))
    return replace(state, hints=tuple(sorted(hints, key=lambda hint: -hint.priority)))


def _judged(state: State, given: Judged, now: datetime) -> Moved:
    if given.outcome != "phase":
        return turns.judged(state, given, now)
    state = replace(state, summary=given.reason)
    wanted: Asking = CheckPhase(phase=state.phase, summary=given.reason)
    if state.phase is Phase.VALIDATION:
        wanted = Validate(number=state.validations + 1, summary=given.reason)
    return turns.judged(state, given, now, then=lambda state: (state, (wanted,)))


_HANDLERS: Mapping[type[Any], Callable[[State, Any, datetime], Moved]] = {
    Resumed: _resumed,
    Surveyed: _surveyed,
    Checkpointed: _checkpointed,
    BaseMeasured: _base_measured,
    TurnEnded: turns.ended,
    Judged: _judged,
    PhaseChecked: crossing.phase_checked,
    Validated: crossing.validated,
    Answered: crossing.answered,
    RolledBack: _rolled_back,
    Waited: _waited,
    Controlled: _controlled,
}

_ANSWERS: Mapping[type[Any], tuple[type[Any], ...]] = {
    Survey: (Surveyed,),
    Checkpoint: (Checkpointed,),
    MeasureBase: (BaseMeasured,),
    RunAgent: (TurnEnded,),
    Measure: (Judged,),
    CheckPhase: (PhaseChecked,),
    Validate: (Validated,),
    AskHuman: (Answered,),
    Rollback: (RolledBack,),
    Wait: (Waited,),
    Pause: (),
    Stop: (Resumed,),
}
