"""What the outcome of a turn means for the task at work: complete, another attempt, or BLOCKED. Pure.

Rules (design decisions 11, 21, 26, 28, 29):

- An attempt fails when its claim was measured and does not hold, when no hat has anything to do, or when the agent
  broke down and had claimed nothing. After the last one the task is BLOCKED.
- BLOCKED: one more try, which uses up no attempt; the second time the task is BLOCKED, and the run stops. What was
  tampered with stops it at once. The tree stays as it is then, for a person to look at.
- A task that is BLOCKED for good is a failure for the breaker, unless a person left it out. Its work is taken back, if
  the policy wants that, before anything else happens; never between two attempts.
- So many tasks abandoned open the breaker.
"""

from __future__ import annotations

from datetime import datetime

from ralph.loop import breaker as breakers
from ralph.loop import thrash
from ralph.loop.effects import BlockTask, Checkpoint, CompleteTask, FailTask, Rollback, StartTask
from ralph.loop.inputs import Judged, TurnEnded
from ralph.loop.moves import Moved, new_session, next_turn, stop
from ralph.loop.plan.model import RETRIES
from ralph.loop.state import State, Work
from ralph.record import replace

BROKEN = frozenset({"crashed", "stalled", "timeout", "error", "ungoverned"})
"""Ends of a turn in which the agent broke down: a failure, and an attempt of the task."""
ENDING = frozenset({"complete", "gave up", "abandoned", "left out", "thrashing"})
"""The task ends with it."""
_FAILED = {"refused": "the claim does not hold", "stalled": "no hat has anything to do"}
"""The attempt failed, and what is said of it where nothing else is."""


def is_transition(state: State, turn: TurnEnded, given: Judged) -> bool:
    """Whether the task ends with this turn."""
    failed = _why_failed(turn, given) is not None
    return given.outcome in ENDING or (failed and state.work is not None and state.work.attempt >= RETRIES)


def stops(state: State, given: Judged) -> bool:
    """Whether it stops the run as BLOCKED."""
    work = state.work
    return given.outcome == "tampered" or (given.outcome == "blocked" and work is not None and work.blocked > 0)


def stopped_blocked(state: State, said: str, now: datetime) -> Moved:
    """The run stops as BLOCKED, and so is the task, if one is at work."""
    ending = BlockTask(task=state.work.task, reason=said) if state.work else None
    state = _without_success(state, ending, now) if ending else state
    state, effects = stop(state, "blocked", said)
    return state, (*((ending,) if ending else ()), *effects)


def following(state: State, work: Work, turn: TurnEnded, given: Judged, now: datetime) -> Moved:
    """What becomes of the task at work, and what follows."""
    if (why := _why_failed(turn, given)) is not None:
        return _failed(state, work, why, now)
    match given.outcome:
        case "complete":
            return _completed(state, work, given, now)
        case "blocked":
            return next_turn(replace(state, work=replace(work, blocked=work.blocked + 1)), now)
        case "gave up" | "abandoned" | "left out" | "thrashing":
            return _unsuccessful(state, BlockTask(task=work.task, reason=said(given)), given, now)
    return next_turn(state, now)


def said(given: Judged) -> str:
    """The reason of an outcome, which is never empty."""
    return given.reason or "\n".join(given.told) or f"the work is {given.outcome}"


def _why_failed(turn: TurnEnded, given: Judged) -> str | None:
    """Why the attempt failed; None if it did not."""
    if given.outcome == "open" and turn.reason in BROKEN:
        return f"the agent broke down ({turn.reason}: {turn.detail})"
    usual = _FAILED.get(given.outcome)
    return usual and (given.reason or usual)


def _completed(state: State, work: Work, given: Judged, now: datetime) -> Moved:
    done = CompleteTask(task=work.task, notes=given.notes, tokens=work.tokens)
    session = replace(state.session, completed=(*state.session.completed, work.task))
    state = replace(
        state,
        breaker=breakers.succeeded(state.breaker),
        thrash=thrash.accepted(state.thrash, work.task),
        work=None,
        red=(),
        session=session,
        told=(),
        complete=state.complete + 1,
        open=max(0, state.open - 1),
    )
    state, effects = new_session(state, "task_complete", now)
    return state, (done, *effects, Checkpoint(name=f"{work.task} is complete"))


def _failed(state: State, work: Work, reason: str, now: datetime) -> Moved:
    """An attempt failed. The conversation goes on; after the last attempt the task ends without success."""
    failed = FailTask(task=work.task, attempt=work.attempt, reason=reason)
    if work.attempt >= RETRIES:
        return _unsuccessful(state, failed, None, now)
    again = StartTask(task=work.task, again=True)
    state, effects = next_turn(replace(state, work=replace(work, attempt=work.attempt + 1)), now)
    return state, (failed, again, *effects)


def _unsuccessful(state: State, ending: BlockTask | FailTask, given: Judged | None, now: datetime) -> Moved:
    """The task ends without success: it is BLOCKED, its work is taken back, and the breaker counts it."""
    outcome, before = given.outcome if given else None, state.breaker
    state = _without_success(state, ending, now)
    if outcome == "left out":
        state = replace(state, breaker=before)
    if given and outcome == "thrashing":
        many = f"abandoned_tasks:{len(given.thrash.abandoned)}"
        state = replace(state, breaker=breakers.over_limit(state.breaker, many, now))
    state, ended = new_session(state, "task_blocked", now)
    state = replace(state, told=())
    if state.settings.rollback and state.checkpoint:
        return state, (ending, *ended, Rollback(checkpoint=state.checkpoint.id, task=ending.task))
    state, following = next_turn(state, now)
    return state, (ending, *ended, *following)


def _without_success(state: State, ending: BlockTask | FailTask, now: datetime) -> State:
    breaker = breakers.failed(state.breaker, f"{ending.task}: {ending.reason}", state.settings.breaker, now)
    return replace(
        state,
        breaker=breaker,
        thrash=thrash.accepted(state.thrash, ending.task),
        work=None,
        blocked=(*state.blocked, ending.task),
        open=max(0, state.open - 1),
    )
