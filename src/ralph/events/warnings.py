"""Warnings about mutation testing; they never block (spec: events, "The Mutation Warning Subsystem").

A claim that a gate accepts is looked at once more, for what it says about mutants: a failed or low score is a warning,
and where `event_loop.mutation_score_warn_threshold` is set, a missing one too. The hard limit is that of
`verify.passed`.
"""

from __future__ import annotations

from ralph.events.model import CheckState, Reading
from ralph.system.text import visible


def mutation_warning(mutants: Reading, warn_below: float | None) -> str | None:
    """What there is to warn about, in one sentence."""
    score = "" if mutants.value is None else f" (score {mutants.value:g}%)"
    match mutants.state:
        case CheckState.ABSENT:
            return None if warn_below is None else f"missing mutation evidence: a score of {warn_below:g}% is asked for"
        case CheckState.INVALID:
            claimed = visible((mutants.text or "")[:80])
            return f"mutation evidence `{claimed}` cannot be read: send `mutants: pass (82%)`"
        case CheckState.FAIL if (mutants.text or "").startswith("warn"):
            return f"mutation testing reports a warning{score}"
        case CheckState.FAIL:
            return f"mutation testing failed{score}"
    if warn_below is None:
        return None
    if mutants.value is None:
        return f"mutation score missing: send `mutants: pass (82%)`, {warn_below:g}% is asked for"
    if mutants.value < warn_below:
        return f"mutation score {mutants.value:g}% below threshold {warn_below:g}%"
    return None
