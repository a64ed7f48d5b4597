"""From one phase to the next: what its check, the validation and a person say, and what follows from it. Pure.

Rules (design decisions 20, 33, 34):

- A phase ends when an agent has said so and the check agrees, and then a person, where that is wanted. Until then it
  goes on, and the next prompt says what is missing. That an agent says so is no progress; what the check finds is.
- A validation that fails goes back to building with its reasons, a few times; where nothing could be built, where the
  verdict is BLOCKED, and where a person does not agree to what was built or validated, the run ends.
- Nothing passes while a task is open or BLOCKED, whatever was measured.
"""

from __future__ import annotations

from datetime import datetime

from ralph.loop import breaker as breakers
from ralph.loop.effects import AskHuman, Checkpoint, FreezePlan, ReopenTasks
from ralph.loop.inputs import Answered, PhaseChecked, Validated
from ralph.loop.moves import Moved, after_measuring, end_of_phase, new_session, next_turn, phase_settings, stop
from ralph.loop.phases.tools import following
from ralph.loop.state import State
from ralph.loop.words import Phase, Spent
from ralph.record import replace


def enter(state: State, now: datetime) -> Moved:
    """Begin a phase; building with what its work is judged against."""
    if state.phase is Phase.BUILDING:
        return state, (Checkpoint(name=f"building, after iteration {state.iteration}"),)
    return next_turn(state, now)


def next_phase(state: State, phase: Phase, now: datetime) -> Moved:
    """Leave a phase: its memory, a new session, and the first turn of the next."""
    captured = end_of_phase(state)
    left = (FreezePlan(),) if state.phase is Phase.PLANNING else ()
    state, ended = new_session(replace(state, work=None), "phase_complete", now)
    state = replace(
        state,
        phase=phase,
        phase_turns=0,
        in_phase=Spent(),
        summary="",
        told=(),
        breaker=breakers.progressed(state.breaker),
    )
    state, effects = enter(state, now)
    return state, (*left, captured, *ended, *effects)


def phase_checked(state: State, given: PhaseChecked, now: datetime) -> Moved:
    state = replace(state, tree=given.tree or state.tree)
    if not given.complete:
        told = ("The phase is not complete yet:\n" + "\n".join(f"- {each}" for each in given.problems),)
        breaker = breakers.idle(state.breaker, state.settings.breaker, now)
        return next_turn(replace(state, told=told, breaker=breaker), now)
    if phase_settings(state).approval:
        return state, (AskHuman(phase=state.phase, question=f"Is the phase {state.phase} complete?"),)
    return _on(state, now)


def built(state: State, now: datetime) -> Moved:
    """No task is open any more, and some are complete."""
    if phase_settings(state).approval:
        return state, (AskHuman(phase=state.phase, question="No task is open any more. Does the validation begin?"),)
    return _on(state, now)


def validated(state: State, given: Validated, now: datetime) -> Moved:
    state = replace(
        after_measuring(state, given.runtime_s),
        verdict=given.verdict,
        verdict_run=given.verdict_run,
        validations=state.validations + 1,
    )
    problems = given.problems
    if given.passed and (state.open or state.blocked):
        problems = (*problems, f"{state.open} tasks are open, and blocked are: {', '.join(state.blocked) or 'none'}.")
    elif given.passed:
        if phase_settings(state).approval:
            return state, (AskHuman(phase=state.phase, question="Everything is measured and holds. Is it accepted?"),)
        return _passed(state, now)
    said = "\n".join(f"- {each}" for each in problems)
    if given.blocked:
        return stop(state, "blocked", f"The validation is BLOCKED:\n{said}")
    if not given.reopen or state.validations >= state.settings.validations:
        return stop(state, "failed", f"The validation failed:\n{said}")
    reopened = ReopenTasks(tasks=given.reopen, reason=said, validation=state.validations, failing=given.failing)
    state, effects = next_phase(state, Phase.BUILDING, now)
    told = (f"The validation failed, so it goes back to building:\n{said}",)
    return replace(state, told=told), (reopened, *effects)


def answered(state: State, given: Answered, now: datetime) -> Moved:
    if given.approved is None:
        return stop(state, "waits", given.reason, keep=state.awaiting)
    if given.approved:
        return _on(state, now)
    told = f"A person does not agree that the phase is complete: {given.reason}"
    state = replace(state, told=(told,))
    spoken = state.phase in (Phase.DISCOVERY, Phase.PLANNING)  # only there an agent has something to do about it
    return next_turn(state, now) if spoken else stop(state, "failed", told)


def _on(state: State, now: datetime) -> Moved:
    """The phase is complete."""
    follows = following(state.phase)
    return next_phase(state, follows, now) if follows else _passed(state, now)


def _passed(state: State, now: datetime) -> Moved:
    captured = end_of_phase(state)
    state, ended = new_session(state, "run_complete", now)
    state, effects = stop(state, "passed", "Every task is complete, and the whole is measured and holds.")
    return state, (captured, *ended, *effects)
