"""Whether a test gives the product what it gave it before, so that only what it wants can have changed."""

from __future__ import annotations

from ralph.guardrails.inventory.match import Pair

CLOSENESS = frozenset({"pytest", "approx", "rel", "abs", "math", "isclose", "rel_tol", "abs_tol", "places", "delta"})
"""Words that say how close something must be, and are none of the product's."""


def alone(pair: Pair) -> bool:
    """What its assertions want apart, the test has the words and constants that it had."""
    before, after = pair.old.facts(), pair.new.facts()
    if before.given and after.given:
        return before.given() == after.given()
    checks = (*before.checks, *after.checks)
    wanted = {part for check in checks for part in (check.wanted, *check.wanted.split(), repr(check.slack))}
    wanted |= CLOSENESS
    one, other = (
        {each for each in facts.words | facts.literals if each not in wanted and repr(each) not in wanted}
        for facts in (before, after)
    )
    return one == other
