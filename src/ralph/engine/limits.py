"""Size limits of a change: the contract's, checked before anything runs, and the policy's thresholds.

Design decision 3: a contract that is exceeded blocks; a threshold that is exceeded fails, unless the contract
sets that limit itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.contracts import AutonomyContract, breaches
from ralph.policy.model import PolicySet
from ralph.verdict import StepResult


def contract_check(
    contract: AutonomyContract, *, agent_type: str, lines_added: int, paths: Sequence[str], sandbox_level: str
) -> StepResult:
    found = breaches(contract, agent_type=agent_type, lines_added=lines_added, paths=paths, sandbox_level=sandbox_level)
    return StepResult(
        name="contract_check",
        status="fail" if found else "pass",
        counts={"lines_added": lines_added, "files_changed": len(paths)},
        failures=tuple(found),
        reason="; ".join(found) or None,
    )


def thresholds(policy: PolicySet, contract: AutonomyContract | None, *, lines_added: int, files: int) -> StepResult:
    limits = contract.limits if contract else None
    found = []
    if (limits is None or limits.lines_added is None) and lines_added > policy.thresholds.max_lines_added:
        found.append(f"{lines_added} lines added, over the policy's {policy.thresholds.max_lines_added}")
    if (limits is None or limits.files_changed is None) and files > policy.thresholds.max_files_changed:
        found.append(f"{files} files changed, over the policy's {policy.thresholds.max_files_changed}")
    advice = "; split the change, or use a contract that sets this limit" if found else ""
    return StepResult(
        name="thresholds",
        status="fail" if found else "pass",
        counts={"lines_added": lines_added, "files_changed": files},
        failures=tuple(found),
        reason=("; ".join(found) + advice) if found else None,
    )
