"""A claim that reads well is measured: the engine's steps say whether it holds (design decision 17).

What each topic needs: `build.done` a PASS of the whole verification; any other gated topic the steps that its checks
name, and the numbers that were measured. A check for which the context has no command stays `claimed`: it is in no
reading. The same tree, policy and context are measured once: the engine finds its own verdict again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ralph.audit.report import blocked
from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.engine import RalphEngine
from ralph.events.door import Emission, Measurement
from ralph.events.gates import BUILTIN
from ralph.events.model import Check, CheckState, Gate, GateDecision, Reading
from ralph.record import record
from ralph.verdict import StepResult, Verdict, VerdictType

WHOLE = "build.done"
"""The topic that claims everything."""
NUMBERS = {"coverage": "percent", "mutation": "percent", "complexity": "complexity"}
"""The count of a step that is the number of a check."""


@record(kw_only=True)
class Measurer:
    """Measures claims on the working tree. Called with an emission and how its claim read."""

    engine: RalphEngine
    context: AppContext
    contract: AutonomyContract
    gates: Mapping[str, Gate]

    def __call__(self, emission: Emission, decision: GateDecision) -> Measurement:
        verdict = self.engine.verify(self.context, self.contract, self.contract.agent)
        gate = self.gates.get(emission.topic) or BUILTIN[emission.topic]
        readings = {check.name: found for check in gate.checks if (found := reading(check, verdict))}
        holds = all(each.state is CheckState.PASS for each in readings.values())
        if emission.topic == WHOLE:
            holds = verdict.is_terminal_pass()
        missing = [name for name in ("tests", "build") if emission.topic == "review.done" and name not in readings]
        if missing:
            text = f"{emission.topic} needs a measured {' and '.join(missing)}, and the context has no command for it."
            return Measurement(holds=False, readings=readings, message=text, tree=verdict.tree_hash, verdict=verdict)
        return Measurement(
            holds=holds,
            readings=readings,
            message="" if holds or emission.topic != WHOLE else feedback(verdict),
            tree=verdict.tree_hash,
            verdict=verdict,
        )


def objection(engine: RalphEngine, context: AppContext, contract: AutonomyContract) -> str | None:
    """What speaks against completion: anything but a PASS of the tree as it is now (design decision 20)."""
    verdict = engine.verify(context, contract, contract.agent)
    return None if verdict.is_terminal_pass() else feedback(verdict)


def failing(verdict: Verdict) -> tuple[str, ...]:
    """What is wrong in a verdict, step by step: each failure by its name, or else the reason."""
    bad = [step for step in verdict.steps if step.status in ("fail", "error")]
    return tuple(f"{step.name}: {each}" for step in bad for each in step.failures or (step.reason or step.status,))


def is_inherited(verdict: Verdict, red: Collection[str]) -> bool:
    """Whether everything that fails did so before: in the base, or, as `red` has it, before anything was built
    (design decision 12)."""
    known, found = {*verdict.pre_existing, *red}, failing(verdict)
    return verdict.type is VerdictType.FAIL and bool(found) and known.issuperset(found)


def feedback(verdict: Verdict) -> str:
    """What the agent is told of a verdict that is not PASS."""
    if verdict.type is VerdictType.BLOCKED:
        return f"{blocked(verdict)}\nYou have one attempt left, and it may only remove these findings."
    failing = [f"- {step.name}: {step.reason}" for step in verdict.steps if step.status in ("fail", "error")]
    return "Your claim was measured and does not hold:\n" + "\n".join(failing)


def reading(check: Check, verdict: Verdict) -> Reading | None:
    """What a verdict's steps say about one check; None if no step measured it."""
    name = check.name.removeprefix("quality.")
    step = verdict.step(name)
    if step is None or step.status in ("skipped", "not_applicable"):
        return None
    if check.kind in ("percent", "number"):
        return _number(check, name, step)
    if step.status == "error":
        return Reading(state=CheckState.INVALID, reason=step.reason)
    state = CheckState.PASS if step.passed else CheckState.FAIL
    return Reading(state=state, text=str(state), reason=step.reason)


def _number(check: Check, name: str, step: StepResult) -> Reading:
    value = step.counts.get(NUMBERS.get(name, name))
    if value is None:
        return Reading(state=CheckState.INVALID, reason=step.reason or "no number was measured")
    low = check.at_least is not None and value < check.at_least
    high = check.at_most is not None and value > check.at_most
    state = CheckState.FAIL if low or high or not step.passed else CheckState.PASS
    return Reading(state=state, text=f"{value:g}", value=float(value), reason=step.reason)
