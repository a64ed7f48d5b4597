"""Gathers what a verdict rests on into the audit artifact."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import ralph
from ralph.audit.artifact import AuditArtifact
from ralph.audit.report import FileStat
from ralph.engine import inputs
from ralph.engine.case import Case
from ralph.guardrails.model import Change
from ralph.system import clock, history, records
from ralph.system.tree import Snapshot
from ralph.verdict import Subject, Verdict


def subject(case: Case, run_id: str, started: datetime, path: Path, reused_from: str | None) -> Subject:
    """Identity and circumstances of a verdict that ends now."""
    return Subject(
        run_id=run_id,
        ralph_version=ralph.__version__,
        policy_version=case.policy.version,
        policy_digest=case.policy.digest,
        context_digest=inputs.context_digest(case.context),
        contract=case.contract.agent if case.contract else None,
        contract_digest=records.digest(case.contract) if case.contract else None,
        agent_type=case.agent_type,
        project=case.context.project.name,
        autonomy_level=case.autonomy_level,
        base_commit=case.base_commit or "",
        tree_hash=case.snapshot.tree,
        inputs_digest=records.digest(dict(case.inputs)),
        sandbox_level=case.sandbox.level,
        started_at=started,
        completed_at=clock.now(),
        artifact_path=path.relative_to(case.repo.root).as_posix(),
        reused_from=reused_from,
    )


def artifact(case: Case, change: Change, verdict: Verdict, after: Snapshot) -> AuditArtifact:
    repo = case.repo
    return AuditArtifact(
        verdict=verdict,
        branch=case.branch,
        commit_before=verdict.base_commit,
        commit_after=case.head,
        pre_snapshot=_snapshot(case, case.snapshot, verdict.started_at),
        post_snapshot=_snapshot(case, after, verdict.completed_at),
        inputs=case.inputs,
        diff=history.patch(repo, case.base_tree, case.snapshot.tree),
        files=[
            FileStat(
                file.path,
                file.status,
                None if file.binary else file.lines_added,
                None if file.binary else file.lines_deleted,
            )
            for file in change.files
        ],
        commits=history.subjects(repo, case.base_commit, case.head),
        created_at=verdict.completed_at,
    )


def _snapshot(case: Case, state: Snapshot, moment: datetime) -> dict[str, Any]:
    return {
        "taken_at": moment.isoformat(),
        "branch": case.branch,
        "commit": case.head,
        "base_commit": case.base_commit,
        "base_tree": case.base_tree,
        "tree": state.tree,
        "gitlinks": list(state.gitlinks),
        "ignored": list(state.ignored),
        "special": list(state.special),
        "unwatched": list(state.unwatched),
    }
