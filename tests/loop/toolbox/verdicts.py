"""Verdicts from step results, without running anything."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.results import Finding, StepResult
from ralph.verdict import Subject, Verdict, combine
from tests.loop.toolbox.desks import NOW

_SUBJECT = Subject(
    run_id="20260301T120000000Z-0123456789ab",
    ralph_version="0",
    policy_version="v2",
    policy_digest="",
    context_digest="",
    contract=None,
    contract_digest=None,
    agent_type=None,
    project="p",
    autonomy_level="L2",
    base_commit="",
    tree_hash="",
    inputs_digest="",
    sandbox_level="none",
    started_at=NOW,
    completed_at=NOW,
    artifact_path="",
)
PASSED = StepResult(name="tests", status="pass")
FAILED = StepResult(name="tests", status="fail", reason="2 tests fail")


def verdict(*steps: StepResult, findings: Sequence[Finding] = ()) -> Verdict:
    return combine(steps, required=["tests"], findings=findings, subject=_SUBJECT)
