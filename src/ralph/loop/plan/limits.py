"""What the fields of a new task may hold. Files are read more generously: see `reading`."""

from __future__ import annotations

import re

from ralph.loop.plan.errors import UnfitTask
from ralph.loop.plan.model import Task

ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
"""It names files and stands in command lines."""
ID_RULE = "1 to 100 letters, digits, -, _ and . (not at the beginning)"
MAX_PRIORITY = 1000
MAX_DESCRIPTION = 5000
MAX_CRITERION = 2000
MAX_TOKENS = 10_000_000


def refuse_unfit(task: Task) -> None:
    """Raises UnfitTask with the first thing that is wrong."""
    name = f"The task {task.id!r}"
    if not ID.fullmatch(task.id):
        raise UnfitTask(f"The task id {task.id[:120]!r} is none: use {ID_RULE}.")
    if not task.description.strip() or len(task.description) > MAX_DESCRIPTION:
        raise UnfitTask(f"{name} needs a description of 1 to {MAX_DESCRIPTION} characters.")
    if not 1 <= task.priority <= MAX_PRIORITY:
        raise UnfitTask(f"{name} has the priority {task.priority}: use 1 (the highest) to {MAX_PRIORITY}.")
    if not 0 <= task.estimated_tokens <= MAX_TOKENS:
        raise UnfitTask(f"{name} is estimated at {task.estimated_tokens} tokens: use 0 to {MAX_TOKENS}.")
    for criterion in task.verification_criteria:
        if not criterion.strip() or len(criterion) > MAX_CRITERION:
            raise UnfitTask(f"{name} has a verification criterion without 1 to {MAX_CRITERION} characters.")
