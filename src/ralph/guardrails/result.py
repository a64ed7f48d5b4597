"""The guardrail scan as a step result: it passes unless a finding blocks that nobody excused."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.results import Finding, StepResult


def guardrail_result(findings: Sequence[Finding], *, duration_ms: int, strict: bool = False) -> StepResult:
    """`strict` (a contract with `review: block`) lets findings for review block as well, unless one is excused."""
    counted = [finding for finding in findings if not finding.excused]
    blocking = [finding for finding in counted if strict or finding.blocks]
    more = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    return StepResult(
        name="guardrail",
        status="fail" if blocking else "pass",
        duration_ms=duration_ms,
        counts={
            "findings": len(blocking),
            "reviews": len(counted) - len(blocking),
            **({"excused": excused} if (excused := len(findings) - len(counted)) else {}),
        },
        failures=tuple(sorted(f"{finding.rule} {finding.path}" for finding in blocking)),
        reason=f"{blocking[0].describe()}{more}" if blocking else None,
    )
