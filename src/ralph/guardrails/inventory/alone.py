"""Whether a test gives the product what it gave it before, so that only what it wants can have changed."""

from __future__ import annotations

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check

CLOSENESS = frozenset({"pytest", "approx", "rel", "abs", "math", "isclose", "rel_tol", "abs_tol", "places", "delta"})
"""Words that say how close something must be, and are none of the product's."""


def alone(pair: Pair, check: Check) -> bool:
    """What its assertions want apart, the test has the words and constants that it had. Of an exception only its kind
    is plainly another one: what a library says in words may change with the library."""
    before, after = pair.old.facts(), pair.new.facts()
    if before.given and after.given and check.relation not in ("raises", "warns"):
        return before.given() == after.given()
    checks = (*before.checks, *after.checks)
    wanted = {part for check in checks for part in (check.wanted, *check.wanted.split(), repr(check.slack))}
    wanted |= CLOSENESS
    one, other = (
        {each for each in facts.words | facts.literals if each not in wanted and repr(each) not in wanted}
        for facts in (before, after)
    )
    return one == other
