"""What becomes of tasks: attempts, refused and blocked and tampered, what is taken back, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from ralph.agents.base import EndReason
from ralph.hats.handling import NextStep
from ralph.loop.effects import (
    BlockTask,
    CaptureMemory,
    Checkpoint,
    CompleteTask,
    FailTask,
    MeasureBase,
    Publish,
    Rollback,
    RunAgent,
    StartTask,
    Survey,
)
from ralph.loop.inputs import BaseMeasured, Outcome, RolledBack
from ralph.loop.thrash import Standing as Refusals
from ralph.loop.thrash import Thrash
from ralph.loop.words import Phase
from tests.events.situation import event
from tests.loop.machines import RUN, SETTINGS, Play, building, checkpointed, ended, heard, selected

KEEPING = replace(SETTINGS, rollback=False)


def test_building_begins_with_a_checkpoint_and_a_look_at_the_plan() -> None:
    play = Play()
    assert play.kinds == ["ResetStale", "Checkpoint"]
    assert play.give(checkpointed()).effects == (MeasureBase(),)
    assert play.give(BaseMeasured()).effects == (Survey(),)
    assert play.give(selected("one")).effects == (
        StartTask(task="one"),
        RunAgent(kind="work", phase=Phase.BUILDING, iteration=1, task="one"),
    )


RED = BaseMeasured(failing=("tests: test_total", "lint: a.py:1 F401"), runtime_s=30.0)


def test_what_fails_before_any_work_is_measured_once_and_said_before_the_agent_begins() -> None:
    play = Play().give(checkpointed(), RED, selected("one"))
    assert "- tests: test_total\n- lint: a.py:1 F401" in play.state.told[0]
    assert play.state.here.runtime_s == 30.0
    play.turn("complete")
    assert play.state.red == (), "all of it is gone"
    assert play.give(checkpointed("c2")).wants == Survey()


def test_a_claim_that_only_the_base_refutes_uses_up_no_attempt_and_is_told() -> None:
    play = Play().give(checkpointed(), RED, selected("one")).turn("inherited", told=("It failed before.",))
    assert play.kinds == ["CaptureMemory", "RunAgent"]
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.told) == (1, ("It failed before.",))
    assert play.turn("open", ended("crashed")).effect(FailTask).attempt == 1


def test_a_second_round_of_building_measures_it_no_more() -> None:
    play = Play().give(checkpointed(), RED).control("stop").resume()
    assert play.wants == Survey()
    assert play.state.red == RED.failing


ENDINGS: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "nothing can be started": ({"open": 2, "stuck": "a waits for b"}, "failed", "No task can be done: a waits for b."),
    "every task is blocked": ({"blocked": ("a", "b")}, "failed", "every task is blocked (a, b)"),
    "there are no tasks": ({}, "failed", "the plan has no tasks"),
}


@pytest.mark.parametrize("case", ENDINGS)
def test_a_plan_without_a_next_task(case: str) -> None:
    """An empty plan was once a building that is done."""
    facts, end, why = ENDINGS[case]
    play = Play().give(checkpointed(), BaseMeasured(), selected(None, **facts))
    assert (play.end, why in play.state.why) == (end, True)


def test_building_ends_when_no_task_is_open_even_if_one_is_blocked() -> None:
    play = Play().give(checkpointed(), BaseMeasured(), selected(None, complete=3, blocked=("b",)))
    assert (play.state.phase, play.agent.phase, play.agent.task) == (Phase.VALIDATION, Phase.VALIDATION, None)


def test_a_claim_that_holds_completes_the_task_and_what_comes_next_is_judged_from_there() -> None:
    play = building().turn("open").turn("complete", notes="All is well.")
    assert play.kinds == ["CompleteTask", "CaptureMemory", "Handoff", "Checkpoint"]
    assert play.effect(CompleteTask) == CompleteTask(task="one", notes="All is well.", tokens=200)
    assert (play.state.work, play.state.session.number, play.state.told) == (None, 2, ())
    assert play.give(checkpointed("c2")).wants == Survey()
    assert play.state.checkpoint == checkpointed("c2")


WITHOUT_SUCCESS: Mapping[Outcome, int] = {"refused": 3, "stalled": 3, "gave up": 1, "abandoned": 1}
"""After so many turns with this outcome a task is BLOCKED."""


@pytest.mark.parametrize("outcome", WITHOUT_SUCCESS)
def test_a_task_that_ends_without_success_is_rolled_back_before_the_next_one(outcome: Outcome) -> None:
    play, turns = building(), WITHOUT_SUCCESS[outcome]
    for number in range(1, turns):
        play.turn(outcome, told=("no",))
        assert play.kinds == ["FailTask", "StartTask", "CaptureMemory", "RunAgent"]
        assert play.effect(FailTask).attempt == number
        assert play.effect(StartTask).again
    play.turn(outcome, told=("no",), reason="it does not hold")
    assert play.effects[0] == (
        BlockTask(task="one", reason="it does not hold")
        if turns == 1
        else FailTask(task="one", attempt=3, reason=play.effect(FailTask).reason)
    )
    assert play.wants == Rollback(checkpoint="c1", task="one")
    assert (play.state.work, play.state.blocked, play.state.breaker.failure_count) == (None, ("one",), 1)
    assert play.effect(CaptureMemory).blocked == ("one",)
    assert play.give(RolledBack(tree="as before")).wants == Survey()
    assert play.state.tree == "as before"
    assert play.give(selected("two")).state.told == (), "what was refused there is nothing for another task"


def test_nothing_is_rolled_back_where_the_policy_does_not_want_that() -> None:
    play = building(KEEPING).turn("gave up", reason="no way")
    assert play.kinds == ["BlockTask", "CaptureMemory", "Handoff", "Survey"]


def test_a_task_that_a_person_leaves_out_is_no_failure() -> None:
    play = building().turn("left out", reason="skipped: later")
    assert play.effect(BlockTask) == BlockTask(task="one", reason="skipped: later")
    assert isinstance(play.wants, Rollback)
    assert (play.state.breaker.failure_count, play.state.blocked) == (0, ("one",))


@pytest.mark.parametrize("reason", ["completed", "crashed"])
def test_attempts_are_never_rolled_back_between(reason: EndReason) -> None:
    play = building().turn("refused" if reason == "completed" else "open", ended(reason))
    assert "Rollback" not in play.kinds
    assert play.agent.task == "one"


def test_attempts_of_earlier_runs_count() -> None:
    play = building(task="other").turn("complete").give(checkpointed("c2"), selected("one", attempts=2))
    assert play.turn("refused").effect(FailTask).attempt == 3
    assert play.state.work is None


def test_blocked_gives_one_more_try_that_uses_up_no_attempt() -> None:
    play = building().turn("blocked", told=("# BLOCKED",))
    assert play.kinds == ["CaptureMemory", "RunAgent"]
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.work.blocked, play.state.told) == (1, 1, ("# BLOCKED",))


def test_blocked_twice_stops_the_run_and_leaves_the_tree_to_be_looked_at() -> None:
    play = building().turn("blocked").turn("refused").turn("blocked", reason="# BLOCKED again")
    assert play.kinds == ["BlockTask", "CaptureMemory", "Stop"]
    assert (play.end, play.state.why, play.state.blocked) == ("blocked", "# BLOCKED again", ("one",))


def test_blocked_once_in_each_of_two_tasks_stops_nothing() -> None:
    play = building().turn("blocked").turn("complete").give(checkpointed("c2"), selected("two")).turn("blocked")
    assert play.agent.task == "two"


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.PLANNING, Phase.BUILDING, Phase.VALIDATION])
def test_what_was_tampered_with_stops_the_run_at_once(phase: Phase) -> None:
    play = building() if phase is Phase.BUILDING else Play(phase)
    play.turn("tampered", told=("tree.context", "was touched"))
    assert (play.end, play.state.why) == ("blocked", "tree.context\nwas touched")
    assert ("BlockTask" in play.kinds) == (phase is Phase.BUILDING)


def test_the_third_abandoned_task_ends_the_loop_after_its_work_was_taken_back() -> None:
    """What it left would be in the way of the next task when a person goes on."""
    gone = Thrash(abandoned=("a", "b", "one"))
    play = building().turn("thrashing", reason="lint: fail", thrash=gone)
    assert play.kinds == ["BlockTask", "CaptureMemory", "Handoff", "Rollback"]
    play.give(RolledBack(tree="as before"))
    assert (play.end, "abandoned_tasks:3" in play.state.why) == ("limit", True)
    play.resume()
    assert (play.wants, play.state.thrash.abandoned) == (Survey(), ())


@pytest.mark.parametrize("outcome", ["complete", "gave up"])
def test_what_was_refused_is_forgotten_with_the_task(outcome: Outcome) -> None:
    """Every line of the log says how often claims were refused: it must not grow with the plan."""
    busy = Thrash(tasks={"one": Refusals(2, 1), "other": Refusals(1, 1)})
    assert building().turn(outcome, thrash=busy).state.thrash == Thrash(tasks={"other": Refusals(1, 1)})


def test_a_person_who_is_asked_for_is_waited_for_and_the_task_goes_on_then() -> None:
    play = building().turn("blocked").turn("waits", reason="Which one?")
    assert (play.end, play.state.why) == ("waits", "Which one?")
    play.resume().give(selected("one"))
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.work.blocked, play.state.work.tokens) == (1, 1, 200)


def test_a_person_may_choose_another_task_while_the_run_stands_still() -> None:
    play = building().turn("blocked").turn("waits").resume().give(selected("two"))
    assert play.state.work is not None
    assert (play.state.work.task, play.state.work.blocked, play.state.work.tokens) == ("two", 0, 0)
    assert play.state.left is None


def test_a_new_task_begins_without_the_doubts_about_the_one_before() -> None:
    step = NextStep(action="confess", topic="confession.requested", payload="", allowed=("confession.requested",))
    play = building().turn("gave up", unreliable=2, expected=step).give(RolledBack(tree="t"), selected("two"))
    assert (play.state.unreliable, play.state.expected) == (0, None)


def test_what_is_published_has_a_key_of_its_own_and_comes_first() -> None:
    done = event("build.done")
    play = building().turn("complete", events=(done,))
    assert play.effects[0] == Publish(key=f"{RUN}/1", events=(done,))


def test_what_is_remembered_of_an_iteration() -> None:
    play = building().turn("refused", told=("2 tests fail",), moved=False)
    memory = play.effect(CaptureMemory)
    assert (memory.iteration, memory.task, memory.end, memory.progress) == (1, "one", "completed", False)
    assert (memory.told, memory.completed, memory.blocked) == (("2 tests fail",), (), ())
    assert play.turn("complete").effect(CaptureMemory).completed == ("one",)


def test_a_checkpoint_follows_every_complete_task_and_no_failed_one() -> None:
    play = building().turn("refused")
    assert "Checkpoint" not in play.kinds
    assert play.turn("complete").wants == Checkpoint(name="one is complete")


def test_a_turn_in_which_nothing_was_claimed_goes_on() -> None:
    play = building().give(ended(), heard("open", told=("You claimed nothing.",)))
    assert play.kinds == ["CaptureMemory", "RunAgent"]
    assert play.state.told == ("You claimed nothing.",)
