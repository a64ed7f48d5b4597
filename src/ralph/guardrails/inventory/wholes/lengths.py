"""How long something is (policy set v2, class G05).

Rule: a list that is written down is of another length where it has more elements than were wanted, or fewer.
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.system.patterns import later

LENGTH = later(r"(?:len|type)\((?P<of>.+)\)|(?P<whole>.+)\.(?:length|size)|typeof (?P<kind>.+)")
EXACTLY = frozenset({"length", "hasSize", "hasLength"})
LISTED = later(r"\[.*\]|\(.*\)", re.DOTALL)
MANY = later(r"\s*(?:\*|\.\.\.)|.*\bfor\b.*\bin\b")
"""An element that may be several."""


def other_length(new: Check, old: Check) -> bool:
    """What was so long is a list now that is not."""
    if new.relation != "==" or new.grade is not Grade.EXACT or old.grade is not Grade.SHAPE:
        return False
    if not old.wanted.isdigit():
        return False  # as long as something else, and that may be the list
    asks = old.relation == "length" or (old.relation == "==" and LENGTH.fullmatch(old.subject) is not None)
    elements = _elements(new.wanted)
    return asks and measured(old) == new.subject and elements is not None and str(elements) != old.wanted


def is_exact_length(check: Check) -> bool:
    """It says how many there are: no more, no fewer."""
    length = LENGTH.fullmatch(check.subject)
    counted = length is not None and length["kind"] is None and not check.subject.startswith("type(")
    return check.relation in EXACTLY or (check.relation == "==" and counted)


def measured(check: Check) -> str:
    """Of what something is the length or the type; the subject of any other assertion."""
    length = LENGTH.fullmatch(check.subject)
    return check.subject if length is None else next(filter(None, length.groups()))


def _elements(written: str) -> int | None:
    """How many a written list has; None if it is none, or nobody can tell."""
    if not LISTED.fullmatch(written):
        return None
    found = [each for each in between_commas(written[1:-1], STRING) if each.strip()]
    return None if any(map(MANY.match, found)) else len(found)
