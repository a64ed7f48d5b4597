"""Tools about the task at work. Ralph selected it; what the agent says of it are claims."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ralph.events.door import COMPLETION
from ralph.loop.judging import BLOCKED, RETRY
from ralph.loop.plan import selection, transitions
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.toolbox import schemas
from ralph.loop.toolbox.desk import Desk
from ralph.loop.toolbox.planning import shown
from ralph.mcp.model import Tool

COMPLETE, _DONE = COMPLETION
START = "ralph_mark_task_in_progress"
_CANNOT = "build.blocked"
_NO_REASON = "the agent gave no reason"

Given = Mapping[str, Any]


def made(desk: Desk) -> tuple[Tool, ...]:
    return (
        Tool(
            name="ralph_get_next_task",
            description="The task that Ralph selected for you, with its criteria.",
            schema=schemas.NOTHING,
            call=partial(_next, desk),
            reads=True,
        ),
        Tool(
            name=START,
            description="Say that you begin with the task that Ralph selected.",
            schema=schemas.arguments("task_id", task_id=schemas.TASK_ID),
            call=partial(_start, desk),
            reads=True,
        ),
        Tool(
            name=COMPLETE,
            description="Claim that the task is done. Ralph measures when your turn ends, and decides by that.",
            schema=schemas.arguments(
                "task_id",
                task_id=schemas.TASK_ID,
                verification_notes=schemas.NOTES,
                tokens_used=schemas.TOKENS_USED,
            ),
            call=partial(_complete, desk),
        ),
        Tool(
            name=BLOCKED,
            description="Say that the task cannot be done, for a reason that is not yours to remove.",
            schema=schemas.arguments("task_id", "reason", task_id=schemas.TASK_ID, reason=schemas.REASON),
            call=partial(_block, desk),
        ),
        Tool(
            name=RETRY,
            description="Say that this attempt at the task failed and should begin afresh. It counts once a turn.",
            schema=schemas.arguments("task_id", task_id=schemas.TASK_ID, reason=schemas.REASON),
            call=partial(_retry, desk),
        ),
    )


def _next(desk: Desk, _given: Given) -> Given:
    plan = desk.plan.load_or_none() or ImplementationPlan()
    standing = selection.standing(plan)
    own = desk.seat.turn.task if desk.seat else None
    if own is not None:
        task, told = transitions.find(plan, own), "Ralph selected this task for this turn."
    elif standing.next is not None:
        task, told = standing.next, "This task is next; Ralph hands it out when its turn comes."
    else:
        return {"message": standing.waiting, "task": None, "remaining_count": standing.pending}
    return {"message": told, "task": shown(task), "remaining_count": standing.pending}


def _start(desk: Desk, given: Given) -> Given:
    desk.at_work(given["task_id"], START)
    return {
        "message": "It is yours, and has been in progress since your turn began.",
        "task_id": given["task_id"],
        "status": str(TaskStatus.IN_PROGRESS),
    }


def _complete(desk: Desk, given: Given) -> Given:
    task_id = given["task_id"]
    desk.seated(COMPLETE)
    plan = desk.plan.load()
    if transitions.find(plan, task_id).status is TaskStatus.COMPLETE:
        return {
            "message": f"The task {task_id!r} is complete already.",
            "task_id": task_id,
            "was_already_complete": True,
        }
    seat = desk.at_work(task_id, COMPLETE)
    said = seat.publish(_DONE, given.get("verification_notes", ""), COMPLETE)
    later = "Ralph takes your claim and measures it when your turn ends: end it now."
    standing = selection.standing(plan)
    return {
        "message": later if said["outcome"] == "accepted" else said["message"],
        "task_id": task_id,
        "status": "claimed",
        "reads": said["outcome"],
        "failed": said["failed"],
        "completion_percentage": standing.completion,
        "remaining_tasks": standing.remaining,
    }


def _block(desk: Desk, given: Given) -> Given:
    task_id = given["task_id"]
    _, task = desk.selected(task_id, BLOCKED)
    if task.status is TaskStatus.BLOCKED:
        return {
            "message": f"The task {task_id!r} is blocked already.",
            "task_id": task_id,
            "was_already_blocked": True,
        }
    desk.at_work(task_id, BLOCKED).say(_CANNOT, given["reason"], BLOCKED)
    return {
        "message": "Ralph takes that in when your turn ends: end it now.",
        "task_id": task_id,
        "status": "claimed",
        "reason": given["reason"],
        "remaining_tasks": selection.standing(desk.plan.load()).remaining,
    }


def _retry(desk: Desk, given: Given) -> Given:
    seat, task = desk.selected(given["task_id"], RETRY)
    desk.at_work(given["task_id"], RETRY)
    seat.say(_CANNOT, given.get("reason", _NO_REASON), RETRY)
    return {
        "message": "Ralph counts this attempt as failed when your turn ends: end it now.",
        "task_id": task.id,
        "status": "claimed",
        "retry_count": task.retry_count,
    }
