"""What an agent notes is on the disk when the tool answers, and nobody's older copy takes it away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.loop.breaker import Breaker, BreakerSettings, failed
from ralph.loop.memory.notes import learnings, remembered
from ralph.loop.saved import fresh
from ralph.loop.words import Phase
from tests.loop.toolbox.desks import NOW, Situation, situation, task

MEMORY, LEARN, STATE = "ralph_update_memory", "ralph_append_learning", "ralph_get_state_summary"


@pytest.fixture
def place(tmp_path: Path) -> Situation:
    return situation(tmp_path, task("a"), at_work="a")


def test_a_note_outlives_a_state_that_was_read_before_it(place: Situation) -> None:
    """The first implementation kept the note in its state, and then saved an older copy of that over it."""
    states = place.desk.states
    states.save(fresh(place.desk.root, now=NOW))
    older = states.load()
    told = place.done(MEMORY, content="the parser is done")
    assert (told["mode"], told["length"]) == ("append", len("the parser is done\n"))
    states.save(replace(older, iteration_count=1))
    assert remembered(place.desk.root) == "the parser is done\n"


def test_notes_are_added_or_begun_anew(place: Situation) -> None:
    place.done(MEMORY, content="one")
    place.done(MEMORY, content="two", mode="append")
    assert remembered(place.desk.root).split() == ["one", "two"]
    place.done(MEMORY, content="three", mode="replace")
    assert remembered(place.desk.root).split() == ["three"]


def test_a_learning_is_one_line(place: Situation) -> None:
    place.done(LEARN, learning="use\nuv run", category="build")
    place.done(LEARN, learning="no category")
    first, second = learnings(place.desk.root)
    assert first.startswith("[2026-03-01 12:00:00] BUILD: use")
    assert second == "[2026-03-01 12:00:00] PATTERN: no category"


INVALID: dict[str, tuple[str, dict[str, Any], str]] = {
    "memory mode bad": (MEMORY, {"content": "x", "mode": "bad"}, "'mode' must be one of: append, replace"),
    "a blank note": (MEMORY, {"content": " "}, "'content' must not be blank"),
    "a note of 10001 characters": (MEMORY, {"content": "x" * 10_001}, "at most 10,000 are taken"),
    "no note": (MEMORY, {}, "'content' is missing"),
    "an unknown category": (LEARN, {"learning": "x", "category": "gossip"}, "'category' must be one of: pattern"),
    "a blank learning": (LEARN, {"learning": "\n"}, "'learning' must not be blank"),
}


@pytest.mark.parametrize(("tool", "arguments", "told"), INVALID.values(), ids=INVALID)
def test_what_is_not_valid_is_not_kept(place: Situation, tool: str, arguments: dict[str, Any], told: str) -> None:
    assert told in place.refused(tool, **arguments)


def test_the_state_of_a_project_where_nothing_was_done_yet(tmp_path: Path) -> None:
    told = situation(tmp_path).done(STATE)
    assert (told["phase"], told["iteration"], told["total_cost_usd"], told["should_halt"]) == (
        "discovery",
        0,
        0.0,
        False,
    )
    assert not (tmp_path / "project" / ".ralph" / "state.json").exists()


def test_the_state_says_where_the_run_stands_and_why_it_halts(place: Situation) -> None:
    breaker = failed(Breaker(stagnation_count=1), "tests", BreakerSettings(failures=1), NOW)
    saved = fresh(place.desk.root, now=NOW, phase=Phase.BUILDING)
    place.desk.states.save(
        replace(saved, circuit_breaker=breaker, total_cost_usd=12.5, total_tokens_used=900, session_id="s1")
    )
    told = place.done(STATE)
    assert (told["phase"], told["iteration"], told["session_id"]) == ("building", 7, "s1")
    assert (told["total_cost_usd"], told["total_tokens_used"]) == (12.5, 900)
    assert told["circuit_breaker"] == {"state": "open", "failure_count": 1, "stagnation_count": 1}
    assert (told["should_halt"], told["halt_reason"]) == (True, "consecutive_failures:1")


def test_a_damaged_state_is_said_to_be_damaged(place: Situation) -> None:
    place.desk.states.save(fresh(place.desk.root, now=NOW))
    place.desk.states.path.write_text("null")
    assert "state.json" in place.refused(STATE)
