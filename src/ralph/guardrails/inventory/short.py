"""Lists that were compared as wholes, and are now gone through element by element (policy set v2, class G05).

Rule: a loop over two lists at once ends with the shorter one, and a loop over one of them asks for no more than it has.
What the other one has more is seen by nobody, unless the test says how long they are, or they must be equally long. Of
texts and dates see `taken`.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.taken import takes_piece
from ralph.guardrails.inventory.values import CONSTANT
from ralph.system.patterns import later

LENGTH = later(r"\blen\(|(?i:length|count|size)\b|\bLen\b|\.len\(\)")
AT = r"(?:\[ ?[A-Za-z_]\w* ?\]|\.(?:get|at|nth)\( ?[A-Za-z_]\w* ?\)(?:\.unwrap\(\))?)"
INDEX = later(rf"(?s)(?P<whole>.+?){AT}$")
EVERY = later(r"^all\(|\.(?:every|all|zip)\b")
LISTED = later(r"(?:list|tuple)\((.*)\)")


def listed(subject: str) -> str:
    """What is made a list, as what it was before."""
    made = LISTED.fullmatch(subject)
    return subject if made is None else made[1]


def cut_short(new: Check, old: Check, facts: Facts) -> bool:
    """`facts` are those of the test that has the new assertion."""
    whole = _gone_through(new, old)
    return (whole != "" and not _says_how_long(new, whole, facts)) or takes_piece(new, old, facts)


def in_full(new: Check, old: Check, facts: Facts) -> bool:
    """Element by element, and how many there are."""
    whole = _gone_through(new, old)
    return whole != "" and new.grade >= old.grade and _says_how_long(new, whole, facts)


def at_once(new: Check, old: Check, before: Facts) -> bool:
    """What was gone through is compared as a whole, with what the test had before."""
    known = all(each in before.literals for each in CONSTANT.findall(new.wanted))
    return known and old.grade > Grade.NOTHING and _gone_through(old, new) != ""


def _says_how_long(new: Check, whole: str, facts: Facts) -> bool:
    if "strict=True" in new.subject:
        return True
    lengths = (each for each in facts.checks if LENGTH.search(f"{each.subject} {each.relation}"))
    return any(whole in each.subject or whole in each.wanted for each in lengths)


def _gone_through(new: Check, old: Check) -> str:
    """Of two lists that were compared as wholes the one of which the new assertion looks at an element each time."""
    if old.relation != "==" or old.grade is not Grade.EXACT or not old.subject or not new.grade:
        return ""
    whole = listed(old.subject)
    if whole in new.pairs:
        return whole
    for part in (new.subject, new.wanted):
        found = INDEX.match(part)
        asked = found["whole"] if found is not None else ""
        if asked and (asked in (whole, old.wanted) or (not old.wanted and whole.startswith(f"{asked},"))):
            return asked
    if EVERY.search(new.subject) is None or whole not in new.subject:
        return ""
    return whole if re.search(rf"\bzip\(|[\w)\]]{AT}", new.subject) else ""
