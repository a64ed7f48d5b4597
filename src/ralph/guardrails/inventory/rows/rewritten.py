"""Parameters of a test that are not the ones they were: fewer, or wanting another value (policy set v2, class G05)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.loss import Kind, Loss
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Facts
from ralph.guardrails.inventory.rows.joined import edited


def of_rows(pair: Pair, before: Facts, after: Facts) -> Iterator[Loss]:
    """Fewer ones count here where the test has no assertions that it can be measured by."""
    if not before.cases or not after.cases:
        return
    gone = [row for row in before.cases if row not in after.cases]
    fresh = [row for row in after.cases if row not in before.cases]
    if len(after.cases) < len(before.cases) and all(check.times is None for check in before.checks):
        yield Loss(Kind.FEWER_CASES, pair)
    if len(after.cases) >= len(before.cases) and any(edited(row, other, after) for row in gone for other in fresh):
        yield Loss(Kind.OTHER_VALUE, pair)
    elif gone and fresh and len(after.cases) <= len(before.cases) and before.checks:
        yield Loss(Kind.SOMEWHAT_WEAKER, pair)
