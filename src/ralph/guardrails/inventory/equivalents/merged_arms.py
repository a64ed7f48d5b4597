"""Assertions of two branches of which one is left, and runs whatever holds (policy set v2, class G05).

Rule: of each branch of a condition the base asked the same (`== 11` here, `== 12` there), and the head asks it as its
own statement, as often as a branch did and more often than the base did so. Each way through the test still has as many
assertions of that strength: another value is wanted, and nothing is gone. What stays in a branch, or asks less, stands
for none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts

TRUTHS = frozenset({"True", "False", "true", "false"})


def merged_into(check: Check, before: Facts, after: Facts) -> Check | None:
    """What of the head stands for an assertion of a branch, and for that of its other branch."""
    if not any(_is_sibling(each, check) and _asks_the_same(each, check) for each in before.checks):
        return None
    same = [
        each for each in _plain(after) if _asks_the_same(each, check) and (each.grade >= check.grade or each.exactly)
    ]
    fresh = len(same) - sum(_asks_the_same(each, check) for each in _plain(before))
    own = sum(each.arm == check.arm and _asks_the_same(each, check) for each in before.checks)
    return same[0] if fresh >= own else None


def _plain(facts: Facts) -> Iterator[Check]:
    return (each for each in facts.checks if not each.arm and not each.perhaps and not each.why)


def _is_sibling(one: Check, other: Check) -> bool:
    return bool(one.arm) and one.arm != other.arm and one.arm.partition(":")[0] == other.arm.partition(":")[0]


def _asks_the_same(one: Check, other: Check) -> bool:
    """Of the same subject in the same way, or both ask which of two answers it gives."""
    if one.subject != other.subject:
        return False
    return one.relation == other.relation or (_is_truth(one) and _is_truth(other))


def _is_truth(check: Check) -> bool:
    return check.exactly or (check.relation == "==" and check.wanted in TRUTHS)
