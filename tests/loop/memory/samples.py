"""Facts of a small project, and processes that use its files."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts, Summary, TaskNote
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.saved import RalphState, fresh
from ralph.loop.words import Phase
from ralph.record import asdict

NOW = datetime(2026, 1, 26, 14, 30, tzinfo=UTC)
TOP = Path(__file__).parents[3]
AT = "2026-01-26T14:30:00.000Z"

MODEL = TaskNote(id="auth-01", description="Create User model")
LOGIN = TaskNote(id="auth-02", description="Add login endpoint")


def iteration(number: int, **changes: Any) -> IterationFacts:
    facts: dict[str, Any] = {
        "iteration": number,
        "phase": Phase.BUILDING,
        "at": AT,
        "progress": True,
        "session_id": "run-1",
        "task": LOGIN,
        "tokens": 12_345,
        "cost_usd": 0.5,
        "agent": "scripted",
        "end": "completed",
        "files": ("src/login.py",),
    }
    return IterationFacts(**{**facts, **changes})


def phase(**changes: Any) -> PhaseFacts:
    facts: dict[str, Any] = {
        "phase": Phase.PLANNING,
        "iteration": 4,
        "ended_at": AT,
        "next_phase": Phase.BUILDING,
        "artifacts": ("12 tasks",),
        "decisions": ("small tasks first",),
        "summary": "The plan is made.",
        "iterations": 3,
        "tokens": 9_000,
        "cost_usd": 1.25,
    }
    return PhaseFacts(**{**facts, **changes})


def session(number: int = 1, **changes: Any) -> SessionFacts:
    facts: dict[str, Any] = {
        "session_id": f"run-{number}",
        "phase": Phase.BUILDING,
        "iteration": number,
        "reason": "context_full",
        "started_at": "2026-01-26T14:00:00.000Z",
        "ended_at": AT,
        "summary": Summary(by="agent", progress=("Login works",), decisions=("JWT",), notes=("Rate limiting",)),
        "completed": (MODEL,),
        "in_progress": (LOGIN,),
        "files": ("src/login.py", "tests/test_login.py"),
        "tokens": 250_000,
        "cost_usd": 2.5,
    }
    return SessionFacts(**{**facts, **changes})


def plan() -> ImplementationPlan:
    return ImplementationPlan(
        tasks=(
            Task(id="auth-01", description="Create User model", status=TaskStatus.COMPLETE),
            Task(id="auth-02", description="Add login endpoint", status=TaskStatus.IN_PROGRESS, retry_count=1),
            Task(id="auth-03", description="Mail", status=TaskStatus.BLOCKED, blockers=("SMTP is not configured",)),
            Task(id="auth-04", description="Tokens"),
        )
    )


def state(root: Path, **changes: Any) -> RalphState:
    fields: dict[str, Any] = {
        "current_phase": Phase.BUILDING,
        "iteration_count": 47,
        "session_id": "run-2",
        "total_cost_usd": 12.34,
        "total_tokens_used": 1_234_567,
        "session_cost_usd": 2.5,
        "session_tokens_used": 250_000,
    }
    start = fresh(root, now=NOW)
    return RalphState(**{**asdict(start), **fields, **changes})


def started(code: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own that runs this code; `sys.argv[1:]` are the arguments."""
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(TOP)!r})\n{code}", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def together(*processes: subprocess.Popen[str]) -> list[str]:
    """What each printed, once all have ended. The traceback of one that failed is the failure."""
    answers = [process.communicate(timeout=60) for process in processes]
    for process, (_, err) in zip(processes, answers, strict=True):
        assert process.returncode == 0, err
    return [out for out, _ in answers]
