"""Replays a run with its tools: every step is measured again, on the recorded tree (`ralph audit replay --rerun`).

What the controls found is taken from the record: they compare with trees that need not be there any more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ralph.audit.check import Checked, signed_statement
from ralph.audit.keys import PublicKey
from ralph.audit.replay import Replay
from ralph.audit.store import AuditStore
from ralph.context import AppContext
from ralph.contracts import AutonomyContract, Controls
from ralph.controls.applying import applied, modes
from ralph.engine.case import Case, open_case
from ralph.engine.elsewhere import measure_elsewhere
from ralph.engine.unrun import Progress
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.probe import enforced_level
from ralph.policy import registry
from ralph.system.git import Repository
from ralph.system.records import parse
from ralph.system.scratch import scratch
from ralph.system.tree import Snapshot
from ralph.verdict import Verdict, judge

STEP_TIMEOUT_S = 600.0


def rerun(
    store: AuditStore, checked: Checked, keys: Mapping[str, PublicKey], repo: Repository, progress: Progress
) -> Replay:
    """Measure a checked run's steps again and judge; the tools are those that are installed now."""
    verdict = checked.verdict
    if verdict is None:
        return Replay("not replayable", None, checked.problems)
    inputs = signed_statement(store, checked.run_id, keys)["predicate"]["inputs"]
    with scratch("run") as own:
        case = _case(inputs, verdict, repo, own)
        again = measure_elsewhere(
            case, verdict.tree_hash, _measured(verdict), timeout_s=STEP_TIMEOUT_S, progress=progress
        )
    mode = modes(case.contract.controls if case.contract else Controls())
    now = {
        step.name: applied(again[step.name].step, step.controls, mode) if step.name in again else step
        for step in verdict.steps
    }
    details = [
        f"{step.name}: {now[step.name].status} now, {step.status} recorded"
        for step in verdict.steps
        if now[step.name].status != step.status
    ]
    kind, failed_step, _ = judge(list(now.values()), case.required)
    if (kind, failed_step) != (verdict.type, verdict.failed_step):
        details.append(f"the verdict is {kind} now, {verdict.type} recorded")
    return Replay("different" if details else "same", verdict, tuple(details))


def _measured(verdict: Verdict) -> list[str]:
    own = {"contract_check", "guardrail", "thresholds"}
    return [step.name for step in verdict.steps if step.name not in own and step.status in ("pass", "fail", "error")]


def _case(inputs: Mapping[str, Any], verdict: Verdict, repo: Repository, own: Path) -> Case:
    plain = dict(inputs["context"])
    plain["project"] = {**plain["project"], "path": "."}
    source = f"the recorded inputs of {verdict.run_id}"
    contract = inputs["contract"]
    return open_case(
        repo=repo,
        context=parse(AppContext, plain, source),
        contract=parse(AutonomyContract, contract, source) if contract else None,
        agent_type=verdict.agent_type,
        policy=registry.load(verdict.policy_version),
        base_commit=verdict.base_commit or None,
        snapshot=Snapshot(tree=verdict.tree_hash, gitlinks=(), ignored=()),
        accepted=inputs["accepted"],
        environ=os.environ,
        scratch=own,
        level=_level(Level(verdict.sandbox_level)),
    )


def _level(recorded: Level) -> Level:
    """The level of the recorded run, or the strongest here if that is less."""
    strongest = enforced_level()
    return recorded if strongest.covers(recorded) else strongest
