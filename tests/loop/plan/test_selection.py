"""Which task is next, how far a plan is, and what makes a plan impossible."""

from __future__ import annotations

import pytest

from ralph.loop.plan.errors import CycleError, DuplicateTask, UnknownDependency
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.plan.selection import causes, check, next_task, problems, standing
from ralph.loop.plan.transitions import complete, start
from tests.loop.plan.making import STAMP, plan, task


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param([], None, id="an empty plan"),
        pytest.param(["a p3", "b p1", "c p2"], "b", id="the highest priority"),
        pytest.param(["a p2", "b p1 a"], "a", id="not before its dependency"),
        pytest.param(["a c2", "b p1 a"], "b", id="its dependency is complete"),
        pytest.param(["a c1", "b p2"], "b", id="not what is complete"),
        pytest.param(["a b1", "b p2"], "b", id="not what is blocked"),
        pytest.param(["a i1", "b p2"], "b", id="not what was begun"),
        pytest.param(["a p2", "b p1", "c p1"], "b", id="ties go by file order"),
        pytest.param(["d p c b", "c p", "b p"], "c", id="the file may name a task before what it depends on"),
        pytest.param(["a c", "b i", "c p a b"], None, id="one of two dependencies is not complete"),
        pytest.param(["a b", "b p a"], None, id="all wait for a blocked one"),
        pytest.param(["a c", "b c"], None, id="all complete"),
    ],
)
def test_next(words: list[str], expected: str | None) -> None:
    found = next_task(plan(*words))
    assert (found.id if found else None) == expected


def test_a_chain_is_done_in_its_order() -> None:
    left, order = plan("c p b", "b p a", "a p"), []
    while (found := next_task(left)) is not None:
        order.append(found.id)
        left = complete(start(left, found.id), found.id, at=STAMP)
    assert order == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("words", "completion", "pending"),
    [([], 0.0, 0), (["a c", "b c", "c p", "d i"], 0.5, 1), (["a b"], 0.0, 0), (["a c"], 1.0, 0)],
)
def test_completion(words: list[str], completion: float, pending: int) -> None:
    found = standing(plan(*words))
    assert (found.completion, found.pending) == (completion, pending)
    assert found.pending + found.in_progress + found.complete + found.blocked == found.total


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        pytest.param([], "The plan has no tasks.", id="empty"),
        pytest.param(["a c"], "Every task is complete.", id="complete"),
        pytest.param(["a i"], "'a' (in_progress): nothing else is left.", id="the last one is under way"),
        pytest.param(["a i", "b p a"], "1 task waits for 'a' (in_progress).", id="waits for one under way"),
        pytest.param(["a b", "b p a", "c p b"], "2 tasks wait for 'a' (blocked).", id="wait for a blocked one"),
        pytest.param(["a b"], "What is not complete is blocked: 'a' (blocked).", id="only blocked ones"),
        pytest.param(["a p"], None, id="one can start"),
    ],
)
def test_why_there_is_no_next_task(words: list[str], reason: str | None) -> None:
    assert standing(plan(*words)).waiting == reason


def test_the_reason_of_a_block_is_told() -> None:
    blocked = task("a", status=TaskStatus.BLOCKED, blockers=("an old one", "needs a key"))
    found = ImplementationPlan(tasks=(blocked, task("b", dependencies=("a",))))
    assert standing(found).waiting == "1 task waits for 'a' (blocked: needs a key)."
    assert causes(found) == (blocked,)


def test_a_cycle_is_an_error_that_names_its_tasks() -> None:
    """Once a cycle was "no more tasks", and the building was reported as done."""
    looped = plan("x c", "a p c", "b p a", "c p b", "d p c")
    with pytest.raises(CycleError, match=r"^The tasks 'a', 'c', 'b' wait for each other, so none") as caught:
        next_task(looped)
    waits_for = {each.id: each.dependencies for each in looped.tasks}
    ring = caught.value.tasks
    assert all(after in waits_for[before] for before, after in zip(ring, ring[1:] + ring[:1], strict=True))
    assert "wait for each other" in (standing(looped).waiting or "")


def test_a_task_that_depends_on_itself() -> None:
    with pytest.raises(CycleError, match="'a' wait"):
        next_task(plan("a p a"))


def test_an_unknown_dependency_is_an_error() -> None:
    """Once it was "no more tasks" as well."""
    with pytest.raises(UnknownDependency, match=r"^The task 'a' depends on 'nope', which the plan does not have"):
        next_task(plan("a p nope"))


def test_what_is_wrong_elsewhere_does_not_stop_other_tasks() -> None:
    found = plan("a p", "b p nope", "c p c")
    assert next_task(found) == found.tasks[0]
    with pytest.raises(UnknownDependency):
        check(found)
    assert [type(each) for each in problems(found)] == [UnknownDependency, CycleError]


def test_twins() -> None:
    with pytest.raises(DuplicateTask, match="'a'"):
        check(plan("a p", "a p"))


def test_a_long_chain_and_a_long_ring() -> None:
    """Ten thousand tasks deep: nothing here recurses."""
    chain = [f"t{n} p t{n - 1}" if n else "t0 p" for n in range(10_000)]
    check(plan(*chain))
    with pytest.raises(CycleError, match=r"'t[0-9]+' and 9990 more wait for each other"):
        check(plan("t0 p t9999", *chain[1:]))
