"""Tools about the plan: a summary, and tasks that are checked before they stand in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ralph.loop.plan import transitions
from ralph.loop.plan.model import TaskStatus
from ralph.loop.toolbox.planning import adding
from ralph.loop.words import Phase
from ralph.mcp.answer import answer
from tests.loop.toolbox.desks import Situation, situation, task

ADD = "ralph_add_task"


@pytest.fixture
def planning(tmp_path: Path) -> Situation:
    return situation(tmp_path, task("old"), phase=Phase.PLANNING)


def added(place: Situation, **more: Any) -> Any:
    place.done(ADD, **{"task_id": "new", "description": "Do it.", **more})
    return transitions.find(place.plan.load(), "new")


def test_a_task_stands_in_the_plan_when_the_tool_answers(planning: Situation) -> None:
    told = planning.done(ADD, task_id="new", description=" Do it. ")
    assert (told["task_id"], told["priority"], told["total_tasks"]) == ("new", 1, 2)
    found = transitions.find(planning.plan.load(), "new")
    assert (found.description, found.estimated_tokens, found.status) == ("Do it.", 30_000, TaskStatus.PENDING)
    assert (found.dependencies, found.verification_criteria, found.spec_files) == ((), (), ())


FORMS = {
    "priority as a number": ({"priority": 1000}, "priority", 1000),
    "priority as a text": ({"priority": "12"}, "priority", 12),
    "a whole number with a point": ({"estimated_tokens": 5000.0}, "estimated_tokens", 5000),
    "dependencies as a list": ({"dependencies": ["old"]}, "dependencies", ("old",)),
    "dependencies with commas": ({"dependencies": " old , old,"}, "dependencies", ("old",)),
    "no dependencies": ({"dependencies": ""}, "dependencies", ()),
    "one criterion": ({"verification_criteria": "a, b"}, "verification_criteria", ("a, b",)),
    "criteria as a list": ({"verification_criteria": ["a", "b"]}, "verification_criteria", ("a", "b")),
    "files with commas": ({"spec_files": "specs/a.md,specs/b.md"}, "spec_files", ("specs/a.md", "specs/b.md")),
    "no estimate": ({"estimated_tokens": 0}, "estimated_tokens", 0),
}


@pytest.mark.parametrize(("given", "name", "value"), FORMS.values(), ids=FORMS)
def test_fields_may_have_several_forms(planning: Situation, given: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(added(planning, **given), name) == value


INVALID = {
    "priority 0": {"priority": 0},
    "priority 1001": {"priority": 1001},
    "priority 1001 as a text": {"priority": "1001"},
    "priority in words": {"priority": "high"},
    "true as a priority": {"priority": True},
    "an empty description": {"description": ""},
    "a blank description": {"description": " \n"},
    "a description of 5001 characters": {"description": "x" * 5001},
    "a negative estimate": {"estimated_tokens": -1},
    "too high an estimate": {"estimated_tokens": 10_000_001},
    "a blank criterion": {"verification_criteria": ["a", " "]},
    "a hundred and one criteria": {"verification_criteria": ["a"] * 101},
    "a dependency with a blank": {"dependencies": ["a b"]},
    "a status of its own": {"status": "complete"},
    "a retry count of its own": {"retry_count": 0},
}


@pytest.mark.parametrize("more", INVALID.values(), ids=INVALID)
def test_what_is_not_valid_is_not_added(planning: Situation, more: dict[str, Any]) -> None:
    told = planning.refused(ADD, **{"task_id": "new", "description": "Do it.", **more})
    assert told.startswith("ralph_add_task was not called: ")


REFUSED = {
    "a name that is taken": ({"task_id": "old"}, "There is a task 'old' already"),
    "an unknown dependency": ({"dependencies": ["nope"]}, "depends on 'nope', which the plan does not have"),
    "an unknown dependency among others": ({"dependencies": "old,nope"}, "depends on 'nope'"),
    "itself as a dependency": ({"dependencies": ["new"]}, "'new' wait for each other"),
}


@pytest.mark.parametrize(("more", "told"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_the_plan_is_not_added(planning: Situation, more: dict[str, Any], told: str) -> None:
    assert told in planning.refused(ADD, **{"task_id": "new", "description": "Do it.", **more})


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.BUILDING, Phase.VALIDATION])
def test_only_planning_is_offered_it(tmp_path: Path, phase: Phase) -> None:
    place = situation(tmp_path, phase=phase)
    assert place.refused(ADD, task_id="a", description="x").startswith("There is no tool of this name here")


@pytest.mark.parametrize("phase", [Phase.DISCOVERY, Phase.VALIDATION])
def test_it_refuses_by_itself_where_nothing_is_planned(tmp_path: Path, phase: Phase) -> None:
    desk = situation(tmp_path, phase=phase).desk
    told = answer([adding(desk)], ADD, {"task_id": "a", "description": "x"})
    assert told.text == f"Tasks are added while planning, and this is {phase}: nothing was added."
    assert desk.plan.load_or_none() is None


def test_a_task_that_came_up_while_building_says_so(tmp_path: Path) -> None:
    place = situation(tmp_path, task("a"), at_work="a")
    assert not answer([adding(place.desk)], ADD, {"task_id": "b", "description": "x"}).refused
    found = transitions.find(place.plan.load(), "b")
    assert dict(found.extra) == {"added_by": "agent", "added_in_iteration": 7}


def test_the_same_task_again_is_an_error_unless_it_is_the_same_call_done_again(tmp_path: Path) -> None:
    desk = situation(tmp_path).desk
    given = {"task_id": "a", "description": "x"}
    once, again = adding(desk), adding(desk, again=True)
    assert not answer([once], ADD, given).refused
    assert answer([once], ADD, given).refused
    assert not answer([again], ADD, given).refused
    assert answer([again], ADD, {**given, "description": "y"}).refused
    assert len(desk.plan.load().tasks) == 1


def test_a_summary_counts_every_state(tmp_path: Path) -> None:
    place = situation(
        tmp_path,
        task("a", status=TaskStatus.COMPLETE),
        task("b", status=TaskStatus.COMPLETE),
        task("c", status=TaskStatus.BLOCKED, blockers=("x",)),
        task("d", priority=3),
    )
    told = place.done("ralph_get_plan_summary")
    counted = ("total_tasks", "complete", "pending", "blocked", "in_progress", "completion_percentage")
    assert [told[name] for name in counted] == [4, 2, 1, 1, 0, 0.5]
    assert told["next_task"] == {"id": "d", "description": "Do d.", "priority": 3}
    assert told["created_at"] is not None


def test_an_empty_plan_has_a_summary_too(tmp_path: Path) -> None:
    told = situation(tmp_path).done("ralph_get_plan_summary")
    assert (told["total_tasks"], told["completion_percentage"], told["next_task"]) == (0, 0.0, None)


def test_a_damaged_plan_is_said_to_be_damaged_and_left_alone(planning: Situation) -> None:
    planning.plan.path.write_text("[]")
    assert "is damaged and was left as it is" in planning.refused(ADD, task_id="a", description="x")
    assert "is damaged and was left as it is" in planning.refused("ralph_get_plan_summary")
