"""The test inventory: a contract may demand that the tests which run are those of the base, by id (refactorings)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ralph.contracts import AutonomyContract
from ralph.verdict import COULD_NOT_VERIFY, StepResult


def compare_inventory(
    contract: AutonomyContract | None, results: list[StepResult], base_tests: Callable[[], StepResult]
) -> list[StepResult]:
    """The results, with a passing tests step failed when the contract wants an unchanged inventory and it is not."""
    if contract is None or contract.controls.test_inventory == "free":
        return results
    return [_compared(step, base_tests()) if step.name == "tests" and step.passed else step for step in results]


def _compared(now: StepResult, base: StepResult) -> StepResult:
    if base.inventory is None or now.inventory is None:
        reason = f"{COULD_NOT_VERIFY} tests: the inventory of the base is unknown ({base.reason or 'no test ids'})"
        return dataclasses.replace(now, status="error", reason=reason)
    if now.inventory == base.inventory:
        return now
    counts = f"{now.counts.get('tests', 0):.0f} now, {base.counts.get('tests', 0):.0f} there"
    reason = f"tests: the contract wants the tests of the base, but others ran ({counts})"
    return dataclasses.replace(now, status="fail", reason=reason, failures=("test inventory changed",))
