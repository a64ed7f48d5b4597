"""The only ways in which a task changes (spec: core concepts, Task Lifecycle; design decisions 28, 30 and 31).

                 start                  complete
    PENDING ------------> IN_PROGRESS ------------> COMPLETE (for good)
       ^                    |      |
       |   failed, stale    |      | block, skip, the third failure
       +--------------------+      v
       +------- unblock -------- BLOCKED

Rules:

- All functions are pure: a plan goes in, a plan comes out, for `PlanStore.change`. The very same plan comes back if
  there is nothing to do: whatever is done a second time (after a crash) is done once.
- `complete` is called by the runner alone, after it has measured. What an agent says about its task is a claim.
- Nothing starts before all that it depends on is complete. What is complete stays so.
- Criteria, and everything else that says what a task is, are fixed once `freeze` has ended planning.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from ralph.loop.plan.criteria import refuse_unclear
from ralph.loop.plan.errors import (
    CycleError,
    DuplicateTask,
    UnfitTask,
    UnknownDependency,
    UnknownTask,
    WrongTransition,
    some,
)
from ralph.loop.plan.limits import refuse_unfit
from ralph.loop.plan.model import RETRIES, ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.selection import check, cycle, unknown
from ralph.record import replace

PENDING, IN_PROGRESS, COMPLETE, BLOCKED = TaskStatus

_EDITABLE = ("description", "priority", "dependencies", "verification_criteria", "estimated_tokens", "spec_files")


def find(plan: ImplementationPlan, task_id: str) -> Task:
    """The task of this id. Raises UnknownTask."""
    return plan.tasks[_position(plan, task_id)]


def add(plan: ImplementationPlan, *tasks: Task) -> ImplementationPlan:
    """The plan with new tasks at its end; they may depend on each other.

    Raises UnfitTask, DuplicateTask, UnknownDependency and CycleError.
    """
    known = {each.id for each in plan.tasks}
    new = set[str]()
    for task in tasks:
        if task.status is not PENDING:
            raise UnfitTask(f"The task {task.id!r} is new, so it can only be pending, not {task.status}.")
        if task.id in known or task.id in new:
            raise DuplicateTask(f"There is a task {task.id!r} already: give the new one another id.")
        _refuse_bad(task)
        new.add(task.id)
    known |= new
    for task in tasks:
        if missing := unknown(task, known):
            raise UnknownDependency(task.id, missing)
    awaited = any(not new.isdisjoint(each.dependencies) for each in plan.tasks)
    if ring := cycle([*plan.tasks, *tasks] if awaited else tasks):  # else none leads from the old ones to the new
        raise CycleError(ring)
    return replace(plan, tasks=(*plan.tasks, *tasks)) if tasks else plan


def edit(plan: ImplementationPlan, task_id: str, **fields: Any) -> ImplementationPlan:
    """The plan with other words for a task that has not begun, while it is being planned.

    `fields` are description, priority, dependencies, verification_criteria, estimated_tokens and spec_files.
    Raises what `add` raises, and WrongTransition.
    """
    if unknown := fields.keys() - set(_EDITABLE):
        raise UnfitTask(f"{sorted(unknown)[0]!r} of a task is not to be edited: there are {', '.join(_EDITABLE)}.")

    def edited(task: Task) -> Task:
        if plan.frozen_at:
            raise WrongTransition(f"Planning has ended, so what the task {task.id!r} is does not change any more.")
        _only(task, "edited", PENDING)
        changed = replace(task, **fields)
        _refuse_bad(changed)
        return changed

    changed = _with(plan, task_id, edited)
    check(changed)
    return changed


def freeze(plan: ImplementationPlan, *, at: str) -> ImplementationPlan:
    """The plan at the end of planning. Raises what `selection.check` raises."""
    check(plan)
    return plan if plan.frozen_at else replace(plan, frozen_at=at)


def start(plan: ImplementationPlan, task_id: str) -> ImplementationPlan:
    """PENDING -> IN_PROGRESS, if all that the task depends on is complete."""

    def started(task: Task) -> Task:
        _only(task, "started", PENDING, IN_PROGRESS)
        done = {each.id for each in plan.tasks if each.status is COMPLETE}
        if missing := [each for each in task.dependencies if each not in done]:
            raise WrongTransition(
                f"The task {task.id!r} cannot be started: it depends on {some(missing)} (not complete)."
            )
        return replace(task, status=IN_PROGRESS)

    return _with(plan, task_id, started)


def complete(
    plan: ImplementationPlan, task_id: str, *, at: str, notes: str | None = None, tokens: int | None = None
) -> ImplementationPlan:
    """IN_PROGRESS -> COMPLETE. Only the runner calls this, after measuring. What is complete already stays as it is."""

    def completed(task: Task) -> Task:
        if task.status is COMPLETE:
            return task
        _only(task, "completed", IN_PROGRESS)
        used = task.actual_tokens_used if tokens is None else tokens
        return replace(task, status=COMPLETE, completed_at=at, completion_notes=notes, actual_tokens_used=used)

    return _with(plan, task_id, completed)


def block(plan: ImplementationPlan, task_id: str, reason: str) -> ImplementationPlan:
    """PENDING or IN_PROGRESS -> BLOCKED. A task that is blocked already gets the further reason."""
    why = _given(reason, "A task is blocked for a reason")

    def blocked(task: Task) -> Task:
        _only(task, "blocked", PENDING, IN_PROGRESS, BLOCKED)
        return _blocked(task, why)

    return _with(plan, task_id, blocked)


def skip(plan: ImplementationPlan, task_id: str, reason: str) -> ImplementationPlan:
    """Leave a task out and go on with others: it is BLOCKED, so the run does not pass."""
    return block(plan, task_id, f"skipped: {_given(reason, 'A task is skipped for a reason')}")


def unblock(plan: ImplementationPlan, task_id: str) -> ImplementationPlan:
    """BLOCKED -> PENDING with all its attempts again: a person's act. A pending task stays as it is."""

    def unblocked(task: Task) -> Task:
        if task.status is PENDING:
            return task
        _only(task, "tried again", BLOCKED)
        return replace(task, status=PENDING, blockers=(), retry_count=0)

    return _with(plan, task_id, unblocked)


