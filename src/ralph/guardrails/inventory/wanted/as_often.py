"""A number that a test wants, and that says how often it did something before: both change together.

`for i in range(3): s.add(i)` and `len(s) == 3`: a test that does it twice, and wants two, asks what it asked.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

BOUND = later(
    r"\bfor\b[^{};\n]*;[^{};\n]*?<=?\s*(\w+)\s*;|\brange\((?:0,\s*)?(\w+)\)|\b(\w+)\.times\b|\brepeat\((\w+)\)|\b[01]\.\.=?\s*(\w+)"
    r"|\bfor\([^(){};]*?<=?(\w+?)\w(?:\+\+|\+=)|\bin\s+[01]\s*until\s+(\w+)|\blength:\s*(\w+)|\brange\s+(\w+)\s*\{|\bArray\((\w+)\)"
)
"""What says how often a loop runs."""
NUMBER = later(r"\d+ \d+")
WORD = later(r"\w+")


def is_as_often(old: Check, new: Check, before: Facts, after: Facts) -> bool:
    """The old value was how often a loop of the test ran, and the new one is; by a number, or by the name of one."""
    if old.relation != new.relation or old.wanted == new.wanted or not NUMBER.fullmatch(f"{old.wanted} {new.wanted}"):
        return False
    return _bounds(old, before) and _bounds(new, after)


def _bounds(check: Check, facts: Facts) -> bool:
    found = {next(filter(None, groups)) for groups in BOUND.findall(facts.body)}
    named = {each for each in WORD.findall(check.snippet) if not each.isdigit()}
    return check.wanted in found or bool(named & found)
