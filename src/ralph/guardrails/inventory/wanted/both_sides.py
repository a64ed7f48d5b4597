"""A helper that compares what rounding, or another loss, leaves of both of its sides (policy set v2, class G05).

Rule: such a helper demands a shape and no value. Where it is new, and a test that compared exactly calls it, that is a
loss, which is shown at the helper, too. A number of digits that is kept is no loss. Nor is the question whether two
lists are equally long, beside one that goes through both of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.inventory.findings import at
from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.model import Hit
from ralph.record import replace
from ralph.system.patterns import later

LOSES = later(
    r"(?<![\w.])(?:math\.|np\.)?(?:int|floor|ceil|trunc|abs|fabs|len|type)\("
    r"|(?<![\w.])round\((?:[^(),]|\([^()]*\))*(?:, ?-?0)?\)"
    r"|\.quantize\((?:\w+\.)?Decimal\([\"']?1(?:E\+?\d+|\.)?[\"']?\)"
    r"|\.(?:lower|upper|casefold)\(\)|\.__class__\b| // \d"
)
EQUALLY_LONG = later(r"len\((?P<of>.+)\)")


def loses_both(check: Check) -> bool:
    return check.relation == "==" and bool(LOSES.search(check.subject) and LOSES.search(check.wanted))


def as_lent(facts: Facts) -> Facts:
    """What a helper demands of those who call it: that a part of it is exact does not help."""
    if not any(_lossy(facts.checks)):
        return facts
    return replace(facts, checks=tuple(replace(each, grade=min(each.grade, Grade.SHAPE)) for each in facts.checks))


def coarse_helpers(matching: Matching) -> Iterator[Hit]:
    tests = [pair for pair in matching.pairs if pair.old.kind == "test"]
    for helper in (test for test in matching.added if test.kind == "helper"):
        name = re.compile(rf"(?<!\w){re.escape(helper.parts[-1])}\(")
        calling = [pair for pair in tests if name.search(pair.new.text) and not name.search(pair.old.text)]
        check = next(_lossy(helper.facts().checks), None) if calling else None
        if check is not None and any(_compared(pair.old.facts().checks) for pair in calling):
            detail = f"{helper.name}: it compares what is left of both sides, and tests call it that compared all"
            yield at(helper, "test.weakened", helper.name, detail, check)


def _lossy(checks: Sequence[Check]) -> Iterator[Check]:
    """Those that compare what is left of both, without the one that only keeps a loop from ending too early."""
    for check in filter(loses_both, checks):
        lists = [match["of"] for part in (check.subject, check.wanted) if (match := EQUALLY_LONG.fullmatch(part))]
        others = (each for each in checks if each is not check and each.relation == "==" and not loses_both(each))
        if len(lists) < 2 or not any(_goes_through(each, lists) for each in others):
            yield check


def _goes_through(check: Check, lists: Sequence[str]) -> bool:
    """Elements of both are compared: with `zip`, or by their number in one of them."""
    return any(each in check.pairs or each == check.over or f"{each}[" in check.key[0] + check.key[2] for each in lists)


def _compared(checks: Iterable[Check]) -> bool:
    return any(check.grade is Grade.EXACT and check.relation == "==" and not loses_both(check) for check in checks)
