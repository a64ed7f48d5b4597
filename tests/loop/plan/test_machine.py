"""Any sequence of moves, on disk, held against the rules of the spec."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ralph.loop.plan import transitions as go
from ralph.loop.plan.errors import PlanError
from ralph.loop.plan.model import RETRIES, ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.selection import check, next_task, standing
from tests.loop.plan.making import STAMP, store

ids = st.sampled_from("abcdef")


def as_the_spec_says(plan: ImplementationPlan) -> Task | None:
    """The selection algorithm of the spec, word for word."""
    completed = {each.id for each in plan.tasks if each.status == TaskStatus.COMPLETE}
    available = [
        each
        for each in plan.tasks
        if each.status == TaskStatus.PENDING and all(needed in completed for needed in each.dependencies)
    ]
    return min(available, key=lambda each: each.priority) if available else None


class PlanMachine(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.shelf = store(Path(self.folder.name))
        self.plan = ImplementationPlan()
        self.completed: set[str] = set()
        self.failures: dict[str, int] = {}

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def move(self, by: Callable[[ImplementationPlan], ImplementationPlan]) -> bool:
        before = self.plan
        try:
            self.plan = self.shelf.change(by)
        except PlanError:
            assert self.shelf.load_or_none() in (before, None)
            return False
        assert self.shelf.change(by) is self.plan
        return True

    @rule(task_id=ids, priority=st.integers(1, 3), needs=st.lists(ids, max_size=2))
    def add(self, task_id: str, priority: int, needs: list[str]) -> None:
        task = Task(id=task_id, description="x", priority=priority, dependencies=tuple(needs))
        before = self.plan
        known = {each.id for each in before.tasks}
        try:
            self.plan = self.shelf.change(lambda plan: go.add(plan, task))
            assert task_id not in known
            assert known.issuperset(needs)
        except PlanError:
            assert task_id in known or not known.issuperset(needs)

    @rule(task_id=ids)
    def start(self, task_id: str) -> None:
        if self.move(lambda plan: go.start(plan, task_id)):
            assert self.completed.issuperset(go.find(self.plan, task_id).dependencies)

    @rule(task_id=ids)
    def complete(self, task_id: str) -> None:
        was = {each.id: each.status for each in self.plan.tasks}.get(task_id)
        done = self.move(lambda plan: go.complete(plan, task_id, at=STAMP))
        assert done == (was in (TaskStatus.IN_PROGRESS, TaskStatus.COMPLETE))
        if done:
            self.completed.add(task_id)

    @rule(task_id=ids)
    def block(self, task_id: str) -> None:
        assert not self.move(lambda plan: go.block(plan, task_id, "why")) or task_id not in self.completed

    @rule(task_id=ids)
    def unblock(self, task_id: str) -> None:
        if self.move(lambda plan: go.unblock(plan, task_id)) and go.find(self.plan, task_id).retry_count == 0:
            self.failures[task_id] = 0

    @rule(task_id=ids, again=st.booleans())
    def fail(self, task_id: str, again: bool) -> None:
        number = max(1, self.failures.get(task_id, 0) + (not again))
        if self.move(lambda plan: go.failed(plan, task_id, attempt=number, reason="red")):
            self.failures[task_id] = number

    @rule()
    def crash(self) -> None:
        self.shelf = store(Path(self.folder.name))
        if self.plan.tasks:
            self.plan = self.shelf.change(go.reset_stale)

    @invariant()
    def holds(self) -> None:
        found = self.shelf.load_or_none() or ImplementationPlan()
        assert found.tasks == self.plan.tasks
        assert {each.id for each in found.tasks if each.status is TaskStatus.COMPLETE} == self.completed
        check(found)
        assert next_task(found) == as_the_spec_says(found)
        stands = standing(found)
        assert (stands.waiting is None) == (stands.next is not None)
        for each in found.tasks:
            assert each.retry_count == self.failures.get(each.id, 0)
            assert each.retry_count < RETRIES or each.status is TaskStatus.BLOCKED
            assert bool(each.blockers) == (each.status is TaskStatus.BLOCKED)


PlanMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestPlan = PlanMachine.TestCase
