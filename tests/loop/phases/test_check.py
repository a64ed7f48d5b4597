"""When a phase is complete (spec: core concepts, transition criteria)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ralph.loop.phases.check import building_complete, discovery_complete, planning_complete
from ralph.loop.phases.specs import read_spec
from ralph.loop.plan.model import TaskStatus
from tests.loop.phases.samples import AUTHENTICATION, EXAMPLE, JOB, plan, spec_text, task

SPEC = read_spec("specs/authentication.md", AUTHENTICATION)
PENDING, WORKING, DONE, BLOCKED = TaskStatus


def test_discovery_is_complete_with_the_example() -> None:
    check = discovery_complete([SPEC])
    assert check.complete
    assert check.warnings == ("No file in specs/ says the job to be done: When …, I want to …, so I can ….",)


@pytest.mark.parametrize("where", ["specs/README.md", "specs/totals.md"])
def test_the_job_to_be_done_may_stand_anywhere(where: str) -> None:
    assert discovery_complete([SPEC, read_spec(where, f"{spec_text()}\n{JOB}")]).warnings == ()


NOT_DISCOVERED = {
    "nothing": [],
    "an overview alone": [read_spec("specs/README.md", JOB)],
    "words alone": [read_spec("specs/a.md", "I cannot say discovery complete yet.")],
    "the right words": [read_spec("specs/a.md", "Discovery complete!\n\nSTATUS: COMPLETE\n")],
    "headings alone": [read_spec("specs/a.md", "# Problem Statement\n# Success Criteria\n# Constraints\n")],
    "one of two": [SPEC, read_spec("specs/b.md", "# To come")],
}


@pytest.mark.parametrize("case", NOT_DISCOVERED)
def test_discovery_needs_specifications(case: str) -> None:
    """Ten turns of an agent that was not logged in ended as "Discovery complete!" without a single file, and so did
    one turn that said "I cannot say discovery complete yet"."""
    check = discovery_complete(NOT_DISCOVERED[case])
    assert not check.complete
    assert check.problems


def test_a_problem_names_the_file() -> None:
    check = discovery_complete([read_spec("specs/a.md", spec_text(constraints="TBD"))])
    assert check.problems == ("specs/a.md: the section `Constraints` says nothing yet.",)


def test_planning_is_complete_with_the_example() -> None:
    assert planning_complete(EXAMPLE).complete


NOT_PLANNED = {
    "no task": (plan(), "The plan has no task"),
    "no criteria": (plan(task("a", PENDING, verification_criteria=())), "Task a has no verification criterion"),
    "an empty criterion": (plan(task("a", PENDING, verification_criteria=("  ",))), "has no verification criterion"),
    "an unknown dependency": (plan(task("a", PENDING, dependencies=("b",))), "'b'"),
    "a circle": (
        plan(task("a", PENDING, dependencies=("b",)), task("b", PENDING, dependencies=("a",))),
        "wait for each other",
    ),
    "twins": (plan(task("a", PENDING), task("a", PENDING)), "More than one task is called 'a'"),
}


@pytest.mark.parametrize("case", NOT_PLANNED)
def test_what_keeps_planning_open(case: str) -> None:
    given, expected = NOT_PLANNED[case]
    check = planning_complete(given)
    assert not check.complete
    assert any(expected in problem for problem in check.problems), check.problems


def test_planning_hears_its_critics() -> None:
    check = planning_complete(EXAMPLE, found=["auth-01 is green before the work."], doubts=["auth-02 may be large."])
    assert check.problems == ("auth-01 is green before the work.",)
    assert check.warnings == ("auth-02 may be large.",)


def test_a_fault_is_told_once() -> None:
    given = plan(task("a", PENDING, dependencies=("b",)), task("b", PENDING, dependencies=("a",)))
    told = [f"Task: {each}" for each in planning_complete(given).problems]
    assert planning_complete(given, found=told).problems == tuple(told)


def test_a_specification_that_no_task_serves_is_a_doubt() -> None:
    tasks = [replace(each, spec_files=("specs/authentication.md",)) for each in EXAMPLE.tasks]
    other = read_spec("specs/totals.md", spec_text())
    check = planning_complete(plan(*tasks), specs=[SPEC, other, read_spec("specs/README.md", "")])
    assert check.complete
    assert check.warnings == ("No task names specs/totals.md in `spec_files`: is all of it planned?",)


NOT_BUILT = {
    "an empty plan": (plan(), "nothing was built"),
    "a pending task": (plan(task("a"), task("b", PENDING)), "Task b is pending."),
    "a task in progress": (plan(task("a"), task("b", WORKING)), "Task b is in progress."),
    "a task that waits for a blocked one": (
        plan(task("a", BLOCKED), task("b", PENDING, dependencies=("a",))),
        "Task b is pending, and waits for a, which is blocked.",
    ),
}


@pytest.mark.parametrize("case", NOT_BUILT)
def test_what_keeps_building_open(case: str) -> None:
    """Tasks in progress were overlooked, so that a task at which Ralph crashed counted as built; and an empty plan led
    to validation."""
    given, expected = NOT_BUILT[case]
    check = building_complete(given)
    assert not check.complete
    assert any(expected in problem for problem in check.problems), check.problems


def test_building_ends_with_blocked_tasks_and_names_them() -> None:
    check = building_complete(plan(task("a"), task("b", BLOCKED, blockers=("no database", "tried\x1b[31m twice"))))
    assert check.complete
    assert check.blocked == ("b",)
    assert check.warnings == ("Task b is blocked: no database; tried\\x1b[31m twice.",)
