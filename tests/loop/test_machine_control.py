"""What people say from outside, and going on after an end: pause, resume, stop, inject, handoff, and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from ralph.loop.breaker import Breaker
from ralph.loop.effects import (
    AskHuman,
    CheckPhase,
    Checkpoint,
    Measure,
    MeasureBase,
    Pause,
    ResetStale,
    Rollback,
    RunAgent,
    Stop,
    Survey,
    Validate,
    Wait,
)
from ralph.loop.inputs import BaseMeasured, Checkpointed, PhaseChecked, PhaseSettings, RolledBack, Surveyed
from ralph.loop.words import Phase
from tests.loop.machines import SETTINGS, Play, building, checkpointed, ended, heard, in_phase, selected, with_limits

APPROVED = replace(SETTINGS, phases={"discovery": PhaseSettings(approval=True)})
PLACES: Mapping[str, Callable[[], Play]] = {
    "Survey": lambda: Play().give(checkpointed(), BaseMeasured()),
    "MeasureBase": lambda: Play().give(checkpointed()),
    "Checkpoint": lambda: building().turn("complete"),
    "RunAgent": building,
    "RunAgent, again": lambda: building().give(ended("interrupted")),
    "RunAgent, to sum up": lambda: building().turn("open", ended(context=9_000)),
    "Measure": lambda: building().give(ended()),
    "CheckPhase": lambda: in_phase(Phase.PLANNING).turn("phase"),
    "Validate": lambda: in_phase(Phase.VALIDATION).turn("phase"),
    "AskHuman": lambda: in_phase(Phase.DISCOVERY, APPROVED).turn("phase").give(PhaseChecked(complete=True)),
    "Rollback": lambda: building().turn("gave up"),
    "Wait": lambda: building().give(ended("offline")),
    "Pause": lambda: building().control("pause"),
}
"""A run at each place where something may be said."""


@pytest.mark.parametrize("place", PLACES)
def test_stop_ends_the_run_wherever_it_is(place: str) -> None:
    play = PLACES[place]().control("stop", number=7)
    assert (play.end, play.kinds, play.state.status, play.state.control) == ("stopped", ["Stop"], "ended", 7)


AFTERWARDS: Mapping[str, type] = {
    "Survey": Survey,
    "MeasureBase": MeasureBase,
    "Checkpoint": Checkpoint,
    "RunAgent": Survey,
    "RunAgent, again": Survey,
    "RunAgent, to sum up": Survey,
    "Measure": Measure,
    "CheckPhase": CheckPhase,
    "Validate": Validate,
    "AskHuman": AskHuman,
    "Rollback": Rollback,
    "Wait": Survey,
    "Pause": Survey,
}


@pytest.mark.parametrize("place", PLACES)
def test_what_was_about_to_be_done_is_done_when_the_run_goes_on(place: str) -> None:
    """A turn begins with a look at the plan, which a person may have changed."""
    play = PLACES[place]()
    wanted = play.wants
    play.control("stop").resume()
    assert type(play.wants) is AFTERWARDS[place]
    assert play.wants == wanted or isinstance(wanted, RunAgent | Wait | Pause)
    assert (play.state.end, play.state.status, play.state.interrupted) == (None, "running", None)


def test_a_stop_while_claims_are_measured_loses_none_of_them() -> None:
    """The task is still the one that was claimed, and stays in progress until that is settled."""
    play = building().give(ended()).control("stop").resume()
    assert ResetStale() not in play.effects
    play.give(heard("complete"))
    assert play.kinds[0] == "CompleteTask"
    assert play.wants == Checkpoint(name="one is complete")


def test_what_a_turn_had_used_counts_once_when_the_run_is_stopped_in_it() -> None:
    """The playing that was cut off is in the log: the next one is another."""
    play = building().give(ended("interrupted")).control("stop").resume().give(selected("one"))
    assert (play.agent.iteration, play.agent.played) == (1, 1)
    play = building().give(ended("offline")).control("stop").resume().give(selected("one"))
    assert (play.agent.iteration, play.agent.played) == (1, 1)


def test_a_task_goes_on_where_it_was_left() -> None:
    play = building().turn("blocked").turn("refused").control("stop").resume().give(selected("one", attempts=1))
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.work.blocked) == (2, 1)
    assert play.turn("blocked").end == "blocked"


def test_what_was_left_is_not_forgotten_when_the_run_goes_on_twice() -> None:
    play = building().turn("blocked").control("stop").resume().control("stop").resume().give(selected("one"))
    assert play.state.work is not None
    assert play.state.work.blocked == 1


def test_a_run_is_paused_before_the_next_turn_and_goes_on() -> None:
    play = building().control("pause", number=1)
    assert (play.kinds, play.state.status) == (["Pause"], "paused")
    assert play.control("resume", number=2).wants == building().agent
    assert (play.state.status, play.state.wants_pause) == ("running", False)


NO_TURN = ["MeasureBase", "Checkpoint", "Measure", "CheckPhase", "Validate", "AskHuman", "Rollback", "Wait"]


@pytest.mark.parametrize("place", NO_TURN)
def test_what_is_no_turn_is_done_before_the_run_pauses(place: str) -> None:
    """The first version paused nothing at all, and forgot a pause that was asked for during a turn."""
    play = PLACES[place]()
    wanted = play.wants
    assert play.control("pause", number=1).wants == wanted
    assert play.state.wants_pause
    assert not play.control("resume", number=2).state.wants_pause


def test_a_pause_that_was_asked_for_in_a_turn_comes_after_it() -> None:
    play = building().give(ended()).control("pause", number=1).give(heard())
    assert (play.wants, play.state.work is not None) == (Pause(), True)
    assert play.control("resume", number=2).agent.iteration == 2


def test_a_pause_is_taken_back_before_it_began() -> None:
    play = building().give(ended()).control("pause").control("resume").give(heard())
    assert isinstance(play.wants, RunAgent)


@pytest.mark.parametrize("do", ["inject", "handoff", "reset_breaker", "pause"])
def test_other_words_leave_a_paused_run_paused(do: str) -> None:
    play = building().control("pause").control(do, text="x", number=3)
    assert (play.wants, play.state.status) == (Pause(), "paused")


def test_hints_are_sorted_by_priority_and_reach_exactly_one_prompt() -> None:
    """In the first version they reached none."""
    play = building()
    for text, priority in (("low", -1), ("first", 0), ("high", 9), ("second", 0)):
        play.control("inject", text=text, priority=priority)
    assert [hint.text for hint in play.state.hints] == ["high", "first", "second", "low"]
    play.give(ended())
    assert play.state.hints == ()
    assert play.control("inject", text="late").give(heard()).state.hints[0].text == "late"


@pytest.mark.parametrize("place", PLACES)
def test_a_hint_is_kept_wherever_it_comes(place: str) -> None:
    play = PLACES[place]()
    wanted = play.wants
    play.control("inject", text="Look.", number=4)
    assert (play.wants, play.state.control, play.state.hints[-1].text) == (wanted, 4, "Look.")


def test_after_its_end_a_run_takes_in_what_is_for_whoever_comes() -> None:
    play = building().control("stop")
    stopped = play.state
    for do in ("pause", "resume", "stop", "handoff"):
        play.control(do, number=9)
        assert play.state == replace(stopped, control=9)
        assert play.wants == Stop(end="stopped", why=stopped.why)
    assert play.control("inject", text="Next time.").state.hints[0].text == "Next time."


def test_the_breaker_is_reset_also_as_the_run_ends() -> None:
    play = building().turn("open", ended("crashed")).turn("open", ended("crashed")).turn("open", ended("crashed"))
    play.give(RolledBack(tree="t0"))
    assert (play.state.breaker.state, play.end) == ("open", "limit")
    assert play.control("reset_breaker").state.breaker.state == "half_open"


def test_a_person_resets_the_breaker_of_a_running_run() -> None:
    play = building().turn("open", ended("crashed")).turn(moved=False).control("reset_breaker", number=1)
    assert play.state.breaker == Breaker()
    assert isinstance(play.wants, RunAgent)


@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_was_cut_off_goes_on_with_other_limits_where_it_was(place: str) -> None:
    play = PLACES[place]()
    wanted, raised = play.wants, with_limits(tokens=10**9)
    play.control("limits", settings=raised)
    assert (play.wants, play.state.settings) == (wanted, raised)


@pytest.mark.parametrize("place", PLACES)
def test_no_turn_begins_under_a_lower_limit_that_is_reached_already(place: str) -> None:
    play = PLACES[place]()
    was_turn = isinstance(play.wants, RunAgent | Survey | Pause)
    used = play.state.here.tokens
    play.control("limits", settings=with_limits(tokens=max(1, used)))
    assert (play.end == "limit") == (was_turn and used > 0)


def test_words_that_come_again_after_a_crash_have_lower_numbers() -> None:
    assert building().control("inject", text="a", number=5).control("inject", text="b", number=4).state.control == 5


def test_going_on_takes_new_settings_and_keeps_what_the_work_is_judged_against() -> None:
    play = building().turn().control("stop")
    raised = replace(SETTINGS, context_window=1)
    play.resume(raised)
    assert (play.state.settings, play.state.checkpoint) == (raised, checkpointed())
    assert play.kinds == ["Handoff", "ResetStale", "Survey"]


def test_a_run_that_had_no_checkpoint_yet_makes_it_when_it_goes_on() -> None:
    play = Play().control("stop").resume()
    assert isinstance(play.wants, Checkpoint)
    assert isinstance(play.give(Checkpointed(id="c", commit="c", tree="t"), BaseMeasured()).wants, Survey)


def test_ralph_goes_on_after_a_person_has_completed_the_plan_by_other_means() -> None:
    play = building().control("stop").resume().give(Surveyed(next=None, complete=4))
    assert (play.state.phase, play.agent.phase) == (Phase.VALIDATION, Phase.VALIDATION)
