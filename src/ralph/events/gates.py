"""The evidence gates: which topics a claim must prove itself for, and what becomes of it. Pure.

Spec: events, "The Three Evidence Gates"; design decisions 15 to 17 and section 8, rules 8 and 9.

- Three topics are gated by default, and the floors 80 / 70 / 10.0 stand here. `ralph.yml` may gate more topics and
  raise floors (`events.gate_settings`).
- A check that does not hold refuses the claim: its event is published under the gate's refusal topic, never dropped.
- Required and absent does not hold. Optional and absent is fine; optional and present must be good. `mutants` never
  decides.
- A measurement can only lower: what was measured and is not good refuses the claim, whatever was claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ralph.events.claims import read
from ralph.events.model import Check, CheckState, Gate, GateDecision, Outcome, Reading
from ralph.events.refusals import refusal
from ralph.events.warnings import mutation_warning
from ralph.record import replace
from ralph.system.text import visible

MIN_COVERAGE = 80.0
MIN_MUTATION = 70.0
MAX_COMPLEXITY = 10.0

_PASS, _ABSENT = (
    CheckState.PASS,
    CheckState.ABSENT,
)  # looked up once: a member of an enumeration takes ten times as long


def _passes(*names: str) -> tuple[Check, ...]:
    return tuple(Check(name=name, kind="pass") for name in names)


BUILD = Gate(
    topic="build.done",
    refusal="build.blocked",
    checks=(
        *_passes("tests", "lint", "typecheck", "audit", "coverage"),
        Check(name="complexity", kind="number", at_most=MAX_COMPLEXITY),
        *_passes("duplication"),
        Check(name="performance", kind="performance", required=False, aliases=("perf",)),
        Check(name="specs", kind="pass", required=False),
        Check(name="mutants", kind="mutants", required=False),
    ),
)
REVIEW = Gate(topic="review.done", refusal="review.blocked", checks=_passes("tests", "build"))
QUALITY = Gate(
    topic="verify.passed",
    refusal="verify.failed",
    checks=(
        *_passes("quality.tests", "quality.lint", "quality.audit"),
        Check(name="quality.coverage", kind="percent", at_least=MIN_COVERAGE),
        Check(name="quality.mutation", kind="percent", at_least=MIN_MUTATION),
        Check(name="quality.complexity", kind="number", at_most=MAX_COMPLEXITY),
        Check(name="quality.specs", kind="pass", required=False),
    ),
)
BUILTIN: Mapping[str, Gate] = MappingProxyType({gate.topic: gate for gate in (BUILD, REVIEW, QUALITY)})


def decide(
    topic: str, payload: str, gates: Mapping[str, Gate] = BUILTIN, *, warn_mutation_below: float | None = None
) -> GateDecision:
    """What becomes of an event. Never raises, whatever the payload is."""
    gate = gates.get(topic)
    if gate is None:
        message = f"No gate guards {visible(topic)!r}; the gated topics are {', '.join(sorted(gates))}."
        return GateDecision(topic=topic, outcome=Outcome.UNGATED, publishes=topic, message=message)
    readings = read(payload, gate.checks)
    failed = tuple(sorted([check.name for check in gate.checks if _refuses(check, readings[check.name])]))
    if all(reading.state is _ABSENT for reading in readings.values()):
        outcome = Outcome.MISSING
    elif failed:
        outcome = Outcome.FAILED
    else:
        warnings = _warnings(gate, readings, warn_mutation_below)
        return GateDecision(topic=topic, outcome=Outcome.ACCEPTED, publishes=topic, checks=readings, warnings=warnings)
    return GateDecision(
        topic=topic,
        outcome=outcome,
        publishes=gate.refusal,
        checks=readings,
        failed=failed,
        message=refusal(gate, outcome, failed, readings, payload),
    )


def refused(
    decision: GateDecision, *, measured: Mapping[str, Reading], payload: str = "", gates: Mapping[str, Gate] = BUILTIN
) -> GateDecision:
    """The decision once the claim was measured: what was measured and is not good refuses it, and the text says so.

    `measured` holds a reading per check; one that is `absent` or left out was not measured, and stays as claimed. One
    that is `invalid` could not be measured, which is not good either. Good ones raise nothing.
    """
    gate = gates.get(decision.topic)
    if gate is None:
        return decision
    contradicted = {
        check.name
        for check in gate.checks
        if check.name in measured and _refuses(replace(check, required=False), measured[check.name])
    }
    failed = tuple(sorted({*decision.failed, *contradicted}))
    if decision.outcome is Outcome.ACCEPTED and not contradicted:
        return decision
    outcome = Outcome.FAILED if decision.outcome is Outcome.ACCEPTED else decision.outcome
    return replace(
        decision,
        outcome=outcome,
        publishes=gate.refusal,
        failed=failed,
        message=refusal(gate, outcome, failed, decision.checks, payload, measured),
        warnings=(),
    )


def _refuses(check: Check, reading: Reading) -> bool:
    if check.kind == "mutants" or reading.state is _PASS:
        return False
    return check.required or reading.state is not _ABSENT


def _warnings(gate: Gate, readings: Mapping[str, Reading], warn_below: float | None) -> tuple[str, ...]:
    said = (mutation_warning(readings[check.name], warn_below) for check in gate.checks if check.kind == "mutants")
    return tuple(warning for warning in said if warning)
