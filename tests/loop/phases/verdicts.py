"""Verdicts, made as the engine makes them: by combining step results."""

from __future__ import annotations

from datetime import UTC, datetime

from ralph.verdict import Attribution, Finding, StepResult, Subject, Verdict, combine

REQUIRED = ("guardrail", "lint", "typecheck", "tests", "coverage")
NOON = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
SUBJECT = Subject(
    run_id="20261122T120000000Z-0123456789ab",
    ralph_version="0",
    policy_version="v2",
    policy_digest="p",
    context_digest="c",
    contract="feature",
    contract_digest="d",
    agent_type="feature",
    project="fairshare",
    autonomy_level="L2",
    base_commit="b",
    tree_hash="t",
    inputs_digest="i",
    sandbox_level="bubblewrap",
    started_at=NOON,
    completed_at=NOON,
    artifact_path=".ralph/audit/20261122T120000000Z-0123456789ab",
)
COUNTS = {"tests": {"tests": 12.0}, "coverage": {"percent": 91.5}, "lint": {"errors": 0.0}}
BLOCKING = Finding(
    rule="v2.skip", severity="block", reason="a test is skipped", path="t.py", line=1, column=1, snippet="skip"
)


def verdict(*, attribution: Attribution | None = None, blocks: bool = False, **others: StepResult) -> Verdict:
    """PASS, but for the steps that are given."""
    steps = {name: StepResult(name=name, status="pass", counts=COUNTS.get(name, {})) for name in REQUIRED} | others
    if blocks:
        steps["guardrail"] = StepResult(name="guardrail", status="fail", reason="one finding blocks")
    findings = [BLOCKING] if blocks else []
    return combine(list(steps.values()), required=REQUIRED, findings=findings, subject=SUBJECT, attribution=attribution)


def failing(name: str, reason: str = "2 failures", status: str = "fail") -> StepResult:
    return StepResult(name=name, status=status, reason=reason)  # type: ignore[arg-type]


PASS = verdict()
