"""Thrashing: the same work refused again and again without progress (design decision 21).

Rules: what counts is a task and the set of its failing checks. Progress is a set of failing checks that is smaller than
every one before, so that going to and fro between two failures is none. Three refusals without progress abandon a task;
three abandoned tasks end the loop. Pure: every observation gives the next state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from ralph.record import field, record, replace

REFUSALS = 3
ABANDONED = 3
Reaction = Literal["go on", "abandon the task", "end the loop"]


@record
class Standing:
    """A task's fewest failing checks so far, and the refusals since."""

    fewest: int
    refusals: int


@record(kw_only=True)
class Thrash:
    tasks: Mapping[str, Standing] = field(default_factory=dict)
    abandoned: tuple[str, ...] = ()


def refused(state: Thrash, task: str, failing: Collection[str]) -> tuple[Thrash, Reaction]:
    """A claim for `task` was refused because of these checks."""
    known, count = state.tasks.get(task), len(set(failing))
    if known is None or count < known.fewest:
        standing = Standing(count, 1)
    else:
        standing = Standing(known.fewest, known.refusals + 1)
    tasks = {**state.tasks, task: standing}
    if standing.refusals < REFUSALS:
        return replace(state, tasks=tasks), "go on"
    del tasks[task]
    after = Thrash(tasks=tasks, abandoned=(*state.abandoned, task))
    return after, "end the loop" if len(after.abandoned) >= ABANDONED else "abandon the task"


def accepted(state: Thrash, task: str) -> Thrash:
    """A claim for `task` was accepted: what was refused before is forgotten."""
    return replace(state, tasks={name: each for name, each in state.tasks.items() if name != task})
