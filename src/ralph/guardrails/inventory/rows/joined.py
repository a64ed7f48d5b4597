"""Tests that became the rows of one (policy set v2, classes G04 and G05).

Rule: a table holds what a test asked if it has all constants of the test, and each assertion's stand together: in one
row, but for those that the table's own assertions give to every row. Rows that are not written down hold anything, and
so do lists of single values, and lists that are combined with one another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import ROW, Check, Facts, Test
from ralph.guardrails.inventory.rows.inputs import CONSTANT
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.system.patterns import later

TRUTHS = frozenset({"true", "false", "True", "False"})
"""What a condition is compared with: no constant of its own."""
MOST_JOINED = 200
"""In a change of more tests than that nobody can tell which of them became a table."""
SHORT = later(r"\b(?!(?:List|Set|Map|Arrays|Stream|Optional)\.)[A-Z]\w*\.\w{1,2}(?=\()")
"""A function of a short name, with its owner's."""
NAMED = later(r"(?P<name>[A-Za-z_]\w*):\s*(?P<value>.*)", re.DOTALL)
"""An element of a row that names its column."""
FEWEST = 2
"""So many constants a row has that says what is wanted, and of what."""


def holds(table: Facts, facts: Facts) -> bool:
    if not facts.literals - TRUTHS <= table.literals:
        return False
    return all(holds_check(table, check) for check in facts.checks)


def holds_check(table: Facts, check: Check) -> bool:
    """What an assertion is asked with and what it wants stand in one row."""
    if not table.cases or any(each.times != len(table.cases) for each in table.checks):
        return True
    rows = [_constants(row) | {_value(part) for part in row.split(ROW)} for row in table.cases]
    if any(len(row) < FEWEST for row in rows):
        return True
    given = frozenset().union(*(_of(each) for each in table.checks))
    given |= frozenset(map(_value, table.literals)) - frozenset().union(*rows)
    asked = _of(check) - given
    return any(asked <= row for row in rows)


def lacks_an_example(test: Test, matching: Matching) -> bool:
    """Plain tests became one table, as long as they were many, and what this one asked is not in it."""
    facts = test.facts()
    if facts.cases or not facts.literals:
        return False
    old = [each for each in (*matching.removed, *(pair.old for pair in matching.pairs)) if each.kind == "test"]
    if len(old) > MOST_JOINED:
        return False
    for table in (*matching.added, *(pair.new for pair in matching.pairs if pair.renamed)):
        rows = table.facts()
        number = len(rows.cases or ()) or max((check.times or 0 for check in rows.checks), default=0)
        if table.kind != "test" or number < 2 or holds(rows, facts):
            continue
        joined = [each for each in old if not each.facts().cases and _called(each) & _called(table) & _called(test)]
        mixed = facts.literals - TRUTHS <= rows.literals  # all is there, but in no row together
        kept = mixed or any(each is not test and holds(rows, each.facts()) for each in joined)
        if kept and number <= len(joined):
            return True
    return False


def is_left_behind(test: Test, matching: Matching) -> bool:
    """Others of its kind became the rows of a table, with what they gave; what this one gave stands in no test now."""
    facts = test.facts()
    given = [_given(check) for check in facts.checks if check.grade]
    if facts.cases or not given or not all(given):
        return False
    old = [each for each in (*matching.removed, *(pair.old for pair in matching.pairs)) if each.kind == "test"]
    new = [each for each in (*matching.added, *(pair.new for pair in matching.pairs)) if each.kind == "test"]
    if len(old) > MOST_JOINED:
        return False
    there = frozenset(_value(literal) for each in new if each.path == test.path for literal in each.facts().literals)
    if any(part <= there for part in given):
        return False
    plain = [each for each in old if each is not test and each.path == test.path and not each.facts().cases]
    for table in (each for each in new if each.path == test.path and len(each.facts().cases or ()) >= FEWEST):
        rows = [_constants(row) | {_value(part) for part in row.split(ROW)} for row in table.facts().cases or ()]
        alike = [each for each in plain if _called(each) & _called(table) & _called(test)]
        if sum(_stands_in(each, rows) for each in alike) >= FEWEST:
            return True
    return False


def _stands_in(test: Test, rows: Sequence[frozenset[str | float]]) -> bool:
    """What it gave is in one row."""
    given = [_given(check) for check in test.facts().checks if check.grade]
    return bool(given) and all(part and any(part <= row for row in rows) for part in given)


def _given(check: Check) -> frozenset[str | float]:
    return _constants(check.subject)


def _called(test: Test) -> frozenset[str]:
    """What its assertions ask."""
    subjects = [check.subject for check in test.facts().checks]
    return frozenset(name for each in subjects for name in (*CALLED.findall(each), *SHORT.findall(each)))


def edited(row: str, other: str, after: Facts) -> bool:
    """All but the last element of a row, which is wanted, is the same. That it only has another name is no other value,
    where nothing of the test (`after`) has the old one."""
    one, two = row.split(ROW), other.split(ROW)
    if not (len(one) == len(two) > 1 and one[:-1] == two[:-1]):
        return False
    was, now = NAMED.fullmatch(one[-1]), NAMED.fullmatch(two[-1])
    if was is None or now is None or was["value"] != now["value"]:
        return True
    return re.search(rf"\.{was['name']}\b|\b{was['name']}:", after.body) is not None


def _of(check: Check) -> frozenset[str | float]:
    return _constants(f"{check.subject} {check.wanted}")


def _constants(text: str) -> frozenset[str | float]:
    return frozenset(map(_value, CONSTANT.findall(text)))


def _value(text: str) -> str | float:
    """Without quotes, and a number as what it is."""
    plain = text.strip().strip("'\"")
    try:
        return abs(float(plain.replace("_", "").rstrip("mMfFdDlL")))
    except ValueError:
        return plain
