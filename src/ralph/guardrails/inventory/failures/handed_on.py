"""Assertions of a test that moved into a function which it hands to the product (policy set v2, class G05): Python.

Rule: what a test compared exactly stood in the test itself, and now all of that stands in functions within it that
others call. Whoever calls them may swallow the failure, or never call them. It blocks where product code of the change
catches every error; else it is for a person. A function that the test calls itself, too, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.findings import at
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

DEFINED = later(r"(?m)^ *(?:async )?def (\w+)\(")
CATCHES_ALL = later(rb"(?m)^\s*except(?:\s*:|\s+\(?[^\n]*\b(?:BaseException|Exception|AssertionError)\b)")
RAISES_AGAIN = later(rb"(?m)^\s*except\b[^\n]*:\n(?:[^\n]*\n){0,3}?\s*raise\b")


def handed_on(pair: Pair, change: Change) -> Iterator[Hit]:
    if not pair.new.path.endswith(".py") or pair.new.kind != "test" or "def " not in pair.new.text:
        return
    before, after = pair.old.facts(), pair.new.facts()
    exact, was = _exact(after), _exact(before)
    if not exact or not was or any(map(_is_inside, was)) or not all(map(_is_inside, exact)) or not _hands_on(after):
        return
    rule = "test.weakened" if _is_swallowed(change) else "test.somewhat-weaker"
    detail = f"{pair.new.name}: all that it compares stands in a function that others call, who may swallow its failure"
    yield at(pair.new, rule, pair.new.name, detail, exact[0])


def _exact(facts: Facts) -> list[Check]:
    return [check for check in facts.checks if check.grade is Grade.EXACT and check.relation == "=="]


def _is_inside(check: Check) -> bool:
    """It stands in a function, not in a loop."""
    return check.times is None and not check.over


def _hands_on(facts: Facts) -> bool:
    """Functions of the test are given to others, and it calls none of them itself."""
    names = DEFINED.findall(facts.body)
    given = [name for name in names if re.search(rf"[(,=]\s*{re.escape(name)}\s*[,)]", facts.body)]
    called = [name for name in names if len(re.findall(rf"(?<![\w.]){re.escape(name)}\(", facts.body)) > 1]
    return bool(given) and not called


def _is_swallowed(change: Change) -> bool:
    for file in change.files:
        if file.path.endswith(".py") and not is_support(file.path) and file.status != "D":
            data = change.blobs.after(file.path) or b""
            if len(CATCHES_ALL.findall(data)) > len(RAISES_AGAIN.findall(data)):
                return True
    return False
