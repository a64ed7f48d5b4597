"""Plans for tests."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ralph.loop.plan.files import PLAN_FILE, PlanStore
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.permissions.model import ApprovalRules, CheckRules, CommandRules, FileRules, Permissions

NOW = datetime(2026, 1, 26, 14, 30, tzinfo=UTC)
STAMP = "2026-01-26T14:30:00.000Z"

STATES = {"p": TaskStatus.PENDING, "i": TaskStatus.IN_PROGRESS, "c": TaskStatus.COMPLETE, "b": TaskStatus.BLOCKED}

SPEC_EXAMPLE = """{
  "tasks": [
    {
      "id": "auth-01",
      "description": "Create User model with password hashing",
      "priority": 1,
      "dependencies": [],
      "verification_criteria": [
        "User model exists in models/user.py",
        "Password is hashed using bcrypt",
        "uv run pytest tests/test_user_model.py passes"
      ],
      "estimated_tokens": 25000
    },
    {
      "id": "auth-02",
      "description": "Add registration endpoint",
      "priority": 2,
      "dependencies": ["auth-01"],
      "verification_criteria": [
        "POST /api/register creates user",
        "Returns 400 for duplicate email",
        "uv run pytest tests/test_registration.py passes"
      ],
      "estimated_tokens": 30000
    }
  ]
}
"""


def task(task_id: str, **fields: Any) -> Task:
    return Task(**{"id": task_id, "description": f"do {task_id}"} | fields)


def plan(*words: str) -> ImplementationPlan:
    """`plan("a c", "b p2 a")`: a is complete; b is pending, of priority 2, and depends on a."""
    made = []
    for each in words:
        name, state, *needs = each.split()
        priority = int(state[1:] or 1)
        made.append(task(name, status=STATES[state[0]], priority=priority, dependencies=tuple(needs)))
    return ImplementationPlan(tasks=tuple(made))


def states(found: ImplementationPlan) -> str:
    """The first letters of the tasks' states."""
    return "".join(each.status[0] for each in found.tasks)


def store(root: Path) -> PlanStore:
    return PlanStore(root, now=lambda: NOW)


def put(root: Path, content: str | bytes | Any) -> Path:
    """The plan's file with this content; a value is written as JSON."""
    path = root / PLAN_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else (content if isinstance(content, str) else json.dumps(content))
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def allowing(*commands: str) -> Permissions:
    """Permissions under which these commands alone may run."""
    return Permissions(
        version=1,
        mode="delivery",
        files=FileRules(allow_read=(".",)),
        commands=CommandRules(allow=commands),
        approval=ApprovalRules(),
        checks=CheckRules(),
    )
