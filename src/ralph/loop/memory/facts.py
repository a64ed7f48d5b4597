"""What memories are made of: plain records that the runner gives, never guesses from an agent's words.

Rules (spec: core concepts, What Gets Captured): the phase is a field; tasks are those that were completed or blocked in
this very iteration or session; a cost that nobody knows is None, not 0. Times are RFC 3339 in UTC. Texts are as agents
and people wrote them: whoever shows them takes `wording`.
"""

from __future__ import annotations

from typing import Literal

from ralph.loop.words import Phase
from ralph.record import field, record


@record(kw_only=True)
class TaskNote:
    """A task as it stands in a memory. `note`: what was said as it was completed, or why it is blocked."""

    id: str
    description: str
    note: str = ""


@record(kw_only=True)
class Summary:
    """What one session leaves to the next, by heading of MEMORY.md; `by` says whose words they are."""

    by: Literal["agent", "ralph", "person"]
    progress: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@record(kw_only=True)
class IterationFacts:
    """One iteration. `end` is how its turn ended, `files` what it changed, `refusals` what the next prompt says."""

    iteration: int
    phase: Phase
    at: str
    progress: bool
    session_id: str | None = None
    task: TaskNote | None = None
    completed: tuple[TaskNote, ...] = ()
    blocked: tuple[TaskNote, ...] = ()
    tokens: int | None = None
    cost_usd: float | None = None
    agent: str = ""
    end: str = ""
    files: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    run_id: str | None = None


@record(kw_only=True)
class PhaseFacts:
    """A phase that ended with `iteration`. `iterations` is how many it took, `unpriced` how many of unknown cost."""

    phase: Phase
    iteration: int
    ended_at: str
    started_at: str | None = None
    next_phase: Phase | None = None
    artifacts: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    summary: str = ""
    iterations: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    run_id: str | None = None


@record(kw_only=True)
class SessionFacts:
    """A session that ended with `iteration`; its own figures, and the totals of the project at its end."""

    session_id: str
    phase: Phase
    iteration: int
    reason: str
    ended_at: str
    started_at: str | None = None
    summary: Summary = field(default_factory=lambda: Summary(by="ralph"))
    completed: tuple[TaskNote, ...] = ()
    in_progress: tuple[TaskNote, ...] = ()
    files: tuple[str, ...] = ()
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    total_tokens: int = 0
    total_cost_usd: float = 0.0
    run_id: str | None = None
