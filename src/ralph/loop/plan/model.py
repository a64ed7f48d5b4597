"""Tasks and the plan, as records (spec: core concepts, ImplementationPlan; design decisions 28 and 31).

The field names are those of `.ralph/implementation_plan.json`. `extra` holds fields that this version does not know;
they are written back as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ralph.record import field, record

RETRIES = 3
"""So many failed attempts, and a task is BLOCKED."""


class TaskStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    BLOCKED = "blocked"


@record(kw_only=True)
class Task:
    """`priority` 1 is the highest. Times are RFC 3339 UTC. `blockers` says why it is blocked."""

    id: str
    """1 to 100 letters, digits, `-`, `_` and `.`; unique in the plan."""
    description: str
    """What is to be done."""
    priority: int = 1
    """1 is the highest."""
    status: TaskStatus = TaskStatus.PENDING
    """Where the task stands."""
    dependencies: tuple[str, ...] = ()
    """Ids of tasks that come before it."""
    verification_criteria: tuple[str, ...] = ()
    """What must hold in the end; commands are measured."""
    blockers: tuple[str, ...] = ()
    """Why it is blocked."""
    estimated_tokens: int = 30_000
    """What it may take."""
    actual_tokens_used: int | None = None
    """What it took."""
    completion_notes: str | None = None
    """What was said in the end."""
    completed_at: str | None = None
    """When it was complete, as RFC 3339."""
    retry_count: int = 0
    """Failed attempts so far."""
    spec_files: tuple[str, ...] = ()
    """The specifications that it comes from."""
    extra: Mapping[str, Any] = field(default_factory=dict)


@record(kw_only=True)
class ImplementationPlan:
    """`frozen_at`: when planning ended; from then on criteria do not change."""

    tasks: tuple[Task, ...] = ()
    """The tasks, in their order."""
    created_at: str | None = None
    """When planning began."""
    last_modified: str | None = None
    """When it was last written."""
    frozen_at: str | None = None
    """When planning ended; from then on criteria do not change."""
    extra: Mapping[str, Any] = field(default_factory=dict)
