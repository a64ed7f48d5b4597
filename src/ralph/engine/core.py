"""The governance engine: the one way to a verdict.

Order (spec: governance engine 3.1; design decisions 1-14): snapshot, contract check, guardrails, steps, snapshot,
thresholds, attribution against the base, verdict, signed evidence. A contract that is exceeded or a guardrail that
blocks ends it before anything of the project runs. A signed PASS of the same inputs is reused, and says so.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from ralph.audit.keys import SigningKey, signing_key
from ralph.audit.store import AuditStore
from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.engine import evidence, limits, reuse
from ralph.engine.case import Case, Judged, open_case
from ralph.engine.unrun import Progress, exempt, skipped
from ralph.errors import StorageError
from ralph.guardrails.change import beside, read_change
from ralph.guardrails.excuses import Excuses, excused, nobody
from ralph.guardrails.model import Change
from ralph.guardrails.result import guardrail_result
from ralph.guardrails.scan import scan
from ralph.permissions.sandbox.model import Level
from ralph.permissions.sandbox.remembered import remembered
from ralph.policy import registry
from ralph.record import field, record
from ralph.system import clock
from ralph.system.base import choose_base
from ralph.system.git import open_repository
from ralph.system.places import EXCLUDED, audit_dir, shadow_dir
from ralph.system.restore import recover_set_aside
from ralph.system.scratch import scratch
from ralph.system.tree import snapshot
from ralph.verdict import Finding, StepResult, Verdict, combine


def quiet(step: str, result: StepResult | None) -> None:
    """Progress that nobody watches."""


@record(kw_only=True)
class RalphEngine:
    """Verifies a repository. Everything here is the caller's choice; rules come from policy and contract alone.

    `repository` defaults to the context's project path. `base` is a revision (default: the merge-base with the default
    branch, else HEAD). `jobs` is how many steps may run at once (default: the cores, at most 4); it never changes the
    verdict. `sandbox` is the level that steps run at (default: the strongest that this machine enforces).
    `checks` are the steps that the permissions demand besides those of the policy set. `exceptions` knows what a person
    excuses; nobody does unless the caller says so.
    """

    repository: Path | None = None
    base: str | None = None
    policy: str | None = None
    jobs: int | None = None
    fail_fast: bool = False
    step_timeout_s: float = 600.0
    reuse: bool = True
    accepted: Mapping[str, str] = field(default_factory=dict)
    exceptions: Excuses = nobody
    sandbox: Level | None = None
    checks: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    progress: Progress = quiet

    def verify(
        self, context: AppContext, contract: AutonomyContract | None = None, agent_type: str | None = None
    ) -> Verdict:
        """Verify the working tree and leave signed evidence.

        Raises ConfigError, RepositoryError or StorageError when no verdict can be reached; never returns one then.
        """
        started = clock.now()
        repo = open_repository(self.repository or Path(context.project.path).expanduser())
        _refuse_links(repo.root)
        key = signing_key(repo.root)
        store = AuditStore(audit_dir(repo.root))
        recover_set_aside(repo.root / ".ralph" / "aside")
        store.recover(key, repo)
        repo.exclude(EXCLUDED)
        base = choose_base(repo, self.base)
        level = self._level()
        with scratch("run") as own:
            case = open_case(
                repo=repo,
                context=context,
                contract=contract,
                agent_type=agent_type or (contract.agent if contract else None),
                policy=registry.load(self.policy) if self.policy else registry.default(),
                base_commit=base,
                snapshot=snapshot(repo, shadow_dir(repo.root), base=base),
                accepted=self.accepted,
                environ=self.environ,
                scratch=own,
                level=level,
                checks=self.checks,
            )
            with store.begin(clock.run_id(started, case.head), key, repo) as (run_id, pending):
                return self._verdict(case, run_id, pending, started, store, key)

    def _level(self) -> Level:
        """The level of this machine, or the one that the caller chose. Raises SandboxUnavailable."""
        known = remembered()
        if known and (self.sandbox is None or Level(known).covers(self.sandbox)):
            return self.sandbox or Level(known)
        # Only now: a reused verdict needs nothing of this.
        from ralph.permissions.sandbox.confine import require
        from ralph.permissions.sandbox.probe import enforced_level

        strongest = enforced_level()
        require(strongest, self.sandbox or Level.NONE)
        return self.sandbox or strongest

    def _verdict(
        self, case: Case, run_id: str, pending: Path, started: datetime, store: AuditStore, key: SigningKey
    ) -> Verdict:
        """Judge the case, and publish its evidence."""
        repo = case.repo
        change = read_change(repo, case.base_tree, case.snapshot.tree, beside(case.snapshot))
        judged = self._judge(case, change, pending, key, store)
        verdict = combine(
            judged.steps,
            required=case.required,
            findings=judged.findings,
            subject=evidence.subject(case, run_id, started, store.path(run_id), judged.reused_from),
            attribution=judged.attribution,
        )
        artifact = evidence.artifact(case, change, verdict, judged.after)
        store.publish(artifact, pending, key, repo, verdict.completed_at)
        reuse.remember(repo.root, verdict)
        return verdict

    def _judge(self, case: Case, change: Change, pending: Path, key: SigningKey, store: AuditStore) -> Judged:
        """Measure as far as the rules allow, and say what was found."""
        first, findings = self._guard(case, change)
        blocking = next((step for step in first if step.status == "fail"), None)
        if blocking:
            rest = skipped(case.required, f"skipped: {blocking.name} blocks")
            return Judged(steps=[*first, *rest, *exempt(case.exempt)], findings=findings, after=case.snapshot)
        fixed = [*first, *exempt(case.exempt), _thresholds(case, change)]
        found = reuse.find(case, store, key) if self.reuse else None
        if found:
            return Judged(
                steps=[*fixed, *found.steps], findings=findings, after=case.snapshot, reused_from=found.run_id
            )
        # Only now: what runs and reads tools is not loaded where a verdict is reused.
        from ralph.engine.examination import Examination

        return Examination(
            case=case,
            change=change,
            evidence=pending,
            key=key,
            timeout_s=self.step_timeout_s,
            jobs=self.jobs or min(4, os.cpu_count() or 1),
            fail_fast=self.fail_fast,
            progress=self.progress,
        ).judged(fixed, findings)

    def _guard(self, case: Case, change: Change) -> tuple[list[StepResult], tuple[Finding, ...]]:
        """Contract check, then guardrails; a breached contract leaves the guardrails unrun."""
        steps = []
        if case.contract:
            check = limits.contract_check(
                case.contract,
                agent_type=case.agent_type or "",
                lines_added=change.lines_added,
                paths=[file.path for file in change.files],
                sandbox_level=case.sandbox.level,
            )
            steps.append(check)
            if check.status == "fail":
                return [*steps, *skipped(["guardrail"], "skipped: contract_check blocks")], ()
        self.progress("guardrail", None)
        began = time.monotonic()
        findings = excused(scan(change, case.policy, accepted=case.accepted), change, case.policy, self.exceptions)
        strict = case.contract is not None and case.contract.review == "block"
        result = guardrail_result(findings, duration_ms=round((time.monotonic() - began) * 1000), strict=strict)
        self.progress("guardrail", result)
        return [*steps, result], findings


def _refuse_links(root: Path) -> None:
    """Whoever can write into the working copy must not choose where Ralph's own files end up."""
    for path in (root / ".ralph", *(root / ".ralph" / name for name in ("audit", "aside", "cache"))):
        if path.is_symlink():
            raise StorageError(f"{path} is a symbolic link: remove it, Ralph's own files must not lead elsewhere.")


def _thresholds(case: Case, change: Change) -> StepResult:
    return limits.thresholds(case.policy, case.contract, lines_added=change.lines_added, files=change.files_changed)
