"""Data that a test gives the product, and that lost elements (policy set v2, class G05).

Rule: an assertion that wants what it wanted, of the same question about fewer elements of a literal list or mapping, be
it a constant or a fixture of the file, demands less. It is none where elements were added or replaced, where another
test asks what it asked, and where product code changed with it. What an object or a date is made of are no elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

ELEMENT = r"(?:[\w.]+\s*:\s*|¤\s*:\s*)?[¤§]"
COLLECTION = later(
    rf"[\[{{]\s*(?:{ELEMENT}(?:\s*,\s*{ELEMENT})*\s*,?)?\s*[\]}}]|\(\s*[¤§]\s*,\s*(?:[¤§]\s*(?:,\s*)?)*\)"
)
"""A literal one, with `¤` for a constant and `§` for one inside of it."""
MADE = later(r"\b(?:new [\w.]+|(?:\w+\.)*(?:date|datetime))\(\s*¤(?:\s*,\s*¤)*\s*\)")
"""An object that is made of constants is one itself."""
MOST = 4_000
"""A longer question is not looked into."""


def cut_down(before: Facts, after: Facts) -> Iterator[tuple[Check, Check]]:
    """Assertions about fewer elements than before."""
    if len(before.checks) != len(after.checks):
        return
    for old, new in zip(before.checks, after.checks, strict=True):
        if old.relation != new.relation or min(old.grade, new.grade) < Grade.CLOSE:
            continue
        same = old.wanted == new.wanted or (not old.known and _is_cut(old.wanted, new.wanted))
        if same and _is_cut(old.subject, new.subject):
            yield old, new


def is_asked(check: Check, ledger: Ledger) -> bool:
    """A touched test of the head, or a new one, asks it and wants the same."""
    touched = (unit.check for units in ledger.gained_of.values() for unit in units)
    new = (each for test in ledger.added for each in test.facts().checks)
    return any(each.key == check.key for each in chain(touched, new))


def _is_cut(old: str, new: str) -> bool:
    if max(len(old), len(new)) > MOST or len(new) >= len(old):
        return False
    was, now = Counter(CONSTANT.findall(old)), Counter(CONSTANT.findall(new))
    return now < was and "§" in (form := _form(old)) and form == _form(new)


def _form(written: str) -> str:
    """The question, whatever literal collections it has."""
    form = MADE.sub("¤", CONSTANT.sub("¤", written))
    while (shorter := COLLECTION.sub("§", form)) != form:
        form = shorter
    return "".join(form.split())
