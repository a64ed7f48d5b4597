"""Verdicts: what a verification found, and the one function that turns step results into one.

Rules (spec: governance engine 1.3; design decisions 1, 2, 3, 6, 8):

- PASS is a conjunction: every required step measured something and passed, and nothing blocks.
- A contract that is exceeded or a guardrail that blocks makes BLOCKED; nothing else does.
- A finding that a person's exception excuses blocks nothing, and stands in the verdict with the exception.
- Everything else is FAIL. What could not be measured is FAIL with a reason that begins `could not verify:`.
- The first step that is not good, in `STEP_ORDER`, names the verdict, whatever order the steps ran in.
- A step that did not run, or was not measured, has `passed` false and no metrics.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from ralph.record import record
from ralph.results import (
    BLOCKING_STEPS,
    COULD_NOT_VERIFY,
    STEP_ORDER,
    Attribution,
    ControlResult,
    Excuse,
    Finding,
    Severity,
    StepResult,
    StepStatus,
    attribute,
    finding_from_dict,
    step_from_dict,
)
from ralph.system.clock import rfc3339

__all__ = [
    "BLOCKING_STEPS",
    "COULD_NOT_VERIFY",
    "STEP_ORDER",
    "Attribution",
    "ControlResult",
    "Excuse",
    "Finding",
    "Severity",
    "StepResult",
    "StepStatus",
    "Subject",
    "Verdict",
    "VerdictType",
    "attribute",
    "combine",
    "in_order",
    "judge",
    "step_from_dict",
]


class VerdictType(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    BLOCKED = "BLOCKED"


@record(kw_only=True)
class Subject:
    """What was judged, by what, when: the part of a verdict that no step decides."""

    run_id: str
    ralph_version: str
    policy_version: str
    policy_digest: str
    context_digest: str
    contract: str | None
    contract_digest: str | None
    agent_type: str | None
    project: str
    autonomy_level: str
    base_commit: str
    tree_hash: str
    inputs_digest: str
    sandbox_level: str
    started_at: datetime
    completed_at: datetime
    artifact_path: str
    reused_from: str | None = None


@record(kw_only=True)
class Verdict:
    """Immutable verification verdict. Metrics are None where nothing was measured. Times are UTC."""

    type: VerdictType
    run_id: str
    ralph_version: str
    policy_version: str
    guardrail_passed: bool
    lint_passed: bool
    typecheck_passed: bool
    tests_passed: bool
    coverage_passed: bool
    failed_step: str | None
    failure_reason: str | None
    blocked_patterns: tuple[str, ...]
    test_count: int | None
    coverage_percent: float | None
    lint_errors: int | None
    type_errors: int | None
    started_at: datetime
    completed_at: datetime
    duration_ms: int
    artifact_path: str
    steps: tuple[StepResult, ...]
    findings: tuple[Finding, ...]
    regressions: tuple[str, ...]
    pre_existing: tuple[str, ...]
    fixed: tuple[str, ...]
    project: str
    agent_type: str | None
    contract: str | None
    contract_digest: str | None
    autonomy_level: str
    needs_review: bool
    base_commit: str
    tree_hash: str
    policy_digest: str
    context_digest: str
    inputs_digest: str
    sandbox_level: str
    reused_from: str | None

    def is_terminal_pass(self) -> bool:
        """True if all steps passed and verdict is PASS."""
        return self.type is VerdictType.PASS

    def requires_human_intervention(self) -> bool:
        """True if blocked by a guardrail or a contract (cannot be auto-fixed)."""
        return self.type is VerdictType.BLOCKED

    def step(self, name: str) -> StepResult | None:
        return next((step for step in self.steps if step.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """A JSON-ready dictionary; `from_dict` gives the same verdict back."""
        data = dataclasses.asdict(self)
        data["type"] = self.type.value
        data["started_at"] = rfc3339(self.started_at)
        data["completed_at"] = rfc3339(self.completed_at)
        return {key: _plain(value) for key, value in data.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """Rebuild a verdict. Raises KeyError, TypeError or ValueError when `data` is not one."""
        fields = dict(data)
        fields["type"] = VerdictType(fields["type"])
        fields["started_at"] = datetime.fromisoformat(fields["started_at"])
        fields["completed_at"] = datetime.fromisoformat(fields["completed_at"])
        fields["steps"] = tuple(step_from_dict(step) for step in fields["steps"])
        fields["findings"] = tuple(finding_from_dict(finding) for finding in fields["findings"])
        for name in ("blocked_patterns", "regressions", "pre_existing", "fixed"):
            fields[name] = tuple(fields[name])
        return cls(**fields)


def in_order(steps: Sequence[StepResult]) -> tuple[StepResult, ...]:
    """Steps as they are reported, whatever order they ran in. Raises ValueError for a name that is no step."""
    return tuple(sorted(steps, key=lambda step: STEP_ORDER.index(step.name)))


def judge(steps: Sequence[StepResult], required: Collection[str]) -> tuple[VerdictType, str | None, str | None]:
    """(type, failed_step, failure_reason) of steps of which `required` must have been measured."""
    ordered = in_order(steps)
    present = {step.name for step in ordered}
    for step in ordered:
        if step.name in BLOCKING_STEPS and step.status == "fail":
            return VerdictType.BLOCKED, step.name, step.reason
    named = [(step.name, step) for step in ordered] + [(name, None) for name in required if name not in present]
    for name, result in sorted(named, key=lambda pair: STEP_ORDER.index(pair[0])):
        if result is None:
            return VerdictType.FAIL, name, f"{COULD_NOT_VERIFY} {name}: it was not run"
        if result.good or (result.status == "skipped" and name not in required):
            continue
        if result.status == "fail":
            return VerdictType.FAIL, name, result.reason
        if result.status == "skipped" and _earlier_trouble(ordered, name):
            continue
        return VerdictType.FAIL, name, _unmeasured(result)
    return VerdictType.PASS, None, None


def combine(
    steps: Sequence[StepResult],
    *,
    required: Collection[str],
    findings: Sequence[Finding],
    subject: Subject,
    attribution: Attribution | None = None,
) -> Verdict:
    """The only maker of verdicts: judges the steps and puts measured metrics beside the judgement."""
    ordered = in_order(steps)
    kind, failed_step, reason = judge(ordered, required)
    by_name = {step.name: step for step in ordered}
    told = attribution or Attribution()

    def passed(name: str) -> bool:
        return name in by_name and by_name[name].passed

    def measured(name: str, count: str) -> float | None:
        step = by_name.get(name)
        return step.counts.get(count) if step and step.status in ("pass", "fail") else None

    test_count, lint_errors, type_errors = (
        _whole(measured(*source)) for source in (("tests", "tests"), ("lint", "errors"), ("typecheck", "errors"))
    )
    return Verdict(
        type=kind,
        run_id=subject.run_id,
        ralph_version=subject.ralph_version,
        policy_version=subject.policy_version,
        guardrail_passed=passed("guardrail"),
        lint_passed=passed("lint"),
        typecheck_passed=passed("typecheck"),
        tests_passed=passed("tests"),
        coverage_passed=passed("coverage"),
        failed_step=failed_step,
        failure_reason=reason,
        blocked_patterns=tuple(finding.describe() for finding in findings if finding.blocks),
        test_count=test_count,
        coverage_percent=measured("coverage", "percent"),
        lint_errors=lint_errors,
        type_errors=type_errors,
        started_at=subject.started_at,
        completed_at=subject.completed_at,
        duration_ms=round((subject.completed_at - subject.started_at).total_seconds() * 1000),
        artifact_path=subject.artifact_path,
        steps=ordered,
        findings=tuple(sorted(findings, key=Finding.sort_key)),
        regressions=told.regressions,
        pre_existing=told.pre_existing,
        fixed=told.fixed,
        project=subject.project,
        agent_type=subject.agent_type,
        contract=subject.contract,
        contract_digest=subject.contract_digest,
        autonomy_level=subject.autonomy_level,
        needs_review=subject.autonomy_level == "L1" and any(f.severity == "review" and not f.excused for f in findings),
        base_commit=subject.base_commit,
        tree_hash=subject.tree_hash,
        policy_digest=subject.policy_digest,
        context_digest=subject.context_digest,
        inputs_digest=subject.inputs_digest,
        sandbox_level=subject.sandbox_level,
        reused_from=subject.reused_from,
    )


def _earlier_trouble(ordered: Sequence[StepResult], name: str) -> bool:
    """True if a step before `name` is the one that made it be skipped."""
    before = STEP_ORDER[: STEP_ORDER.index(name)]
    return any(step.name in before and step.status in ("fail", "error") for step in ordered)


def _unmeasured(step: StepResult) -> str:
    reason = step.reason or f"it was {step.status}"
    return reason if reason.startswith(COULD_NOT_VERIFY) else f"{COULD_NOT_VERIFY} {step.name}: {reason}"


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _plain(value: Any) -> Any:
    """Tuples as lists, at any depth: JSON knows no other."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
