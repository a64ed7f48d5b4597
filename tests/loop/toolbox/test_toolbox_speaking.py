"""Events and signals: they reach the inbox of the turn, whatever else is written at the same time, and end nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ralph.loop import said
from ralph.loop.words import Phase
from tests.loop.toolbox.desks import EVIDENCE, Situation, situation, task

EMIT, SIGNAL = "ralph_emit", "ralph_signal_phase_complete"


@pytest.fixture
def at_a(tmp_path: Path) -> Situation:
    return situation(tmp_path, task("a"), at_work="a")


def test_an_event_is_read_at_once_and_judged_later(at_a: Situation) -> None:
    told = at_a.done(EMIT, topic="build.done", payload=EVIDENCE)
    assert (told["outcome"], told["to_be_measured"]) == ("accepted", True)
    assert at_a.posted() == [("build.done", EVIDENCE, None)]


def test_a_claim_that_fails_is_told_what_to_do(at_a: Situation) -> None:
    told = at_a.done(EMIT, topic="build.done", payload=EVIDENCE.replace("lint: pass", "lint: fail"))
    assert (told["outcome"], told["publishes"], told["failed"]) == ("rewritten", "build.blocked", ["lint"])


def test_notes_are_enough_for_the_tool_and_not_for_an_event(at_a: Situation) -> None:
    assert at_a.done(EMIT, topic="build.done", payload="all good")["outcome"] == "rewritten"


REFUSED = {
    "a reserved topic": ("task.complete", "is reserved for Ralph and for people"),
    "a reserved topic in upper case": ("HUMAN.approved", "is reserved for Ralph and for people"),
    "a topic of another hat": ("review.done", "does not publish review.done"),
    "no topic": ("build done", "is no topic"),
}


@pytest.mark.parametrize(("topic", "told"), REFUSED.values(), ids=REFUSED)
def test_what_the_door_refuses_is_not_posted(at_a: Situation, topic: str, told: str) -> None:
    assert told in at_a.refused(EMIT, topic=topic)


def test_a_payload_that_is_too_long_is_not_posted(at_a: Situation) -> None:
    assert "at most 65,536 are taken" in at_a.refused(EMIT, topic="build.done", payload="x" * 70_000)
    assert "at most 65536 are taken" in at_a.refused(EMIT, topic="build.done", payload="é" * 40_000)


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.PLANNING, Phase.VALIDATION])
def test_a_signal_is_recorded_with_all_that_was_said(tmp_path: Path, phase: Phase) -> None:
    """In the first implementation signals were lost when the loop saved an older state over them."""
    place = situation(tmp_path, phase=phase)
    told = place.done(SIGNAL, phase=str(phase), summary="done", artifacts=["specs/a.md"], issues="no tests")
    assert (told["status"], told["artifacts"], told["issues"]) == ("claimed", ["specs/a.md"], ["no tests"])
    ((topic, payload, tool),) = place.posted()
    assert (topic, tool) == ("phase.done", SIGNAL)
    assert (said.summary(payload), said.issues(payload)) == ("done", ("no tests",))
    assert json.loads(payload)["phase"] == phase


def test_only_the_summary_is_required(tmp_path: Path) -> None:
    place = situation(tmp_path, phase=Phase.PLANNING)
    assert place.done(SIGNAL, summary="done")["phase"] == "planning"


def test_a_validation_that_did_not_pass_is_heard(tmp_path: Path) -> None:
    """The first implementation took `passed: false` for a pass."""
    place = situation(tmp_path, phase=Phase.VALIDATION)
    place.done(SIGNAL, summary="STATUS: FAIL ... validation complete", passed=False)
    ((_, payload, _),) = place.posted()
    assert json.loads(payload)["passed"] is False
    assert said.issues(payload)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another phase": ({"phase": "building"}, "This is planning, not building"),
    "a phase that there is not": ({"phase": "testing"}, "'phase' must be one of: discovery, planning, building"),
    "a blank summary": ({"summary": " "}, "'summary' must not be blank"),
    "passed in words": ({"passed": "no"}, "'passed' must be true or false"),
    "a blank artifact": ({"artifacts": [""]}, "'artifacts[0]' must not be blank"),
}


@pytest.mark.parametrize(("more", "told"), WRONG.values(), ids=WRONG)
def test_a_signal_that_is_wrong_says_nothing(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    assert told in situation(tmp_path, phase=Phase.PLANNING).refused(SIGNAL, **{"summary": "done", **more})


def test_building_does_not_end_by_a_signal_while_a_task_is_at_work(at_a: Situation) -> None:
    assert "building ends by itself when no task is open" in at_a.refused(SIGNAL, summary="all done")


def test_outside_of_a_turn_nothing_is_published(tmp_path: Path) -> None:
    place = situation(tmp_path)
    for tool, arguments in ((EMIT, {"topic": "build.done"}), (SIGNAL, {"summary": "x"})):
        assert "speaks for an agent in a turn" in place.refused(tool, **arguments)
