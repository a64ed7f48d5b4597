"""Classes of a file of tests that say themselves what is equal to them: who compares with one asks for no more.

Rule (policy set v2, class G05): equality with an object of such a class (`__eq__`, a field that is not compared)
demands a shape, and no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.python.words import identifier
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

SAYS = later(r"\bdef __eq__\b|\bcompare\s*=\s*False\b|\beq\s*=\s*(?!True\b)\w")
CLASSES = "(class_definition name: (identifier) @found)"


def own_equality(source: Source) -> frozenset[str]:
    if not SAYS.search(source.data.decode("utf-8", "replace")):
        return frozenset()
    names = source.captures(CLASSES)
    return frozenset(
        identifier(source, name) for name in names if name.parent and SAYS.search(source.text(name.parent))
    )


def by_own_equality(checks: Iterable[Check], classes: frozenset[str]) -> Iterable[Check]:
    """The checks, those that compare with an object of such a class as what they are."""
    made = re.compile(rf"(?:{'|'.join(map(re.escape, sorted(classes)))})\(") if classes else None
    for check in checks:
        if made is not None and check.relation == "==" and (made.match(check.wanted) or made.match(check.subject)):
            yield replace(check, grade=min(check.grade, Grade.SHAPE))
        else:
            yield check
