"""What `RALPH_DIAGNOSTICS=1` shows of evidence decisions, one line each (spec: events, "Observing evidence decisions").

Which checks hold and which do not, why an event was rewritten and into which, limits that were missed, and warnings
about mutation testing. Whoever decides prints the lines on standard error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ralph.events.model import GateDecision, Outcome, Reading
from ralph.system.text import visible

VARIABLE = "RALPH_DIAGNOSTICS"
_QUOTED = 60


def wanted(environment: Mapping[str, str]) -> bool:
    return environment.get(VARIABLE) == "1"


def lines(decision: GateDecision) -> Iterator[str]:
    """One decision, in lines for people."""
    topic = visible(decision.topic)
    states = " ".join(f"{name}={reading.state}" for name, reading in decision.checks.items())
    yield " ".join(filter(None, ("ralph: gate", topic, decision.outcome, states)))
    if decision.outcome in (Outcome.MISSING, Outcome.FAILED):
        why = "no evidence" if decision.outcome is Outcome.MISSING else ""
        said = why or "; ".join(_said(name, decision.checks[name]) for name in decision.failed)
        yield f"ralph: rewrite {topic} -> {visible(decision.publishes)}: {said}"
    for warning in decision.warnings:
        yield f"ralph: warning {topic}: {visible(warning)}"


def _said(name: str, reading: Reading) -> str:
    claimed = "" if reading.text is None else f" `{visible(reading.text[:_QUOTED])}`"
    reason = f" ({visible(reading.reason)})" if reading.reason else ""
    return f"{name} {reading.state}{claimed}{reason}"
