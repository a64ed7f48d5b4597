"""Wholes that were compared with a written value, and of which only parts are looked at now (policy set v2, class G05).

Rule: what is asked of a field or an element says nothing of the others, unless as many are asked about as there were.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.implied import is_part
from ralph.guardrails.inventory.model import Check, Grade
from ralph.system.patterns import later

WRITTEN = later(r"(?s)[\[{(].*[\]})]")
STRING = later(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
FIRST = later(r"\s*(?:\.\s*[\w$]+|\[[^\[\]]*\])")
"""The field or element that a path begins with."""


def parts_of(old: Check, gained: Iterable[Check]) -> list[Check]:
    """The assertions about parts of a whole that was compared; none if they leave nothing of it out."""
    if old.relation != "==" or old.grade is not Grade.EXACT or not old.known or not WRITTEN.fullmatch(old.wanted):
        return []
    size = len([each for each in between_commas(old.wanted[1:-1], STRING) if each])
    parts = [each for each in gained if each.relation == "==" and is_part(each.subject, old.subject)]
    named = {match[0] for each in parts if (match := FIRST.match(each.subject, len(old.subject))) is not None}
    plain = all("(" not in each.subject[len(old.subject) :] for each in parts)
    return parts if plain and 0 < len(named) < size else []
