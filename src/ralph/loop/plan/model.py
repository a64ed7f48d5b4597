"""Tasks and the plan, as records (spec: core concepts, ImplementationPlan; design decisions 28 and 31).

The field names are those of `.ralph/implementation_plan.json`. `extra` holds fields that this version does not know;
they are written back as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

RETRIES = 3
"""So many failed attempts, and a task is BLOCKED."""


class TaskStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETE = "complete"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """`priority` 1 is the highest. Times are RFC 3339 UTC. `blockers` says why it is blocked."""

    id: str
    description: str
    priority: int = 1
    status: TaskStatus = TaskStatus.PENDING
    dependencies: tuple[str, ...] = ()
    verification_criteria: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    estimated_tokens: int = 30_000
    actual_tokens_used: int | None = None
    completion_notes: str | None = None
    completed_at: str | None = None
    retry_count: int = 0
    spec_files: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplementationPlan:
    """`frozen_at`: when planning ended; from then on criteria do not change."""

    tasks: tuple[Task, ...] = ()
    created_at: str | None = None
    last_modified: str | None = None
    frozen_at: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
