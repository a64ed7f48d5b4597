"""Measures the verification criteria of a task on the tree as it stands (design decisions 1, 2, 25 and 31).

Rules:

- A command runs as every shell gate does (`gates.shell`): in the sandbox, in a clean environment, judged by the
  permissions first, with a time limit. Only a real exit 0 on a tree that stays the same is a `pass`.
- An end that proves nothing is an `error`, never a `pass`: a command that is not found, refused or stopped, or that
  changes the tree; and a criterion that resembles a command and is none.
- A criterion in words is `claimed`. It stands in the way of nothing, and it proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ralph.gates.model import VerifyGate
from ralph.gates.progress import end_of
from ralph.gates.shell import Bench, attempt
from ralph.loop.plan.criteria import judged, read
from ralph.loop.plan.model import Task
from ralph.record import record

State = Literal["pass", "fail", "error", "claimed"]


@record(kw_only=True)
class CriterionResult:
    """What became of one criterion. `log` holds all output, `excerpt` its telling part; `tree` was judged."""

    criterion: str
    state: State
    command: str | None = None
    reason: str = ""
    log: str = ""
    excerpt: str = ""
    tree: str | None = None
    duration_ms: int = 0


def run_criteria(task: Task, bench: Bench, *, logs: Path) -> tuple[CriterionResult, ...]:
    """Every criterion of the task, in order; output goes to the folder `logs`.

    Raises StorageError, and RepositoryError if the tree cannot be told.
    """
    numbered = enumerate(task.verification_criteria, start=1)
    return tuple(run_criterion(text, bench, log=logs / f"criterion-{number}.log") for number, text in numbered)


def run_criterion(text: str, bench: Bench, *, log: Path) -> CriterionResult:
    """One criterion. Raises what `run_criteria` raises."""
    standing = judged(read(text), bench.law)
    gate = standing.criterion.gate
    if standing.kind == "unclear":
        return CriterionResult(criterion=text, state="error", reason=standing.why or "")
    if gate is None or standing.kind == "claimed":
        command = gate.command if gate else None
        return CriterionResult(criterion=text, state="claimed", command=command, reason=standing.why or "")
    return _run(text, gate, bench, log)


def met(results: Iterable[CriterionResult]) -> bool:
    """Whether nothing was measured that speaks against the task."""
    return all(each.state in ("pass", "claimed") for each in results)


def proved(results: Iterable[CriterionResult]) -> bool:
    """Whether something was measured that speaks for the task; where nothing was, it needs the engine's PASS."""
    listed = list(results)
    return met(listed) and any(each.state == "pass" for each in listed)


def _run(text: str, gate: VerifyGate, bench: Bench, log: Path) -> CriterionResult:
    tried = attempt(gate, bench, number=1, log=log)
    state: State = "pass" if tried.passed else "error" if tried.problem else "fail"
    return CriterionResult(
        criterion=text,
        state=state,
        command=gate.command,
        reason="" if tried.passed else end_of(tried),
        log=tried.log,
        excerpt=tried.excerpt,
        tree=tried.tree,
        duration_ms=tried.duration_ms,
    )
