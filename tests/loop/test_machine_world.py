"""What holds of every run, whatever the world answers: played by Hypothesis, some thousand steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, get_args

from hypothesis import given, note
from hypothesis import settings as tested
from hypothesis import strategies as st

from ralph.loop import effects, inputs
from ralph.loop.inputs import Input
from ralph.loop.machine import fits, step
from ralph.loop.moves import reached
from ralph.loop.plan.model import TaskStatus
from ralph.loop.state import State
from ralph.loop.words import Phase
from tests.loop.machines import Play
from tests.loop.worlds import World, settings, words

PHASES = st.sampled_from(list(Phase))
ASKING = get_args(effects.Asking)
LATER: Sequence[Input] = (
    inputs.Surveyed(next="a"),
    inputs.Checkpointed(id="c", commit="c", tree="t"),
    inputs.TurnEnded(reason="completed"),
    inputs.Judged(outcome="complete", tree="t"),
    inputs.PhaseChecked(complete=True),
    inputs.Validated(passed=True),
    inputs.Answered(approved=True),
    inputs.RolledBack(tree="t"),
    inputs.Waited(),
)
"""What cannot come once a run has ended."""


def played(data: st.DataObject, most: int, *, talk: bool) -> tuple[Play, World]:
    """A run with a world, up to its end, or to the end of our patience; looked at after every step."""
    play, world = Play(data.draw(PHASES), data.draw(settings)), World(data.draw)
    perform(play, world)
    for _ in range(most):
        if talk and data.draw(st.integers(0, 6)) == 0:
            given_next: Input | None = data.draw(words)
        elif isinstance(play.wants, effects.Stop) and not talk:
            break
        else:
            given_next = world.answer(play.wants)
        if given_next is None:
            continue
        note(f"{play.wants}\n  {given_next}")
        before = play.state
        play.give(given_next)
        perform(play, world)
        look(before, given_next, play, world)
    return play, world


def perform(play: Play, world: World) -> None:
    """What is wanted is one thing that is asked for, and it comes last."""
    assert isinstance(play.effects[-1], ASKING)
    assert play.state.awaiting == play.effects[-1]
    for each in play.effects[:-1]:
        assert not isinstance(each, ASKING)
        world.keep(each)


def look(before: State, given_last: Input, play: Play, world: World) -> None:
    """What must be so after every step."""
    state, kinds = play.state, play.kinds
    assert all(a <= b for a, b in zip(astuple(before.total), astuple(state.total), strict=True)), "spending never falls"
    assert before.iteration <= state.iteration <= before.iteration + 1
    assert state.iteration == state.total.iterations
    done = [each.task for each in play.effects if isinstance(each, effects.CompleteTask)]
    if done:
        assert isinstance(given_last, inputs.Judged)
        assert given_last.outcome == "complete"
    assert len(set(world.completed)) == len(world.completed), "a task is completed once"
    if isinstance(play.wants, effects.RunAgent) and not isinstance(given_last, inputs.Controlled):
        assert reached(state) is None, "no turn begins with a limit that is reached"
        assert state.breaker.state != "open"
        assert not state.wants_pause
        at_work = [task.id for task in world.plan.tasks if task.status is TaskStatus.IN_PROGRESS]
        assert at_work == ([state.work.task] if state.work else [])
        assert (state.work is not None) == (state.phase is Phase.BUILDING)
    if isinstance(play.wants, effects.Rollback):
        assert state.settings.rollback or isinstance(given_last, inputs.Resumed | inputs.Controlled)
        assert world.plan.tasks[[t.id for t in world.plan.tasks].index(play.wants.task)].status is TaskStatus.BLOCKED
    if isinstance(before.awaiting, effects.Stop) and not isinstance(given_last, inputs.Resumed):
        assert (state.end, state.awaiting) == (before.end, before.awaiting)
    ended_now = isinstance(play.wants, effects.Stop) and not isinstance(before.awaiting, effects.Stop)
    if ended_now and state.end == "passed":
        assert isinstance(given_last, inputs.Validated | inputs.Answered)
        assert state.verdict == "PASS"
    assert (state.status == "ended") == ("Stop" in kinds)


@given(st.data())
@tested(max_examples=40, deadline=None)
def test_what_holds_after_every_step(data: st.DataObject) -> None:
    play, _ = played(data, 40, talk=True)
    state: State | None = None
    for each, now in zip(play.inputs, play.times, strict=True):
        state, effects_now = step(state, each, now)
    assert (state, effects_now) == (play.state, play.effects), "a run is the fold of its inputs"


@given(st.data())
@tested(max_examples=60, deadline=None)
def test_every_run_comes_to_an_end_by_itself(data: st.DataObject) -> None:
    """At most 15 iterations, each with a few playings and looks; waiting for the network is no end."""
    play, _ = played(data, 400, talk=False)
    waits = sum(isinstance(each, inputs.Waited) for each in play.inputs)
    assert isinstance(play.wants, effects.Stop) or waits > 30
    if play.end == "passed":
        assert play.state.phase is Phase.VALIDATION
        assert validated_last(play)


def validated_last(play: Play) -> bool:
    measured = [each for each in play.inputs if isinstance(each, inputs.Validated)]
    return bool(measured) and measured[-1].passed


@given(st.data())
@tested(max_examples=60, deadline=None)
def test_a_run_that_built_passes_only_with_every_task_complete(data: st.DataObject) -> None:
    play, world = played(data, 400, talk=False)
    if play.end == "passed" and any(isinstance(each, inputs.Surveyed) for each in play.inputs):
        assert all(task.status is TaskStatus.COMPLETE for task in world.plan.tasks)


@given(st.data())
@tested(max_examples=50, deadline=None)
def test_once_it_has_ended_nothing_but_a_person_moves_a_run(data: st.DataObject) -> None:
    play, _ = played(data, 400, talk=False)
    while not isinstance(play.wants, effects.Stop):
        play.control("stop")
    assert not any(fits(play.state, each) for each in LATER)


def test_only_the_beginning_comes_first_and_it_comes_once() -> None:
    play = Play()
    begun: Any = play.inputs[0]
    assert fits(None, begun)
    assert not any(fits(None, each) for each in LATER)
    assert not fits(play.state, begun)
