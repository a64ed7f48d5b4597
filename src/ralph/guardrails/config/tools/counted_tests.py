"""Tests that are counted as code which is covered (policy set v2, class G11): tarpaulin and coverlet.

Tests are nearly all run, so a floor that stays is met by a product that is covered less. Rules:

- Where a floor stands and does not rise, it means less than before: that blocks.
- Where none is asked for here, a person is told: another place may ask.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.lattice import number, truth
from ralph.guardrails.config.node import Key, Settings
from ralph.guardrails.config.rows import Loss

THRESHOLD, COARSER = "cfg.coverage.threshold", "cfg.coverage.precision"


def tests_counted(switch: Key, floor: Key, before: Settings, after: Settings) -> Iterator[Loss]:
    """`switch` has the tests counted; `floor` is what is asked of the figure."""
    said = after.get(switch)
    if said is None or truth(said, default=False) is not True or truth(before.get(switch), default=False):
        return
    was, now = number(before.get(floor), None), number(after.get(floor), None)
    risen = isinstance(was, float) and isinstance(now, float) and now > was
    if risen:
        return
    yield Loss(
        rule=COARSER if was is None else THRESHOLD,
        key=".".join(switch),
        text="has the tests themselves counted as covered code",
        node=said,
        old=before.get(switch),
    )
