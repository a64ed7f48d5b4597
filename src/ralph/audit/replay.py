"""Re-judges a recorded run: the same tree, the same policy set, the recorded step results.

Guardrails are computed anew and the verdict is combined anew; the answer is `same`, `different` or `not replayable`
(evidence that does not hold, a policy set that is gone or changed, a tree that is not kept). Spec: governance
engine 1.5; design decision 10. Running the tools again is the engine's work (`RalphEngine.rerun`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ralph.audit.check import Checked, signed_statement
from ralph.audit.keys import PublicKey
from ralph.audit.store import AuditStore
from ralph.errors import ConfigError, RepositoryError, StorageError
from ralph.guardrails.change import read_change
from ralph.guardrails.excuses import as_recorded
from ralph.guardrails.model import Beside
from ralph.guardrails.result import guardrail_result
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.record import record, replace
from ralph.system import files
from ralph.system.base import base_tree
from ralph.system.git import Repository
from ralph.verdict import Finding, StepResult, Verdict, judge

Outcome = Literal["same", "different", "not replayable"]


@record
class Replay:
    """The outcome of a replay, and in words what differs or what is missing."""

    outcome: Outcome
    recorded: Verdict | None
    details: tuple[str, ...] = ()


def replay(store: AuditStore, checked: Checked, keys: Mapping[str, PublicKey], repo: Repository) -> Replay:
    """Judge a checked run again."""
    verdict = checked.verdict
    if verdict is None or not checked.holds:
        return Replay("not replayable", verdict, checked.problems)
    inputs = signed_statement(store, checked.run_id, keys)["predicate"]["inputs"]
    try:
        policy = registry.load(verdict.policy_version)
        if policy.digest != verdict.policy_digest:
            return Replay(
                "not replayable", verdict, (f"the policy set {policy.version} is not the one that judged it",)
            )
        base = base_tree(repo, verdict.base_commit or None)
        change = read_change(repo, base, verdict.tree_hash, _beside(store, checked.run_id))
        findings = as_recorded(scan(change, policy, accepted=inputs["accepted"]), verdict.findings)
    except (ConfigError, RepositoryError, StorageError) as error:
        return Replay("not replayable", verdict, (str(error),))
    details = tuple(_differences(verdict, inputs, findings))
    return Replay("different" if details else "same", verdict, details)


def _beside(store: AuditStore, run_id: str) -> Beside:
    """The working copy beside the judged tree, as it was recorded. Raises StorageError."""
    recorded = files.parse_json(files.read_bytes(store.path(run_id) / "PRE-snapshot.json"))
    named = recorded if isinstance(recorded, Mapping) else {}
    return Beside(ignored=tuple(named.get("ignored", ())), unwatched=tuple(named.get("unwatched", ())))


def _differences(verdict: Verdict, inputs: Mapping[str, Any], findings: tuple[Finding, ...]) -> list[str]:
    strict = (inputs["contract"] or {}).get("review") == "block"
    steps = [_again(step, findings, strict) if step.name == "guardrail" else step for step in verdict.steps]
    found = []
    guarded = any(step.name == "guardrail" and step.status != "skipped" for step in verdict.steps)
    if guarded and sorted(findings, key=Finding.sort_key) != list(verdict.findings):
        found.append(f"{len(findings)} findings now, {len(verdict.findings)} recorded")
    judged = judge(steps, inputs["required"])
    if judged != (verdict.type, verdict.failed_step, verdict.failure_reason):
        found.append(f"the verdict is {judged[0]} at {judged[1]} now, {verdict.type} at {verdict.failed_step} recorded")
    return found


def _again(recorded: StepResult, findings: tuple[Finding, ...], strict: bool) -> StepResult:
    if recorded.status == "skipped":
        return recorded
    fresh = guardrail_result(findings, duration_ms=recorded.duration_ms, strict=strict)
    return replace(fresh, log=recorded.log)
