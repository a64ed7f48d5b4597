"""What follows from how a turn ended: attempts, the breaker, waits, replays, and who must be told what again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from ralph.agents.base import EndReason
from ralph.loop.effects import BlockTask, FailTask, Measure, Wait
from ralph.loop.inputs import Waited
from ralph.loop.turns import MOST_REPLAYS
from tests.loop.machines import SETTINGS, Play, building, ended, heard, selected

MEASURED: Mapping[EndReason, tuple[int, int]] = {
    "completed": (0, 0),
    "limit": (0, 0),
    "budget": (0, 0),
    "context_full": (0, 0),
    "timeout": (1, 1),
    "stalled": (1, 1),
    "crashed": (1, 1),
    "error": (1, 1),
    "ungoverned": (1, 1),
    "api_error": (0, 1),
}
"""By how a turn ended: the attempts it uses up, and the failures that the breaker counts."""


@pytest.mark.parametrize("reason", MEASURED)
def test_a_turn_is_measured_however_it_ended_and_costs_what_it_should(reason: EndReason) -> None:
    attempts, failures = MEASURED[reason]
    play = building().give(ended(reason))
    assert play.wants == Measure(iteration=1)
    play.give(heard("open"))
    assert play.agent.iteration == 2
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.breaker.failure_count) == (1 + attempts, failures)
    assert ("FailTask" in play.kinds) == bool(attempts)


@pytest.mark.parametrize("reason", [*MEASURED, "login", "interrupted"])
def test_what_was_claimed_counts_however_the_turn_ended(reason: EndReason) -> None:
    play = building()
    for _ in range(MOST_REPLAYS if reason == "interrupted" else 0):
        play.give(ended(reason))
    play.turn("complete", ended(reason))
    assert play.kinds[:2] == ["CompleteTask", "CaptureMemory"]
    assert play.state.breaker.failure_count == 0


def test_without_a_login_the_run_stops_and_uses_up_nothing() -> None:
    play = building().turn("open", ended("login", detail="run `claude login`"), moved=False)
    assert (play.end, play.state.why) == ("error", "The agent is not logged in: run `claude login`")
    assert play.state.breaker.failure_count == 0
    assert play.resume().give(selected("one")).wants == replace(building().agent, iteration=2)


@pytest.mark.parametrize("reason", ["offline", "rate_limited"])
def test_what_has_to_wait_is_the_same_iteration_again(reason: EndReason) -> None:
    play = building()
    waits = []
    for _ in range(9):
        waits.append(play.give(ended(reason, cost=0.0)).effect(Wait).seconds)
        play.give(Waited())
    assert waits == [15, 30, 60, 120, 240, 480, 900, 900, 900]
    assert play.state.work is not None
    assert (
        play.state.work.attempt,
        play.state.iteration,
        play.state.here.iterations,
        play.state.breaker.failure_count,
    ) == (1, 0, 0, 0)
    assert (play.agent.iteration, play.agent.played) == (1, 9)
    assert play.turn("complete").kinds[0] == "CompleteTask"


def test_a_wait_of_many_months_is_no_larger_than_any_other() -> None:
    """Doubling without an end is no number any more after a thousand times."""
    play = building()
    play.state = replace(play.state, replays=5_000)
    assert isinstance(play.give(ended("offline")).wants, Wait)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [(30.0, 31.0), (0.0, 1.0), (-5.0, 1.0), (18_000.0, 18_001.0), (math.nan, 15.0), (math.inf, 15.0), (None, 15.0)],
)
def test_a_provider_says_how_long_to_wait(asked: float | None, waits: float) -> None:
    wait = building().give(ended("rate_limited", retry_after_s=asked, detail="limit")).effect(Wait)
    assert (wait.seconds, wait.why) == (waits, "the provider asks to wait: limit")


def test_a_wait_says_when_it_is_over_so_that_it_does_not_begin_again() -> None:
    play = building().give(ended("rate_limited", retry_after_s=3_599.0))
    wait = play.effect(Wait)
    assert wait.until == "2026-01-01T01:00:00.000Z"
    assert play.control("inject", text="Hurry.", number=1).wants == wait


def test_waiting_can_be_switched_off_for_what_the_provider_asks_alone() -> None:
    hasty = replace(SETTINGS, wait_for_limits=False)
    assert building(hasty).give(ended("rate_limited")).end == "limit"
    assert isinstance(building(hasty).give(ended("offline")).wants, Wait)


def test_what_was_cut_off_is_played_again_a_few_times_and_then_counts() -> None:
    play = building()
    for count in range(MOST_REPLAYS):
        play.give(ended("interrupted"))
        assert play.wants == replace(building().agent, played=count + 1)
    assert play.give(ended("interrupted")).wants == Measure(iteration=1)
    play.give(heard("open"))
    assert play.wants == replace(building().agent, iteration=2)
    assert play.state.work is not None
    assert (play.state.work.attempt, play.state.breaker.failure_count) == (1, 0)


def test_every_playing_costs_what_it_used_and_is_one_iteration() -> None:
    play = building().give(ended("interrupted"), ended("offline", usage=None), Waited(), ended(), heard("open"))
    assert (play.state.here.iterations, play.state.iteration) == (1, 1)
    assert (play.state.here.tokens, play.state.here.runtime_s) == (200, 3.0)
    assert play.state.here.cost_usd == pytest.approx(0.2)
    assert play.state.work is not None
    assert play.state.work.tokens == 200


@pytest.mark.parametrize("reason", ["completed", "crashed", "offline", "rate_limited", "interrupted", "login"])
def test_a_tool_that_nobody_had_decided_about_stops_the_run_however_the_turn_ended(reason: EndReason) -> None:
    """A turn that is to be played again would have hidden what ran in it."""
    play = building().give(ended(reason, ungoverned=("Bash rm -rf /",)))
    assert play.wants == Measure(iteration=1)
    play.give(heard("tampered", reason="Bash rm -rf /"))
    assert play.end == "blocked"
    assert play.effect(BlockTask).reason == "Bash rm -rf /"


def test_such_a_tool_stops_the_run_in_a_turn_that_only_sums_up_as_well() -> None:
    play = building().turn("open", ended(context=7_000)).give(ended(ungoverned=("Write x.py",)))
    assert (play.end, play.effect(BlockTask).task) == ("blocked", "one")
    assert "Write x.py" in play.state.why


LOST: Mapping[EndReason, bool] = {
    "completed": False,
    "limit": False,
    "budget": False,
    "context_full": False,
    "crashed": True,
    "stalled": True,
    "timeout": True,
    "error": True,
    "api_error": True,
    "login": True,
}


@pytest.mark.parametrize("reason", LOST)
def test_what_nobody_may_have_read_is_said_again(reason: EndReason) -> None:
    play = building().turn(told=("lint fails",)).control("inject", text="Look at b.py.", number=1)
    play.turn("open", ended(reason))
    said = (play.state.told, tuple(hint.text for hint in play.state.hints))
    assert said == ((("lint fails",), ("Look at b.py.",)) if LOST[reason] else ((), ()))


@pytest.mark.parametrize("reason", ["offline", "rate_limited", "interrupted"])
def test_what_is_to_be_said_stays_for_the_turn_that_is_played_again(reason: EndReason) -> None:
    play = building().turn(told=("lint fails",)).control("inject", text="Look.", number=1).give(ended(reason))
    if reason != "interrupted":
        play.give(Waited())
    assert play.agent.iteration == 2
    assert (play.state.told, [hint.text for hint in play.state.hints]) == (("lint fails",), ["Look."])


def test_a_refusal_reaches_the_next_prompt_and_no_other() -> None:
    play = building().turn("refused", told=("2 tests fail",))
    assert play.state.told == ("2 tests fail",)
    assert play.turn().state.told == ()


def conversation(play: Play) -> Mapping[str, str]:
    return play.state.session.clients


CONVERSATIONS: Mapping[str, tuple[dict[str, Any], Mapping[str, str]]] = {
    "goes on": ({}, {"": "conversation"}),
    "by hat": ({"hat": "reviewer", "session": "other"}, {"": "conversation", "reviewer": "other"}),
    "the client gave none": ({"session": None}, {"": "conversation"}),
    "has a new one": ({"session": "another"}, {"": "another"}),
    "broke down": ({"reason": "crashed"}, {}),
}


@pytest.mark.parametrize("case", CONVERSATIONS)
def test_a_conversation_goes_on_until_it_breaks(case: str) -> None:
    more, expected = CONVERSATIONS[case]
    assert conversation(building().turn().give(ended(**more))) == expected


def test_what_a_failed_attempt_says() -> None:
    failed = building().turn("open", ended("crashed", detail="exit code 139")).effect(FailTask)
    assert failed == FailTask(task="one", attempt=1, reason="the agent broke down (crashed: exit code 139)")
