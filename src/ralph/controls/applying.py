"""What the controls of a step make of its result (the modes are those of the contract).

A control can only lower a result: a step that passed fails when a control breaks, and could not be verified when a
strict one cannot tell. The first that does so names the reason; all of them stand in the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ralph.contracts import ControlMode, Controls
from ralph.record import replace
from ralph.results import COULD_NOT_VERIFY, ControlResult, StepResult


def modes(controls: Controls) -> dict[str, ControlMode]:
    """The mode of each control, in the order in which they are reported."""
    inventory: dict[str, ControlMode] = {"free": "none", "kept": "fail", "unchanged": "strict"}
    return {
        "inventory": inventory[controls.test_inventory],
        "canary": controls.canary,
        "restored": controls.restored,
        "negative": controls.negative,
        "former": controls.former,
        "suppressions": controls.suppressions,
        "mutants": controls.mutants,
    }


def applied(step: StepResult, results: Sequence[ControlResult], mode: Mapping[str, ControlMode]) -> StepResult:
    """The step with its controls, lowered by those that the contract gives the power to."""
    step = replace(step, controls=tuple(results))
    if not step.passed:
        return step
    for each in results:
        if each.status == "broken" and mode[each.name] in ("fail", "strict"):
            reason = f"{step.name}: control {each.name}: {each.reason}"
            return replace(step, status="fail", reason=reason, failures=(f"control {each.name}",))
        if each.status == "open" and mode[each.name] == "strict":
            why = (each.reason or "").removeprefix(COULD_NOT_VERIFY).strip()
            reason = f"{COULD_NOT_VERIFY} {step.name}: control {each.name}: {why}"
            return replace(step, status="error", reason=reason)
    return step
