"""Tests with made-up values that leave out some of what they tried (policy set v2, class G05).

Rule: the strategies are those that they were but for filters and bounds, no filter or bound is gone or wider, and some
are new or narrower; or one of them gives one value or a few now, and the test has no other words. It blocks if no
product code changed with it that the test can notice; else it is for a person, as is what may only save time
(`max_size`), or belongs to assertions that came with it.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Facts
from ralph.system.patterns import later

WORD = later(r"\w+")


def restrictions(before: Facts, after: Facts) -> list[str]:
    """The filters and bounds that leave out what was tried before."""
    old, new = before.tries, after.tries
    if old is None or new is None:
        return []
    if old.strategies != new.strategies:
        told = {each.strip("'\"") for each in after.literals}.union(WORD.findall(new.strategies))
        return ["one value or a few, which"] if new.singles > old.singles and before.words >= after.words - told else []
    if any(name not in new.limits or new.limits[name] < narrow for name, narrow in old.limits.items()):
        return []
    return [name for name, narrow in new.limits.items() if name not in old.limits or narrow > old.limits[name]]


def is_mild(limits: list[str], before: Facts, after: Facts) -> bool:
    return all("(max_size=" in each for each in limits) or len(after.checks) > len(before.checks)
