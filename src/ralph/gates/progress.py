"""How a gate moves: pure transitions, so that the same attempts always lead to the same state.

Rules (spec: shell verify gates; research: verify gates, 4.2; design decision 27):

- `pending` -> `passed` or `failed` by what was measured after the work; `blocked` when it was refused or its attempts
  are used up; nothing but a person's `retry` leads out of `blocked`, and nothing at all out of `aborted`.
- A pass is bound to the tree it was measured on: on any other tree the gate is pending again (`on_tree`).
- The baseline, measured before the work, decides nothing. A gate that is green before the work is told as such.
- Failures count, passes do not. Attempts are a hard limit: a gate without any left takes no further one.
- A person's skip is shown as `skipped`. It is no pass: `holds` is false for it, on every tree.
- A judgement of a criteria gate counts like an attempt; an answer that cannot be read is none, and counts as failure.
"""

from __future__ import annotations

from ralph.gates.model import Attempt, CriteriaGate, GateRun, Judgement
from ralph.record import replace

CRITERIA_ATTEMPTS = 3


def limit(run: GateRun) -> int:
    """How many failures the gate may have."""
    return CRITERIA_ATTEMPTS if isinstance(run.gate, CriteriaGate) else run.gate.attempts


def failures(run: GateRun) -> int:
    """The failures that count: those of work, since a person's last `retry`."""
    tried: list[Attempt | Judgement] = [*work(run), *run.judgements]
    return sum(not each.passed for each in tried) - run.forgiven


def work(run: GateRun) -> tuple[Attempt, ...]:
    """The attempts after the work."""
    return tuple(each for each in run.attempts if not each.baseline)


def baseline(run: GateRun) -> Attempt | None:
    """What was last measured before the work; None if nothing was."""
    return next((each for each in reversed(run.attempts) if each.baseline), None)


def green_before(run: GateRun) -> bool:
    """True if the gate passed before the work: then its pass after it does not show that the work did anything."""
    before = baseline(run)
    return before is not None and before.passed


def holds(run: GateRun, tree: str) -> bool:
    """True if the gate passed on exactly this tree."""
    tried: tuple[Attempt | Judgement, ...] = run.judgements or work(run)
    return run.state == "passed" and bool(tried) and tried[-1].passed and tried[-1].tree == tree


def on_tree(run: GateRun, tree: str) -> GateRun:
    """The gate as it stands on this tree: a pass on another one is none."""
    return replace(run, state="pending", reason="") if run.state == "passed" and not holds(run, tree) else run


def can_be_tried(run: GateRun) -> bool:
    return run.state in ("pending", "failed", "passed")


def attempted(run: GateRun, attempt: Attempt) -> GateRun:
    """The gate after a run of its command."""
    _demand_attempts_left(run)
    tried = replace(run, attempts=(*run.attempts, attempt))
    if _is_decided(run):
        return tried
    if attempt.refused:
        return replace(tried, state="blocked", reason=attempt.problem or "it was refused")
    return tried if attempt.baseline else _settled(tried, attempt, end_of(attempt))


def judged(run: GateRun, judgement: Judgement) -> GateRun:
    """The gate after a judgement of its criterion."""
    _demand_attempts_left(run)
    tried = replace(run, judgements=(*run.judgements, judgement))
    return tried if _is_decided(run) else _settled(tried, judgement, judgement.reason)


def retried(run: GateRun, why: str) -> GateRun:
    """A person gives the gate all its attempts again."""
    return replace(run, state="pending", reason=why, forgiven=run.forgiven + failures(run))


def skipped(run: GateRun, why: str) -> GateRun:
    """A person's exception stands in for the gate, as long as it is valid."""
    return replace(run, state="skipped", reason=why)


def unskipped(run: GateRun) -> GateRun:
    """The exception has ended: the gate has to hold again."""
    left = failures(run) < limit(run)
    return replace(run, state="pending" if left else "blocked", reason="the exception for it has ended")


def aborted(run: GateRun, why: str) -> GateRun:
    return replace(run, state="aborted", reason=why)


def end_of(attempt: Attempt) -> str:
    """How an attempt ended, as a clause."""
    if attempt.passed:
        return "exit code 0"
    code = "" if attempt.exit_code is None or attempt.problem is None else f" (exit code {attempt.exit_code})"
    return f"{attempt.problem}{code}" if attempt.problem else f"exit code {attempt.exit_code}"


def _settled(run: GateRun, last: Attempt | Judgement, why: str) -> GateRun:
    if last.passed:
        return replace(run, state="passed", reason="")
    used_up = failures(run) >= limit(run)
    return replace(run, state="blocked" if used_up else "failed", reason=why)


def _is_decided(run: GateRun) -> bool:
    """A person decided while the gate was being measured: the measurement is kept, the decision stands."""
    return run.state in ("skipped", "aborted")


def _demand_attempts_left(run: GateRun) -> None:
    if run.state == "blocked":
        raise ValueError(f"the gate {run.id} is blocked and takes no further attempt")
