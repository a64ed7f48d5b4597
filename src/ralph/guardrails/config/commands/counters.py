"""Coverage floors that a command gives to one counter of JavaScript and that another one has taken over (G12).

Rules:

- `nyc --check-coverage --lines 90` may become c8, vitest or the coverage of `node --test` with a floor no lower for the
  same metric. c8 compares only where it is told to check; vitest and node always do.
- A runner that measured coverage itself may leave that to a counter which runs it, in its own place, and which is not
  told what to count.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.config.command_files.scripts import Run
from ralph.guardrails.config.commands.floors import METRICS
from ralph.guardrails.config.rows import Loss
from ralph.system.patterns import later

THRESHOLD, OFF = "cfg.coverage.threshold", "cfg.coverage.off"
SWITCH = "check-coverage"
TOLD_TO_CHECK = frozenset(("nyc", "c8"))
OPTION = later(rf"(?P<program>nyc|c8|vitest|node) --(?:[\w.-]+[.-])?(?P<what>{'|'.join(METRICS)}|{SWITCH})")


CHOOSES = later(r"-(?:n|x|-(?:include|exclude|src|cwd|all|config|nycrc-path|extension|clean|no-clean))(?:=.*)?")
"""Options of a counter that say what it counts."""


def is_measured(loss: Loss, now: Run, runs: Iterable[Run]) -> bool:
    """A counter runs in its place what no longer measures by itself."""
    if loss.rule != OFF:
        return False
    around = (run.words[: -len(now.words)] for run in runs if _is_around(run, now))
    return any(words[0] in TOLD_TO_CHECK and not any(map(CHOOSES.fullmatch, words)) for words in around)


def _is_around(run: Run, now: Run) -> bool:
    here = (run.node.path, run.slot) == (now.node.path, now.slot)
    return here and len(run.words) > len(now.words) and run.words[-len(now.words) :] == now.words


def is_taken_over(gain: Loss, loss: Loss) -> bool:
    """`gain` is a loss of the reversed comparison: what a command of the head says and none of the base did."""
    was, now = OPTION.fullmatch(loss.key), OPTION.fullmatch(gain.key)
    if was is None or now is None or was["program"] == now["program"] or {loss.rule, gain.rule} != {THRESHOLD}:
        return False
    if was["what"] == SWITCH:
        return now["what"] == SWITCH or now["program"] not in TOLD_TO_CHECK
    return was["what"] == now["what"] and loss.was is not None and gain.was is not None and gain.was >= loss.was
