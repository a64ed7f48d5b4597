"""When a run stops by itself: limits that are never overshot by more than one turn, and the breaker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from ralph.loop.breaker import Breaker
from ralph.loop.effects import Handoff, RunAgent, Survey
from ralph.loop.inputs import BaseMeasured, PhaseChecked, PhaseSettings, RolledBack, Waited
from ralph.loop.words import Phase, Spent
from tests.loop.machines import (
    SETTINGS,
    Play,
    building,
    checkpointed,
    ended,
    heard,
    in_phase,
    selected,
    with_breaker,
    with_limits,
)

LIMITS: Mapping[str, tuple[dict[str, Any], int]] = {
    "per_iteration_usd": ({"per_iteration_usd": 0.1}, 1),
    "per_session_usd": ({"per_session_usd": 0.3}, 3),
    "total_usd": ({"total_usd": 0.25}, 3),
    "tokens": ({"tokens": 250}, 3),
    "iterations": ({"iterations": 2}, 2),
    "runtime_s": ({"runtime_s": 4.0}, 4),
}
"""A limit, and the turn after which it is reached; a turn costs $0.10, 100 tokens and 1 s."""


@pytest.mark.parametrize("case", LIMITS)
def test_no_turn_begins_once_a_limit_is_reached(case: str) -> None:
    limits, turns = LIMITS[case]
    play = building(with_limits(**limits))
    for _ in range(turns - 1):
        assert isinstance(play.turn().wants, RunAgent)
    play.turn()
    assert (play.end, play.state.breaker.state, play.state.breaker.opened_for) == ("limit", "open", "limit")


@pytest.mark.parametrize("case", ["total_usd", "tokens", "iterations", "runtime_s"])
def test_a_limit_that_is_reached_stays_so_when_the_run_goes_on(case: str) -> None:
    limits, turns = LIMITS[case]
    play = building(with_limits(**limits))
    for _ in range(turns):
        play.turn()
    assert play.resume(reset_breaker=True).end == "limit"
    assert play.resume(SETTINGS).wants == Survey()
    assert play.state.breaker.state == "half_open"


@pytest.mark.parametrize("case", ["per_iteration_usd", "per_session_usd"])
def test_a_run_that_goes_on_has_an_iteration_and_a_session_of_its_own(case: str) -> None:
    limits, turns = LIMITS[case]
    play = building(with_limits(**limits))
    for _ in range(turns):
        play.turn()
    assert play.resume().wants == Survey()


BEFORE: Mapping[str, Callable[[Play], Play]] = {
    "the turn is cut off": lambda play: play.give(ended("interrupted")),
    "the turn had to wait": lambda play: play.give(ended("offline"), Waited()),
    "the turn only summed up": lambda play: play.turn("open", ended(context=9_000)).give(ended()),
    "the task is complete": lambda play: play.turn("complete").give(checkpointed("c2")),
    "the task is blocked": lambda play: play.turn("gave up").give(RolledBack(tree="t")),
    "the attempt failed": lambda play: play.turn("refused"),
    "measuring took long": lambda play: play.turn(runtime_s=500.0),
}


@pytest.mark.parametrize("case", BEFORE)
def test_limits_are_looked_at_before_every_turn(case: str) -> None:
    limits: dict[str, Any] = {"runtime_s": 400.0} if case == "measuring took long" else {"total_usd": 0.1}
    if case == "the turn only summed up":
        limits = {"total_usd": 0.2}
    play = BEFORE[case](building(with_limits(**limits)))
    assert play.end == "limit"


def test_what_earlier_runs_cost_counts_for_the_total_alone() -> None:
    spent = Spent(cost_usd=9.0, tokens=10**6, runtime_s=10**5, iterations=500)
    assert Play(settings=with_limits(total_usd=9.0), carried=spent).give(checkpointed(), BaseMeasured()).end == "limit"
    play = Play(settings=with_limits(tokens=200, iterations=2, runtime_s=9.0, total_usd=10.0), carried=spent)
    assert play.give(checkpointed(), BaseMeasured()).wants == Survey()


def test_a_cost_that_is_no_number_is_unknown_and_never_makes_a_run_endless() -> None:
    """The first version compared NaN with its limit, which is never reached."""
    for strange in (float("nan"), float("inf"), -1.0):
        play = building(with_limits(total_usd=1.0, iterations=None)).turn("open", ended(cost=strange))
        assert (play.end, play.state.total.cost_usd, play.state.total.unpriced) == ("limit", 0.0, 1)


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.PLANNING, Phase.BUILDING, Phase.VALIDATION])
def test_limits_and_the_breaker_hold_in_every_phase(phase: Phase) -> None:
    """The first version looked at them in two of its four phases."""

    def begun(settings: Any) -> Play:
        return building(settings) if phase is Phase.BUILDING else in_phase(phase, settings)

    assert begun(with_limits(total_usd=0.1)).turn().end == "limit"
    play = begun(with_breaker(stagnation=1))
    play.turn(moved=False).turn(moved=False)
    assert (play.end, play.state.breaker.halted_by) == ("limit", "stagnation:2")


def test_the_breaker_opens_at_the_third_failure_and_names_the_last() -> None:
    play = building()
    for reason in ("api_error", "api_error"):
        play.turn("open", ended(reason, detail="529"))
    assert play.state.breaker.failure_count == 2
    play.turn("open", ended("api_error", detail="overloaded"))
    assert (play.end, "consecutive_failures:3: api_error: overloaded" in play.state.why) == ("limit", True)


def test_a_refused_claim_is_no_failure_of_the_breaker_but_a_task_that_ends_so_is() -> None:
    play = building().turn("refused").turn("refused")
    assert play.state.breaker.failure_count == 0
    assert play.turn("refused").state.breaker.failure_count == 1


def test_a_complete_task_resets_the_failures_and_a_turn_that_went_well_does_not() -> None:
    play = building().turn("open", ended("api_error")).turn("open", ended("api_error")).turn("open")
    assert play.state.breaker.failure_count == 2
    assert play.turn("complete").state.breaker == Breaker()


def test_an_idle_iteration_counts_once_and_after_five_a_fresh_session_is_tried_once() -> None:
    """The first version counted each twice, and so halted after three."""
    play = building()
    for count in range(1, 5):
        assert play.turn(moved=False).state.breaker.stagnation_count == count
    play.turn(moved=False)
    assert play.effect(Handoff).reason == "stagnation"
    assert (play.agent.kind, play.state.breaker.state, play.state.session.number) == ("work", "half_open", 2)
    assert "Nothing has changed" in play.state.told[-1]
    play.turn(moved=False)
    assert (play.end, play.state.breaker.halted_by) == ("limit", "stagnation:6")


IDLE: Mapping[str, tuple[dict[str, Any], int]] = {
    "nothing changed": ({"moved": False}, 1),
    "the tree changed, or an event was accepted": ({"moved": True}, 0),
    "a refusal": ({"outcome": "refused", "moved": False}, 1),
    "a task is complete": ({"outcome": "complete", "moved": False}, 0),
    "a task is given up": ({"outcome": "gave up", "moved": False}, 0),
    "a task is abandoned": ({"outcome": "abandoned", "moved": False}, 0),
}


@pytest.mark.parametrize("case", IDLE)
def test_what_is_progress(case: str) -> None:
    given, count = IDLE[case]
    assert building().turn(**given).state.breaker.stagnation_count == count


def test_the_last_attempt_of_a_task_is_a_transition() -> None:
    play = building().turn("refused", moved=False).turn("refused", moved=False)
    assert play.state.breaker.stagnation_count == 2
    assert play.turn("refused", moved=False).state.breaker.stagnation_count == 0


def test_saying_that_a_phase_is_complete_is_no_progress_unless_it_is() -> None:
    play = in_phase(Phase.DISCOVERY)
    for count in range(1, 5):
        play.turn("phase", moved=False).give(PhaseChecked(complete=False, problems=("No file in specs/.",)))
        assert play.state.breaker.stagnation_count == count
    play.turn("phase", moved=False).give(PhaseChecked(complete=True))
    assert (play.state.phase, play.state.breaker.stagnation_count) == (Phase.PLANNING, 0)


def opened(**settings: Any) -> Play:
    """A run that the breaker has stopped, after three failures."""
    play = building(with_breaker(**settings))
    for _ in range(3):
        play.turn("open", ended("api_error"))
    assert play.end == "limit"
    return play


def test_an_open_breaker_halts_until_the_cooldown_is_over_or_a_person_resets_it() -> None:
    play = opened()
    assert play.resume().end == "limit"
    assert "wait 300 s" in play.state.why
    assert play.resume(reset_breaker=True).state.breaker.state == "half_open"
    play = opened()
    play.now = play.now.replace(hour=1)
    assert play.resume().wants == Survey()
    assert play.state.breaker.state == "half_open"


def test_half_open_is_one_attempt() -> None:
    play = opened().resume(reset_breaker=True).give(selected("one"))
    assert play.turn("open", ended("api_error")).end == "limit"
    assert play.resume(reset_breaker=True).give(selected("one")).turn("complete").state.breaker == Breaker()


def test_an_open_breaker_of_an_earlier_run_halts_the_next_one() -> None:
    play = Play(breaker=opened().state.breaker)
    assert (play.end, play.kinds) == ("limit", ["ResetStale", "Stop"])


def test_a_breaker_that_may_be_tried_again_is_so_whatever_the_run_was_about_to_do() -> None:
    """What is done first is what was cut off; then the one attempt is there."""
    play = building()
    for _ in range(2):
        play.turn("open", ended("api_error"))
    play.turn("gave up").control("stop")
    assert play.state.breaker.state == "open"
    play.now = play.now.replace(hour=1)
    assert play.resume().kinds[-1] == "Rollback"
    assert play.give(RolledBack(tree="t")).wants == Survey()


def test_a_phase_takes_at_most_its_turns() -> None:
    limited = replace(SETTINGS, phases={"discovery": PhaseSettings(iterations=2)})
    play = in_phase(Phase.DISCOVERY, limited).turn().turn(told=("There is no specification.",))
    assert (play.end, "after 2 turns" in play.state.why) == ("limit", True)
    assert "There is no specification." in play.state.why
    assert play.resume(SETTINGS).agent.phase is Phase.DISCOVERY


def test_building_takes_at_most_its_turns_however_many_tasks_they_are_for() -> None:
    limited = replace(SETTINGS, phases={"building": PhaseSettings(iterations=2)})
    play = building(limited).turn("complete").give(checkpointed("c2"), selected("two")).turn("complete")
    play.give(checkpointed("c3"), selected("three"))
    assert (play.end, play.kinds) == ("limit", ["Stop"]), "a task that nobody works on does not begin"
    play = building(limited).turn("complete").give(checkpointed("c2"), selected("two")).turn("complete")
    assert play.give(checkpointed("c3"), selected(None, complete=2)).state.phase is Phase.VALIDATION


def test_the_iterations_of_a_run_are_those_that_were_measured() -> None:
    """Being offline for a night uses up none of them."""
    play = building(with_limits(iterations=2))
    for _ in range(50):
        play.give(ended("offline", usage=None), Waited())
    assert play.turn().agent.iteration == 2
    assert play.give(ended(), heard()).end == "limit"
