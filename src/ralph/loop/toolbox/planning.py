"""Tools about the plan: how far it is, and new tasks for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ralph.loop.plan import selection, transitions
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.toolbox import schemas
from ralph.loop.toolbox.desk import Desk
from ralph.loop.words import Phase
from ralph.mcp.model import Tool, ToolError
from ralph.record import replace

ADD = "ralph_add_task"

Given = Mapping[str, Any]


def made(desk: Desk) -> tuple[Tool, ...]:
    return (
        Tool(
            name="ralph_get_plan_summary",
            description="How far the plan is, and what is next in it.",
            schema=schemas.NOTHING,
            call=partial(_summary, desk),
            reads=True,
        ),
        adding(desk),
    )


def adding(desk: Desk, *, again: bool = False) -> Tool:
    """`ralph_add_task`. With `again` a task that stands in the plan already, word for word, is no error."""
    return Tool(
        name=ADD,
        description="Add a task to the plan. It is checked first; a refusal says what to correct.",
        schema=schemas.arguments(
            "task_id",
            "description",
            task_id=schemas.TASK_ID,
            description=schemas.DESCRIPTION,
            priority=schemas.PRIORITY,
            dependencies=schemas.DEPENDENCIES,
            verification_criteria=schemas.CRITERIA,
            estimated_tokens=schemas.ESTIMATE,
            spec_files=schemas.SPEC_FILES,
        ),
        call=partial(_add, desk, again),
    )


def shown(task: Task) -> dict[str, Any]:
    """What an agent is told of a task."""
    return {
        "id": task.id,
        "description": task.description,
        "priority": task.priority,
        "status": str(task.status),
        "dependencies": list(task.dependencies),
        "verification_criteria": list(task.verification_criteria),
        "estimated_tokens": task.estimated_tokens,
        "retry_count": task.retry_count,
        "spec_files": list(task.spec_files),
    }


def _summary(desk: Desk, _given: Given) -> Given:
    plan = desk.plan.load_or_none() or ImplementationPlan()
    standing = selection.standing(plan)
    next_task = standing.next and {name: shown(standing.next)[name] for name in ("id", "description", "priority")}
    return {
        "message": standing.waiting or f"{standing.complete} of {standing.total} tasks are complete.",
        "total_tasks": standing.total,
        "complete": standing.complete,
        "pending": standing.pending,
        "blocked": standing.blocked,
        "in_progress": standing.in_progress,
        "completion_percentage": standing.completion,
        "created_at": plan.created_at,
        "last_modified": plan.last_modified,
        "frozen_at": plan.frozen_at,
        "next_task": next_task,
    }


def _add(desk: Desk, again: bool, given: Given) -> Given:
    seat = desk.seat
    if seat is not None and seat.phase not in (Phase.PLANNING, Phase.BUILDING):
        raise ToolError(f"Tasks are added while planning, and this is {seat.phase}: nothing was added.")
    task = _task(given)
    if seat is not None and seat.phase is Phase.BUILDING:
        task = replace(task, extra={"added_by": "agent", "added_in_iteration": seat.turn.iteration})
    plan = desk.plan.change(lambda plan: plan if again and task in plan.tasks else transitions.add(plan, task))
    return {
        "message": f"The task {task.id!r} stands in the plan.",
        "task_id": task.id,
        "priority": task.priority,
        "total_tasks": len(plan.tasks),
    }


def _task(given: Given) -> Task:
    criteria = given.get("verification_criteria", ())
    fields: dict[str, Any] = {
        "id": given["task_id"],
        "description": given["description"].strip(),
        "dependencies": _names(given.get("dependencies", ())),
        "verification_criteria": (criteria,) if isinstance(criteria, str) else tuple(criteria),
        "spec_files": _names(given.get("spec_files", ())),
    }
    for name in ("priority", "estimated_tokens"):
        if name in given:
            fields[name] = int(given[name])
    return Task(**fields)


def _names(given: Any) -> tuple[str, ...]:
    """A list, or a text with commas between; each once."""
    parts = given.split(",") if isinstance(given, str) else given
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
