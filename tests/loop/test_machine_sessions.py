"""When a conversation ends: with a task, with a phase, at 60 % of its context, and when nobody knows how full it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from ralph.agents.base import EndReason
from ralph.loop.effects import Handoff
from ralph.loop.inputs import Waited
from ralph.loop.words import Phase, Spent
from tests.loop.machines import SETTINGS, building, ended, heard, in_phase, selected

DUE: Mapping[str, tuple[dict[str, Any], str]] = {
    "59 %": ({"context": 5_999}, "work"),
    "60 %": ({"context": 6_000}, "handoff"),
    "99 %": ({"context": 9_999}, "handoff"),
    "full": ({"context": 10_000}, "new session"),
    "the client says that it is full": ({"reason": "context_full", "context": 100}, "new session"),
    "unknown": ({"context": None}, "new session"),
    "no usage at all": ({"usage": None}, "new session"),
    "the conversation broke": ({"reason": "crashed", "context": 7_000}, "new session"),
    "there is no conversation to ask": ({"session": None, "context": 7_000}, "new session"),
}


@pytest.mark.parametrize("case", DUE)
def test_how_full_a_conversation_may_be(case: str) -> None:
    given, expected = DUE[case]
    play = building().give(ended(**given), heard("open"))
    handed = "Handoff" in play.kinds
    assert (play.agent.kind, handed) == ("handoff" if expected == "handoff" else "work", expected == "new session")
    assert play.agent.iteration == 2


def test_the_window_comes_from_the_settings_where_the_client_names_none() -> None:
    end = ended(context=6_000)
    unnamed = replace(end, usage=replace(end.usage, context_window=None))
    assert building().give(unnamed, heard()).agent.kind == "work"
    assert building(replace(SETTINGS, context_window=10_000)).give(unnamed, heard()).agent.kind == "handoff"


def test_the_agent_is_asked_for_a_summary_and_the_next_session_begins_empty() -> None:
    play = building().turn("open", ended(context=7_000), told=("2 tests fail",))
    assert play.agent == replace(building().agent, kind="handoff", iteration=2)
    play.give(ended(summary="Tests are half done.", context=7_100))
    handoff = play.effect(Handoff)
    assert (handoff.summary, handoff.reason, handoff.session) == ("Tests are half done.", "context_full", 1)
    assert (handoff.spent.iterations, handoff.told) == (1, ("2 tests fail",))
    assert handoff.spent.cost_usd == pytest.approx(0.2), "what the summary cost is the old session's"
    assert play.agent == replace(building().agent, iteration=2)
    session = play.state.session
    assert (session.number, session.clients, session.spent, session.context) == (2, {}, Spent(), None)
    assert play.state.told == ("2 tests fail",), "the fresh session is told what the old one did not see to"


ANY: tuple[EndReason, ...] = ("crashed", "offline", "rate_limited", "interrupted", "login", "api_error", "timeout")


@pytest.mark.parametrize("reason", ANY)
def test_a_handoff_happens_however_the_turn_of_the_summary_ended(reason: EndReason) -> None:
    play = building().turn("open", ended(context=7_000)).give(ended(reason, summary="half a"))
    assert (play.effect(Handoff).summary, play.agent.kind) == ("", "work")
    assert play.state.breaker.failure_count == 0
    assert play.state.work is not None
    assert play.state.work.attempt == 1


def test_hints_wait_for_a_turn_of_work() -> None:
    play = building().turn("open", ended(context=7_000)).control("inject", text="Look.", number=1).give(ended())
    assert [hint.text for hint in play.state.hints] == ["Look."]
    assert play.turn().state.hints == ()


def test_where_nobody_knows_how_full_it_is_each_iteration_has_a_session() -> None:
    play = building()
    for number in range(2, 5):
        play.turn("open", ended(context=None))
        assert (play.state.session.number, play.effect(Handoff).reason) == (number, "context_unknown")


def test_a_turn_that_had_to_wait_says_nothing_about_the_context() -> None:
    play = building().turn().give(ended("offline", usage=None, session=None), Waited())
    assert (play.agent.kind, play.state.session.number, play.state.session.context) == ("work", 1, 0.1)


def test_a_handoff_between_a_turn_that_waited_and_its_next_playing() -> None:
    """The playings of the turn are counted through it: what one of them cost does not count again."""
    play = building().turn().give(ended("offline", context=7_000), Waited())
    assert (play.agent.kind, play.agent.iteration, play.agent.played) == ("handoff", 2, 0)
    play.give(ended(summary="Half."))
    assert (play.agent.kind, play.agent.iteration, play.agent.played) == ("work", 2, 1)


def test_the_fullest_conversation_of_several_hats_decides() -> None:
    play = building().turn("open", ended(hat="builder", session="b", context=7_000))
    play = building().turn("open", ended(hat="builder", session="b", context=5_500))
    play.turn("open", ended(hat="reviewer", session="r", context=100))
    assert (play.agent.kind, play.state.session.context) == ("work", 0.55)
    play.turn("open", ended(hat="builder", session="b", context=6_500))
    assert play.agent.kind == "handoff"


def test_one_hat_whose_usage_is_unknown_makes_the_session_unknown() -> None:
    play = building().turn("open", ended(hat="builder", session="b")).turn("open", ended(hat="r", context=None))
    assert play.effect(Handoff).reason == "context_unknown"


def test_who_had_the_last_turn_is_asked_for_the_summary() -> None:
    play = building().turn("open", ended(hat="builder", session="b", context=7_000))
    assert play.state.session.hat == "builder"


def test_a_person_may_ask_for_a_handoff() -> None:
    play = building().turn().control("handoff", text="it goes in circles", number=1)
    assert play.agent.kind == "handoff"
    assert play.give(ended(summary="So far.")).effect(Handoff).reason == "it goes in circles"


def test_a_handoff_that_was_asked_for_in_a_turn_comes_after_it() -> None:
    play = building().give(ended()).control("handoff", number=1).give(heard())
    assert play.agent.kind == "handoff"
    assert play.give(ended()).effect(Handoff).reason == "manual_handoff"


def test_a_session_in_which_nothing_happened_leaves_nothing() -> None:
    play = building().control("stop")
    assert play.resume().kinds == ["ResetStale", "Survey"]
    assert play.state.session.number == 1


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.VALIDATION])
def test_conversations_end_in_phases_without_tasks_as_well(phase: Phase) -> None:
    play = in_phase(phase).turn("open", ended(context=9_000))
    assert (play.agent.kind, play.agent.task, play.agent.phase) == ("handoff", None, phase)


def test_tasks_that_were_completed_stand_in_the_handoff() -> None:
    play = building().turn("complete")
    assert play.effect(Handoff).completed == ("one",)
    assert play.effect(Handoff).reason == "task_complete"


def test_counters_of_a_session_begin_anew_and_totals_stay() -> None:
    """The first version never did the first, and so denied every tool once a session's limit was spent."""
    play = building().turn().turn("gave up")
    assert (play.state.session.spent, play.state.total.iterations, play.state.total.tokens) == (Spent(), 2, 200)


def test_tokens_of_sessions_add_up() -> None:
    """The first version took each number for a running total, so that a shorter session made it fall."""
    play = building().turn("complete", ended()).give().state
    assert play.total.tokens == 100
    longer = building()
    end = ended()
    for tokens in (5_000, 1_000):
        used = replace(end, usage=replace(end.usage, input_tokens=tokens, output_tokens=0, context_tokens=None))
        longer.give(used, heard())
    assert (longer.state.session.number, longer.state.total.tokens) == (3, 6_000)


def test_a_task_selected_with_a_handoff_outstanding_begins_after_it() -> None:
    play = building().give(ended()).control("handoff", number=1).give(heard("waits")).resume().give(selected("one"))
    assert (play.agent.kind, play.state.session.number) == ("work", 2), "the session of the run before has ended"
