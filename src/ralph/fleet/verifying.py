"""A verification as a job: the named commit, checked out here, judged by the engine as `ralph verify` judges.

The engine is one unit (steps may run at once, and share a snapshot), so it is one durable step: a verification that was
cut off begins again. What it had measured is not believed, and its evidence was never published.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ralph
from ralph import contracts
from ralph.context import sources, trust
from ralph.contracts import AutonomyContract
from ralph.engine import RalphEngine
from ralph.engine.demands import required_checks
from ralph.errors import ConfigError
from ralph.fleet.checkout import borrowed
from ralph.fleet.home import Home
from ralph.fleet.mirrors import fetched
from ralph.fleet.model import Verification
from ralph.policy import registry
from ralph.system import records
from ralph.system.git import Repository
from ralph.verdict import Verdict

MOST_FINDINGS = 200


def verify(home: Home, work: Verification, environ: Mapping[str, str]) -> dict[str, Any]:
    """The verdict, and where its evidence lies. Raises RalphError when there can be none."""
    contract = _same_rules(work)
    wanted = [each for each in (work.commit, work.base, work.onto) if each]
    with fetched(home, work.repository, wanted), borrowed(home, work.repository, work.commit) as repo:
        base = _base(repo, work)
        accepted = trust.accepted(repo.root)
        engine = RalphEngine(
            repository=repo.root,
            base=base,
            policy=work.policy,
            step_timeout_s=work.step_timeout_s,
            reuse=not work.fresh,
            accepted=accepted,
            checks=required_checks(repo, base, accepted),
            environ=environ,
        )
        context = sources.from_repository(repo, base, accepted).context
        verdict = engine.verify(context, contract, contract.agent if contract else None)
        return {
            "outcome": verdict.type.value,
            "why": verdict.failure_reason or "",
            "result": {"verdict": _bounded(verdict), "folder": str(repo.root), "run_id": verdict.run_id},
        }


def _same_rules(work: Verification) -> AutonomyContract | None:
    """The contract; what it and the policy set are here must be what was asked for."""
    if work.ralph != ralph.__version__:
        raise ConfigError(f"The job is for Ralph {work.ralph}, and this worker is {ralph.__version__}: submit it anew.")
    if registry.load(work.policy).digest != work.policy_digest:
        raise ConfigError(f"The policy set {work.policy} is another one here: install the same Ralph everywhere.")
    if work.contract is None:
        return None
    contract = contracts.load(work.contract)
    if records.digest(contract) != work.contract_digest:
        raise ConfigError(f"The contract {work.contract!r} is another one here: put the same one on every worker.")
    return contract


def _base(repo: Repository, work: Verification) -> str:
    if work.base:
        return work.base
    return (repo.merge_base(work.commit, work.onto) if work.onto else None) or work.commit


def _bounded(verdict: Verdict) -> dict[str, Any]:
    """The verdict as it goes into the queue's records: findings beyond the first stand in the evidence only."""
    plain = verdict.to_dict()
    return {**plain, "findings": plain["findings"][:MOST_FINDINGS], "findings_in_all": len(plain["findings"])}
