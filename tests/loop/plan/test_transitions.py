"""The only ways in which a task changes, and that each of them is done once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ralph.loop.plan import transitions as go
from ralph.loop.plan.errors import (
    CycleError,
    DuplicateTask,
    PlanError,
    UnfitTask,
    UnknownDependency,
    UnknownTask,
    WrongTransition,
)
from ralph.loop.plan.model import RETRIES, ImplementationPlan, Task
from tests.loop.plan.making import STAMP, plan, states, task

Move = Callable[[ImplementationPlan], ImplementationPlan]

MOVES: dict[str, Move] = {
    "start": lambda found: go.start(found, "a"),
    "complete": lambda found: go.complete(found, "a", at=STAMP, notes="done", tokens=7),
    "block": lambda found: go.block(found, "a", "no key"),
    "skip": lambda found: go.skip(found, "a", "later"),
    "unblock": lambda found: go.unblock(found, "a"),
    "failed": lambda found: go.failed(found, "a", attempt=1, reason="red"),
    "failed for the last time": lambda found: go.failed(found, "a", attempt=RETRIES, reason="red"),
    "edit": lambda found: go.edit(found, "a", priority=7),
    "reset_stale": go.reset_stale,
}
"""Each on the one task `a`."""

LEADS_TO = {
    #                            p    i    c    b      ("-": WrongTransition)
    "start": "ii--",
    "complete": "-cc-",
    "block": "bb-b",
    "skip": "bb-b",
    "unblock": "p--p",
    "failed": "pp-b",
    "failed for the last time": "bb-b",
    "edit": "p---",
    "reset_stale": "ppcb",
}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("state", "picb")
def test_every_move_from_every_state(move: str, state: str) -> None:
    expected = LEADS_TO[move]["picb".index(state)]
    before = plan(f"a {state}")
    if expected == "-":
        with pytest.raises(WrongTransition, match=r"^The task 'a' is \w+, so it cannot be [\w ]+\.$"):
            MOVES[move](before)
        return
    assert states(MOVES[move](before)) == expected


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("state", "picb")
def test_twice_is_once(move: str, state: str) -> None:
    """After a crash the last effects are performed again."""
    try:
        once = MOVES[move](plan(f"a {state}"))
    except WrongTransition:
        return
    assert MOVES[move](once) is once


@pytest.mark.parametrize("move", [name for name in MOVES if name != "reset_stale"])
def test_an_unknown_task_changes_nothing(move: str) -> None:
    """Completing a task that does not exist once counted as progress."""
    with pytest.raises(UnknownTask, match=r"There is no task 'a'"):
        MOVES[move](plan("b i"))


def test_an_unknown_task_is_told_with_the_nearest_one() -> None:
    with pytest.raises(UnknownTask, match=r"did you mean 'auth-01'\?"):
        go.start(plan("auth-01 p"), "auth-1")


def test_completing_says_how_and_keeps_it() -> None:
    once = MOVES["complete"](plan("a i"))
    (done,) = once.tasks
    assert (done.completed_at, done.completion_notes, done.actual_tokens_used) == (STAMP, "done", 7)
    again = go.complete(once, "a", at="2030-01-01T00:00:00Z", notes="other", tokens=99)
    assert again is once


def test_nothing_is_completed_from_pending_or_blocked() -> None:
    """It once was, also with dependencies that were not complete."""
    for state in "pb":
        with pytest.raises(WrongTransition):
            MOVES["complete"](plan("b p", f"a {state} b"))


def test_nothing_starts_before_what_it_depends_on() -> None:
    """A task could once be built by name, whatever it depended on."""
    with pytest.raises(WrongTransition, match=r"cannot be started: it depends on 'y', 'z' \(not complete\)"):
        go.start(plan("x c", "y i", "z b", "a p x y z"), "a")
    assert states(go.start(plan("x c", "a p x"), "a")) == "ci"


def test_a_block_keeps_its_reasons() -> None:
    found = go.block(go.block(plan("a i"), "a", "no key"), "a", " no network ")
    assert found.tasks[0].blockers == ("no key", "no network")
    assert go.skip(plan("a p"), "a", "later").tasks[0].blockers == ("skipped: later",)


@pytest.mark.parametrize("reason", ["", "  "])
def test_reasons_are_given(reason: str) -> None:
    for move in (go.block, go.skip):
        with pytest.raises(UnfitTask):
            move(plan("a i"), "a", reason)
    with pytest.raises(UnfitTask):
        go.failed(plan("a i"), "a", attempt=1, reason=reason)


def test_the_third_failure_blocks() -> None:
    """There was no ceiling: a fourth attempt was pending like the first."""
    found, seen = plan("a p"), []
    for attempt in range(1, RETRIES + 1):
        found = go.failed(go.start(found, "a"), "a", attempt=attempt, reason=f"red {attempt}")
        seen.append((states(found), found.tasks[0].retry_count))
    assert seen == [("p", 1), ("p", 2), ("b", 3)]
    assert found.tasks[0].blockers == ("3 attempts failed, the last one because: red 3",)


def test_a_failure_that_was_counted_is_no_news() -> None:
    counted = go.failed(plan("a i"), "a", attempt=1, reason="red")
    begun = go.start(counted, "a")
    assert go.failed(begun, "a", attempt=1, reason="red") is begun
    assert go.failed(begun, "a", attempt=2, reason="red").tasks[0].retry_count == 2


def test_a_failure_does_not_reopen_what_is_complete() -> None:
    """It once did."""
    with pytest.raises(WrongTransition):
        go.failed(plan("a c"), "a", attempt=1, reason="late")


def test_attempts_are_counted_from_one() -> None:
    with pytest.raises(UnfitTask, match="counted from 1"):
        go.failed(plan("a i"), "a", attempt=0, reason="red")


def test_a_person_gives_all_attempts_again() -> None:
    blocked = go.failed(plan("a i"), "a", attempt=3, reason="red")
    (again,) = go.unblock(blocked, "a").tasks
    assert (again.status, again.blockers, again.retry_count) == ("pending", (), 0)


def test_stale_tasks_are_pending_again_with_their_attempts() -> None:
    """After a crash a task that had been begun was skipped, and the building was reported as done."""
    begun = go.start(go.failed(plan("a i", "b c", "c b"), "a", attempt=2, reason="red"), "a")
    found = go.reset_stale(begun)
    assert states(found) == "pcb"
    assert found.tasks[0].retry_count == 2
    assert go.reset_stale(found) is found


@pytest.mark.parametrize(
    ("fields", "error", "told"),
    [
        pytest.param({"id": "a"}, DuplicateTask, "There is a task 'a' already", id="twin"),
        pytest.param(
            {"dependencies": ("nope",)}, UnknownDependency, "'new' depends on 'nope'", id="unknown dependency"
        ),
        pytest.param({"dependencies": ("new",)}, CycleError, "'new' wait for each other", id="itself"),
        pytest.param({"id": "a b"}, UnfitTask, "The task id 'a b' is none", id="a blank in the id"),
        pytest.param({"id": ""}, UnfitTask, "is none", id="no id"),
        pytest.param({"id": "x" * 101}, UnfitTask, "is none", id="a long id"),
        pytest.param({"id": "../../etc"}, UnfitTask, "is none", id="a path as id"),
        pytest.param({"id": ".."}, UnfitTask, "is none", id="a folder as id"),
        pytest.param({"id": "a\n"}, UnfitTask, "is none", id="a line end in the id"),
        pytest.param({"priority": 0}, UnfitTask, "priority 0", id="priority 0"),
        pytest.param({"priority": 1001}, UnfitTask, "priority 1001", id="priority 1001"),
        pytest.param({"estimated_tokens": -1}, UnfitTask, "-1 tokens", id="tokens below 0"),
        pytest.param({"estimated_tokens": 10_000_001}, UnfitTask, "tokens", id="too many tokens"),
        pytest.param({"description": " "}, UnfitTask, "needs a description", id="no description"),
        pytest.param({"description": "x" * 5001}, UnfitTask, "needs a description", id="a long description"),
        pytest.param({"verification_criteria": ("",)}, UnfitTask, "criterion without", id="an empty criterion"),
        pytest.param({"verification_criteria": ("verify: pytest",)}, UnfitTask, "cannot be read", id="almost a gate"),
        pytest.param({"status": "complete"}, UnfitTask, "can only be pending", id="complete from the start"),
    ],
)
def test_what_cannot_be_added(fields: dict[str, Any], error: type[PlanError], told: str) -> None:
    with pytest.raises(error, match=told):
        go.add(plan("a p"), Task(**{"id": "new", "description": "do it"} | fields))


def test_tasks_that_depend_on_each_other_are_added_together() -> None:
    found = go.add(plan("a c"), task("b", dependencies=("c", "a")), task("c"))
    assert [each.id for each in found.tasks] == ["a", "b", "c"]
    with pytest.raises(CycleError):
        go.add(plan(), task("b", dependencies=("c",)), task("c", dependencies=("b",)))
    assert go.add(found) is found


def test_a_task_that_was_waited_for_may_close_a_ring() -> None:
    waiting = plan("a p b")
    assert go.add(waiting, task("b")).tasks[1].id == "b"
    with pytest.raises(CycleError):
        go.add(waiting, task("b", dependencies=("a",)))


def test_planning_ends_once() -> None:
    frozen = go.freeze(plan("a p"), at=STAMP)
    assert frozen.frozen_at == STAMP
    assert go.freeze(frozen, at="2030-01-01T00:00:00Z") is frozen
    with pytest.raises(CycleError):
        go.freeze(plan("a p a"), at=STAMP)


def test_criteria_are_frozen_with_the_plan() -> None:
    found = go.edit(plan("a p"), "a", verification_criteria=('verify:"pytest"',))
    assert found.tasks[0].verification_criteria == ('verify:"pytest"',)
    with pytest.raises(WrongTransition, match="Planning has ended"):
        go.edit(go.freeze(found, at=STAMP), "a", verification_criteria=("it is good",))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"status": "complete"}, UnfitTask),
        ({"retry_count": 0}, UnfitTask),
        ({"priority": 0}, UnfitTask),
        ({"dependencies": ("nope",)}, UnknownDependency),
        ({"dependencies": ("b",)}, CycleError),
    ],
)
def test_what_cannot_be_edited(fields: dict[str, object], error: type[PlanError]) -> None:
    with pytest.raises(error):
        go.edit(plan("a p", "b p a"), "a", **fields)
