"""A failed validation goes back to building as a task of its own."""

from __future__ import annotations

import pytest

from ralph.loop.phases.repair import sent_back
from ralph.loop.plan.limits import MAX_DESCRIPTION
from ralph.loop.plan.model import TaskStatus
from ralph.loop.plan.selection import next_task
from tests.loop.phases.samples import plan, task

BEFORE = plan(
    task("a", spec_files=("specs/a.md",), verification_criteria=("It is fast", "uv run pytest passes")), task("b")
)


def test_the_repair_is_the_next_task() -> None:
    after = sent_back(
        BEFORE, ["a"], "specs/a.md: it is slow", repair="repair-1", failing=['verify:"make e2e"', "prose"]
    )
    assert after.tasks[:2] == BEFORE.tasks
    repair = next_task(after)
    assert repair is not None
    assert (repair.id, repair.status) == ("repair-1", TaskStatus.PENDING)
    assert repair.verification_criteria == ('verify:"make e2e"', "uv run pytest passes")
    assert repair.spec_files == ("specs/a.md",)
    assert "specs/a.md: it is slow" in repair.description


def test_going_back_twice_is_going_back_once() -> None:
    once = sent_back(BEFORE, ["a"], "slow", repair="repair-1")
    assert sent_back(once, ["a"], "slow", repair="repair-1") is once


@pytest.mark.parametrize("concerned", [[], ["c"], ["unknown"]])
def test_open_tasks_need_no_repair(concerned: list[str]) -> None:
    before = plan(*BEFORE.tasks, task("c", TaskStatus.PENDING))
    assert sent_back(before, concerned, "open", repair="repair-1") is before


def test_a_long_reason_is_cut_and_a_hostile_one_is_visible() -> None:
    after = sent_back(BEFORE, ["a"], "\x1b[2J" + "x" * 10_000, repair="repair-1")
    said = after.tasks[-1].description
    assert len(said) <= MAX_DESCRIPTION
    assert "\\x1b[2J" in said
    assert said.endswith("see the validation report.")
