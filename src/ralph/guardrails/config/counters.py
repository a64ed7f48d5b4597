"""Coverage floors that a command gives to one counter of JavaScript and that another one has taken over (G12).

Rule: `nyc --check-coverage --lines 90` may become c8, vitest or the coverage of `node --test` with a floor no lower for
the same metric. c8 compares only where it is told to check; vitest and node always do.
"""

from __future__ import annotations

from ralph.guardrails.config.floors import METRICS
from ralph.guardrails.config.rows import Loss
from ralph.system.patterns import later

THRESHOLD = "cfg.coverage.threshold"
SWITCH = "check-coverage"
TOLD_TO_CHECK = frozenset(("nyc", "c8"))
OPTION = later(rf"(?P<program>nyc|c8|vitest|node) --(?:[\w.-]+[.-])?(?P<what>{'|'.join(METRICS)}|{SWITCH})")


def is_taken_over(gain: Loss, loss: Loss) -> bool:
    """`gain` is a loss of the reversed comparison: what a command of the head says and none of the base did."""
    was, now = OPTION.fullmatch(loss.key), OPTION.fullmatch(gain.key)
    if was is None or now is None or was["program"] == now["program"] or {loss.rule, gain.rule} != {THRESHOLD}:
        return False
    if was["what"] == SWITCH:
        return now["what"] == SWITCH or now["program"] not in TOLD_TO_CHECK
    return was["what"] == now["what"] and loss.was is not None and gain.was is not None and gain.was >= loss.was
