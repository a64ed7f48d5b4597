"""From phase to phase: what an agent says is checked, a person may have to agree, and a validation may send back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from ralph.loop.effects import (
    AskHuman,
    CapturePhase,
    CheckPhase,
    Checkpoint,
    FreezePlan,
    Handoff,
    ReopenTasks,
    Survey,
    Validate,
)
from ralph.loop.inputs import Answered, BaseMeasured, PhaseChecked, PhaseSettings, Validated
from ralph.loop.words import Phase
from tests.loop.machines import SETTINGS, Play, building, checkpointed, in_phase, selected

APPROVED = replace(SETTINGS, phases={phase: PhaseSettings(approval=True) for phase in Phase})
SAID = "All is written down."
GOOD = Validated(passed=True, verdict="PASS", verdict_run="r1")
BAD = Validated(passed=False, verdict="FAIL", verdict_run="r2", problems=("lint fails",), reopen=("one",))


def validating(settings: Any = SETTINGS) -> Play:
    return in_phase(Phase.VALIDATION, settings).turn("phase", reason=SAID)


def test_phases_follow_each_other_in_their_order() -> None:
    play = in_phase(Phase.DISCOVERY)
    play.turn("phase", reason=SAID).give(PhaseChecked(complete=True))
    assert (play.state.phase, play.agent.phase) == (Phase.PLANNING, Phase.PLANNING)
    play.turn("phase").give(PhaseChecked(complete=True))
    assert (play.state.phase, play.wants) == (Phase.BUILDING, Checkpoint(name="building, after iteration 2"))
    play.give(checkpointed(), BaseMeasured(), selected("one")).turn("complete").give(
        checkpointed("c2"), selected(None, complete=1)
    )
    assert (play.state.phase, play.agent.phase) == (Phase.VALIDATION, Phase.VALIDATION)
    play.turn("phase").give(GOOD)
    assert (play.end, play.state.verdict, play.state.verdict_run) == ("passed", "PASS", "r1")


def test_what_is_kept_when_a_phase_ends() -> None:
    play = in_phase(Phase.PLANNING).turn("phase", reason=SAID)
    assert play.wants == CheckPhase(phase=Phase.PLANNING, summary=SAID)
    play.give(PhaseChecked(complete=True))
    assert play.kinds == ["FreezePlan", "CapturePhase", "Handoff", "Checkpoint"]
    captured = play.effect(CapturePhase)
    assert (captured.phase, captured.summary, captured.spent.iterations) == (Phase.PLANNING, SAID, 1)
    assert play.effect(Handoff).reason == "phase_complete"
    assert (play.state.phase_turns, play.state.in_phase.iterations, play.state.summary) == (0, 0, "")
    assert play.state.session.number == 2


def test_the_plan_is_frozen_by_the_end_of_planning_alone() -> None:
    play = in_phase(Phase.DISCOVERY).turn("phase").give(PhaseChecked(complete=True))
    assert not any(isinstance(each, FreezePlan) for each in play.effects)


def test_what_the_check_finds_missing_is_told_and_the_phase_goes_on() -> None:
    play = in_phase(Phase.DISCOVERY).turn("phase").give(PhaseChecked(complete=False, problems=("No file.", "No goal.")))
    assert play.agent.phase is Phase.DISCOVERY
    assert play.state.told == ("The phase is not complete yet:\n- No file.\n- No goal.",)
    assert play.state.phase_turns == 1


def test_nothing_but_the_word_of_the_tool_ends_a_phase() -> None:
    """Once the words "discovery complete" anywhere in the output did."""
    assert in_phase(Phase.DISCOVERY).turn("open").agent.phase is Phase.DISCOVERY


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.PLANNING])
def test_a_person_agrees_to_the_end_of_a_phase_where_that_is_wanted(phase: Phase) -> None:
    asked = in_phase(phase, APPROVED).turn("phase").give(PhaseChecked(complete=True))
    assert asked.wants == AskHuman(phase=phase, question=f"Is the phase {phase} complete?")
    assert asked.give(Answered(approved=True)).state.phase is not phase


def built(settings: Any) -> Play:
    play = building(settings).turn("complete")
    return play.give(checkpointed("c2"), selected(None, complete=1))


def test_a_person_agrees_to_what_was_built_where_that_is_wanted() -> None:
    asked = built(APPROVED)
    assert isinstance(asked.wants, AskHuman)
    assert (asked.wants.phase, asked.state.phase) == (Phase.BUILDING, Phase.BUILDING)
    assert asked.give(Answered(approved=True)).agent.phase is Phase.VALIDATION


def test_a_person_who_does_not_agree_to_what_was_built_ends_the_run_until_the_plan_says_more() -> None:
    play = built(APPROVED).give(Answered(approved=False, reason="The page has no title."))
    assert (play.end, "The page has no title." in play.state.why) == ("failed", True)
    play.resume()
    assert isinstance(play.wants, Survey)
    play.give(selected("title", complete=1))
    assert (play.agent.phase, "The page has no title." in play.state.told[0]) == (Phase.BUILDING, True)


def test_without_an_answer_the_run_waits_and_asks_again_when_it_goes_on() -> None:
    """A closed input was once an approval."""
    play = validating(APPROVED).give(GOOD)
    asked = play.wants
    play.give(Answered(approved=None, reason="`ralph approvals approve a1`"))
    assert (play.end, play.state.why) == ("waits", "`ralph approvals approve a1`")
    assert play.resume().wants == asked
    assert play.give(Answered(approved=True)).end == "passed"


def test_a_person_who_does_not_agree_is_heard() -> None:
    play = in_phase(Phase.DISCOVERY, APPROVED).turn("phase").give(PhaseChecked(complete=True))
    play.give(Answered(approved=False, reason="What about errors?"))
    assert (play.agent.phase, "What about errors?" in play.state.told[0]) == (Phase.DISCOVERY, True)


def test_a_person_who_does_not_agree_to_the_whole_ends_the_run_as_failed() -> None:
    play = validating(APPROVED).give(GOOD, Answered(approved=False, reason="Not what I wanted."))
    assert (play.end, "Not what I wanted." in play.state.why) == ("failed", True)
    assert "Not what I wanted." in play.resume().state.told[0]


def test_a_validation_is_measured_whatever_its_agent_says_of_it() -> None:
    assert validating().wants == Validate(number=1, summary=SAID)


def test_a_failed_validation_goes_back_to_building_and_says_why() -> None:
    play = validating().give(BAD)
    assert play.kinds == ["ReopenTasks", "CapturePhase", "Handoff", "Checkpoint"]
    assert play.effect(ReopenTasks) == ReopenTasks(tasks=("one",), reason="- lint fails", validation=1)
    assert (play.state.phase, "lint fails" in play.state.told[0]) == (Phase.BUILDING, True)
    assert "lint fails" in play.give(checkpointed(), BaseMeasured(), selected("repair")).state.told[0], (
        "the next prompt says it"
    )


def test_it_goes_back_a_few_times_only() -> None:
    play = building().turn("complete").give(checkpointed("c2"), selected(None, complete=1)).turn("phase")
    for _ in range(SETTINGS.validations - 1):
        play.give(BAD, checkpointed("c3"), selected(None, complete=1)).turn("phase")
    play.give(BAD)
    assert (play.end, play.state.validations) == ("failed", SETTINGS.validations)


STOPPED: Mapping[str, tuple[Validated, str]] = {
    "nothing to reopen": (replace(BAD, reopen=()), "failed"),
    "BLOCKED": (replace(BAD, blocked=True), "blocked"),
}


@pytest.mark.parametrize("case", STOPPED)
def test_some_failures_are_for_a_person(case: str) -> None:
    given, end = STOPPED[case]
    play = validating().give(given)
    assert (play.end, "lint fails" in play.state.why) == (end, True)


@pytest.mark.parametrize("left", [{"blocked": ("two",)}, {"open": 1, "blocked": ("two",)}])
def test_a_run_with_a_task_that_is_not_complete_never_passes(left: dict[str, Any]) -> None:
    """However good the measurements look: somebody wanted that task as well."""
    play = building().turn("complete").give(checkpointed("c2"), selected(None, complete=1, blocked=("two",)))
    play.state = replace(play.state, **left)
    play.turn("phase").give(GOOD)
    assert (play.end, "two" in play.state.why) == ("failed", True)


def test_what_a_validation_took_counts_as_time() -> None:
    play = validating()
    before = play.state.here.runtime_s
    assert play.give(replace(BAD, runtime_s=60.0)).state.here.runtime_s == before + 60


def test_a_run_may_begin_in_any_phase() -> None:
    assert isinstance(Play(Phase.BUILDING).give(checkpointed(), BaseMeasured()).wants, Survey)
    for phase in (Phase.DISCOVERY, Phase.PLANNING, Phase.VALIDATION):
        assert in_phase(phase).agent.phase is phase


def test_the_end_of_a_run_is_the_end_of_its_session() -> None:
    play = validating().give(GOOD)
    assert play.kinds == ["CapturePhase", "Handoff", "Stop"]
    assert play.effect(Handoff).reason == "run_complete"


def test_words_about_a_phase_that_a_tool_wrote_as_json_are_kept_as_words() -> None:
    said = '{"summary": "Three files.", "issues": []}'
    play = in_phase(Phase.DISCOVERY).turn("phase", reason=said).give(PhaseChecked(complete=True))
    assert play.effect(CapturePhase).summary == "Three files."
