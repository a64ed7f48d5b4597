"""Rows of a table that are asserted elsewhere now (policy set v2, class G05).

Rules:

- A row that is gone is an assertion of its own now, with the same constants.
- A table of which each row says whether something holds (`("a", True), ("b", False)`) may be divided: each row is a row
  or a constant of a test of the head that asks the same function and wants what the row wanted. It is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import ROW, Check, Grade, Test
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

MOST_ROWS = 20
"""So many rows of a table may become tests of their own."""
TRUTHS = {"true": True, "false": False}
AROUND = "[](), "
"""A row of one value may be written with or without a list around it."""
NAME = later(r"[\w.]+")


def stand_elsewhere(pair: Pair, ledger: Ledger) -> bool:
    """Each row that is gone is an assertion of its own now, with the same constants."""
    before, after = pair.old.facts().cases or (), pair.new.facts().cases or ()
    gone = [row.split(ROW) for row in before if row not in after]
    if not 0 < len(gone) <= MOST_ROWS:
        return False
    told = [f"{unit.check.subject} {unit.check.wanted}" for each in ledger.gained_of.values() for unit in each]
    rows = [[re.compile(rf"(?<![\w.]){re.escape(part)}(?![\w.])") for part in row] for row in gone]
    return all(any(all(part.search(text) for part in row) for text in told) for row in rows)


def divided_by_truth(old: Check | None, pair: Pair, ledger: Ledger) -> bool:
    """All rows of the table are asked in tests that want the one truth or the other; what the function that is asked
    checks by itself goes with it."""
    if old is not None and old.through:
        through = (each for each in pair.old.facts().checks if old.through in CALLED.findall(each.subject))
        old = next((each for each in through if not each.through), None)
    if old is None or old.relation != "==" or old.known or NAME.fullmatch(old.wanted) is None:
        return False
    rows = [row.rpartition(ROW)[::2] for row in pair.old.facts().cases or ()]
    if not 0 < len(rows) <= MOST_ROWS or not all(given and wanted.lower() in TRUTHS for given, wanted in rows):
        return False
    asked = frozenset(CALLED.findall(old.subject))
    tests = [pair.new, *(each for each in ledger.added if each.kind == "test")]
    wants = [(test, truth) for test in tests for truth in _truths(test, asked)]
    return bool(asked) and all(
        any(truth is TRUTHS[wanted.lower()] and _holds(test, given) for test, truth in wants) for given, wanted in rows
    )


def _truths(test: Test, asked: frozenset[str]) -> Iterator[bool]:
    """What the test wants of the same function."""
    for check in test.facts().checks:
        if check.perhaps or check.grade is Grade.NOTHING or not asked <= frozenset(CALLED.findall(check.subject)):
            continue
        if check.relation in TRUTHS:
            yield TRUTHS[check.relation]
        elif check.relation == "==" and check.wanted.lower() in TRUTHS:
            yield TRUTHS[check.wanted.lower()]


def _holds(test: Test, given: str) -> bool:
    """The test has the row in its table, or has no table and the constants of the row."""
    facts = test.facts()
    if facts.cases:
        return given.strip(AROUND) in {case.strip(AROUND) for case in facts.cases}
    told = frozenset(CONSTANT.findall(given))
    return bool(told) and told <= facts.literals | frozenset(
        constant for check in facts.checks for constant in CONSTANT.findall(check.subject)
    )
