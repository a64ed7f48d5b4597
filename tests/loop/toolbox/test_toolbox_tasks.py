"""Tools about the task at work: Ralph selects it, the agent only claims, and nothing but its turn's inbox changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ralph.events.door import Admitted, Measurement, Refused, admit
from ralph.loop.plan import transitions
from ralph.loop.plan.model import TaskStatus
from ralph.loop.words import Phase
from tests.loop.toolbox.desks import EVIDENCE, Situation, situation, task

COMPLETE, BLOCKED, RETRY = "ralph_mark_task_complete", "ralph_mark_task_blocked", "ralph_increment_retry"
START, NEXT = "ralph_mark_task_in_progress", "ralph_get_next_task"


@pytest.fixture
def at_a(tmp_path: Path) -> Situation:
    """`a` is at work, `b` waits for it, `c` is free, `d` is complete, `e` is blocked."""
    return situation(
        tmp_path,
        task("a", verification_criteria=("`pytest -q` passes",)),
        task("b", dependencies=("a",)),
        task("c", priority=5),
        task("d", status=TaskStatus.COMPLETE),
        task("e", status=TaskStatus.BLOCKED, blockers=("no key",)),
        at_work="a",
    )


class TestNext:
    def test_it_shows_the_task_of_the_turn(self, at_a: Situation) -> None:
        told = at_a.done(NEXT)
        assert told["task"] == {
            "id": "a",
            "description": "Do a.",
            "priority": 1,
            "status": "in_progress",
            "dependencies": [],
            "verification_criteria": ["`pytest -q` passes"],
            "estimated_tokens": 30_000,
            "retry_count": 0,
            "spec_files": [],
        }
        assert told["remaining_count"] == 2

    def test_outside_of_a_turn_it_shows_what_would_be_next(self, tmp_path: Path) -> None:
        place = situation(tmp_path, task("a", priority=2), task("b", priority=1))
        assert place.done(NEXT)["task"]["id"] == "b"
        assert place.status("b") == "pending"

    def test_a_plan_without_tasks_has_none(self, tmp_path: Path) -> None:
        assert situation(tmp_path).done(NEXT) == {
            "message": "The plan has no tasks.",
            "task": None,
            "remaining_count": 0,
        }

    def test_a_cycle_is_named_instead_of_no_more_tasks(self, tmp_path: Path) -> None:
        """In the first implementation it was reported as success: no more tasks."""
        place = situation(tmp_path, task("a", dependencies=("b",)), task("b", dependencies=("a",)))
        assert "'a', 'b' wait for each other" in place.done(NEXT)["message"]


class TestStart:
    def test_the_selected_task_is_in_progress_however_often_it_is_said(self, at_a: Situation) -> None:
        before = at_a.files()
        for _ in range(2):
            assert at_a.done(START, task_id="a")["status"] == "in_progress"
        assert at_a.files() == before

    def test_another_task_is_not_the_agents_to_select(self, at_a: Situation) -> None:
        assert at_a.refused(START, task_id="c") == (
            "Ralph selects the tasks, and this turn is for 'a', not for 'c': work on that."
        )

    def test_what_is_complete_is_not_begun_again(self, tmp_path: Path) -> None:
        place = situation(tmp_path, task("a"), at_work="a")
        place.plan.change(lambda plan: transitions.complete(plan, "a", at="2026-01-01T00:00:00Z"))
        assert "is complete, not in progress" in place.refused(START, task_id="a")


class TestComplete:
    def test_it_records_the_claim_and_completes_nothing(self, at_a: Situation) -> None:
        plan = at_a.plan.path.read_bytes()
        told = at_a.done(COMPLETE, task_id="a", verification_notes="all tests pass", tokens_used=1200)
        assert told["status"] == "claimed"
        assert (told["completion_percentage"], told["remaining_tasks"]) == (0.2, 3)
        assert at_a.posted() == [("build.done", "all tests pass", COMPLETE)]
        assert at_a.plan.path.read_bytes() == plan

    def test_optional_fields_are_optional(self, at_a: Situation) -> None:
        """In the first implementation a call without the notes was refused by the schema."""
        assert at_a.done(COMPLETE, task_id="a")["status"] == "claimed"
        assert at_a.posted() == [("build.done", "", COMPLETE)]

    def test_what_is_complete_already_is_a_success_that_says_so(self, at_a: Situation) -> None:
        assert at_a.done(COMPLETE, task_id="d")["was_already_complete"] is True
        assert at_a.posted() == []

    NOT_ITS_OWN = {
        "a task that does not exist": ("nope", "There is no task 'nope'"),
        "a pending one with open dependencies": ("b", "this turn is for 'a', not for 'b'"),
        "a pending one": ("c", "this turn is for 'a', not for 'c'"),
        "a blocked one": ("e", "this turn is for 'a', not for 'e'"),
    }

    @pytest.mark.parametrize(("task_id", "told"), NOT_ITS_OWN.values(), ids=NOT_ITS_OWN)
    def test_only_the_task_at_work_can_be_claimed(self, at_a: Situation, task_id: str, told: str) -> None:
        """The first implementation completed tasks from any state, and counted ones that did not exist."""
        assert told in at_a.refused(COMPLETE, task_id=task_id, verification_notes=EVIDENCE)

    def test_not_before_it_was_begun(self, tmp_path: Path) -> None:
        place = situation(tmp_path, task("a"), at_work="a")
        place.plan.change(transitions.reset_stale)
        assert "is pending, not in progress" in place.refused(COMPLETE, task_id="a")

    def test_where_evidence_is_only_claimed_the_notes_must_hold_it(self, tmp_path: Path) -> None:
        place = situation(tmp_path, task("a"), at_work="a", evidence="claimed")
        told = place.done(COMPLETE, task_id="a", verification_notes="all good")
        assert told["reads"] == "rewritten"
        assert "build.done" in told["message"]
        assert place.done(COMPLETE, task_id="a", verification_notes=EVIDENCE)["reads"] == "accepted"

    def test_a_claim_with_a_stale_token_is_refused(self, at_a: Situation) -> None:
        seat = at_a.desk.seat
        assert seat is not None
        stale = Situation(replace(at_a.desk, seat=replace(seat, token="6.abc")))
        assert "its token is that of iteration 6, and this is iteration 7" in stale.refused(COMPLETE, task_id="a")

    def test_the_measurement_decides_about_the_claim(self, at_a: Situation) -> None:
        at_a.done(COMPLETE, task_id="a", verification_notes="I am sure")
        (emission,) = at_a.emissions()
        seat = at_a.desk.seat
        assert seat is not None
        for holds, topic in ((True, "build.done"), (False, "build.blocked")):
            judged = admit(emission, seat.rules, lambda *_, holds=holds: Measurement(holds=holds))
            assert isinstance(judged, Admitted)
            assert judged.event.topic == topic
        assert isinstance(admit(emission, seat.rules), Refused)  # nothing can measure it


class TestBlockedAndRetry:
    @pytest.mark.parametrize(("tool", "reason"), [(BLOCKED, "the key is missing"), (RETRY, "wrong approach")])
    def test_they_are_recorded_and_change_no_task(self, at_a: Situation, tool: str, reason: str) -> None:
        plan = at_a.plan.path.read_bytes()
        told = at_a.done(tool, task_id="a", reason=reason)
        assert told["status"] == "claimed"
        assert [(payload, by) for _, payload, by in at_a.posted()] == [(reason, tool)]
        assert at_a.plan.path.read_bytes() == plan

    def test_a_retry_needs_no_reason_and_never_raises_the_count_itself(self, at_a: Situation) -> None:
        for _ in range(5):
            assert at_a.done(RETRY, task_id="a")["retry_count"] == 0

    def test_a_complete_task_is_neither_blocked_nor_opened_again(self, at_a: Situation) -> None:
        """The first implementation did both."""
        for tool in (BLOCKED, RETRY):
            assert "not for 'd'" in at_a.refused(tool, task_id="d", reason="x")

    def test_blocking_it_twice_says_so(self, tmp_path: Path) -> None:
        place = situation(tmp_path, task("a"), at_work="a")
        place.plan.change(lambda plan: transitions.block(plan, "a", "no key"))
        assert place.done(BLOCKED, task_id="a", reason="no key")["was_already_blocked"] is True
        assert place.posted() == []


SAYING = {START: {}, COMPLETE: {}, BLOCKED: {"reason": "x"}, RETRY: {}}


@pytest.mark.parametrize(("tool", "more"), SAYING.items(), ids=SAYING)
def test_outside_of_a_turn_there_is_nobody_to_speak_for(tmp_path: Path, tool: str, more: dict[str, str]) -> None:
    told = situation(tmp_path, task("a")).refused(tool, task_id="a", **more)
    assert told == f"{tool} speaks for an agent in a turn of `ralph run`, and this is none: nothing was done."


INVALID = {
    "an id with a blank": (COMPLETE, {"task_id": "a b"}),
    "an empty id": (COMPLETE, {"task_id": ""}),
    "an id of 101 characters": (COMPLETE, {"task_id": "a" * 101}),
    "an id with a line end": (START, {"task_id": "a\n"}),
    "an id that leads elsewhere": (START, {"task_id": "../a"}),
    "no id": (START, {}),
    "-1 tokens": (COMPLETE, {"task_id": "a", "tokens_used": -1}),
    "too many tokens": (COMPLETE, {"task_id": "a", "tokens_used": 10_000_001}),
    "tokens as a text": (COMPLETE, {"task_id": "a", "tokens_used": "5"}),
    "a blank reason": (BLOCKED, {"task_id": "a", "reason": "  "}),
    "no reason": (BLOCKED, {"task_id": "a"}),
    "notes without end": (COMPLETE, {"task_id": "a", "verification_notes": "x" * 20_001}),
    "an unknown field": (COMPLETE, {"task_id": "a", "status": "complete"}),
    "a field for a tool that takes none": (NEXT, {"task_id": "a"}),
}


@pytest.mark.parametrize(("tool", "arguments"), INVALID.values(), ids=INVALID)
def test_what_is_not_valid_writes_nothing(at_a: Situation, tool: str, arguments: dict[str, object]) -> None:
    assert at_a.refused(tool, **arguments).startswith(f"{tool} was not called: ")


def test_the_limits_themselves_are_fine(tmp_path: Path) -> None:
    longest = "a" * 100
    place = situation(tmp_path, task(longest), at_work=longest)
    assert place.done(COMPLETE, task_id=longest, tokens_used=10_000_000)["status"] == "claimed"
    assert place.done(COMPLETE, task_id=longest, tokens_used=0)["status"] == "claimed"


def test_a_turn_without_a_task_has_none_to_speak_for(tmp_path: Path) -> None:
    place = situation(tmp_path, task("a"), phase=Phase.BUILDING)
    assert place.refused(COMPLETE, task_id="a").startswith("No task was selected for this turn (building)")