def failed(plan: ImplementationPlan, task_id: str, *, attempt: int, reason: str) -> ImplementationPlan:
    """Attempt number `attempt` ended without success: PENDING again, or BLOCKED if it was the last one.

    The count becomes `attempt`, it is not raised: the same failure, told twice, counts once. One that was counted
    before is no news, whatever the task does by now.
    """
    if attempt < 1:
        raise UnfitTask(f"Attempts are counted from 1, so {attempt} is none.")
    why = _given(reason, "A failure has a reason")

    def counted(task: Task) -> Task:
        if task.retry_count >= attempt:
            return task
        _only(task, "failed", PENDING, IN_PROGRESS, BLOCKED)
        task = replace(task, retry_count=attempt)
        if attempt >= RETRIES:
            return _blocked(task, f"{attempt} attempts failed, the last one because: {why}")
        return task if task.status is BLOCKED else replace(task, status=PENDING)

    return _with(plan, task_id, counted)


def reset_stale(plan: ImplementationPlan) -> ImplementationPlan:
    """Every task that somebody who died was working on is PENDING again; its attempts stay counted."""
    if all(each.status is not IN_PROGRESS for each in plan.tasks):
        return plan
    tasks = tuple(replace(each, status=PENDING) if each.status is IN_PROGRESS else each for each in plan.tasks)
    return replace(plan, tasks=tasks)


def _position(plan: ImplementationPlan, task_id: str) -> int:
    for position, task in enumerate(plan.tasks):
        if task.id == task_id:
            return position
    near = difflib.get_close_matches(task_id, [each.id for each in plan.tasks[:1000]], n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`ralph tasks --all` shows those there are."
    raise UnknownTask(f"There is no task {task_id!r}; {hint}")


def _with(plan: ImplementationPlan, task_id: str, by: Callable[[Task], Task]) -> ImplementationPlan:
    position = _position(plan, task_id)
    changed = by(plan.tasks[position])
    if changed == plan.tasks[position]:
        return plan
    return replace(plan, tasks=(*plan.tasks[:position], changed, *plan.tasks[position + 1 :]))


def _only(task: Task, what: str, *states: TaskStatus) -> None:
    if task.status not in states:
        raise WrongTransition(f"The task {task.id!r} is {task.status}, so it cannot be {what}.")


def _blocked(task: Task, reason: str) -> Task:
    blockers = task.blockers if reason in task.blockers else (*task.blockers, reason)
    return replace(task, status=BLOCKED, blockers=blockers)


def _given(reason: str, rule: str) -> str:
    if not reason.strip():
        raise UnfitTask(f"{rule}: say it.")
    return reason.strip()


def _refuse_bad(task: Task) -> None:
    refuse_unfit(task)
    for criterion in task.verification_criteria:
        refuse_unclear(criterion)
