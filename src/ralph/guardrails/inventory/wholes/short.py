"""Lists that were compared as wholes, and are now gone through element by element (policy set v2, class G05).

Rule: a loop over two lists at once ends with the shorter one, and a loop over one of them asks for no more than it has.
What the other one has more is seen by nobody, unless the test says how long they are, or they must be equally long. Nor
does a loop ask anything where there is nothing to go through: it does not stand for what was asked of one of them, or
of how many there are (see `equally_long`, too). Of texts and dates see `taken`.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.texts.taken import takes_piece
from ralph.guardrails.inventory.wanted.normal import is_whole
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.equally_long import as_wholes, may_be_longer
from ralph.system.patterns import later

LENGTH = later(r"\blen\(|(?i:length|count|size)\b|\bLen\b|\.len\(\)")
AT = r"(?:\[ ?[A-Za-z_]\w* ?\]|\.(?:get|at|nth)\( ?[A-Za-z_]\w* ?\)(?:\.unwrap\(\))?)"
INDEX = later(rf"(?s)(?P<whole>.+?){AT}$")
EVERY = later(r"^all\(|\.(?:every|all|zip)\b")
OF_EACH = later(r"^all\(\(|^all\(\[|\.(?:every|all|allMatch|All|allSatisfy)[({]")
"""What is asked of each asks nothing either where there is none."""
ZIPPED = later(r"\bzip\((?P<given>[^()]+\((?:[^()]|\([^()]*\))*\))")
CALL = later(r"(?s)(?P<name>[A-Za-z_][\w.]*)\((?P<given>.*)\)$")
CALLED = later(r"(?s)(?P<name>[A-Za-z_][\w.]*)\((?P<rest>.*)$")
LISTED = later(r"(?:list|tuple)\((.*)\)")


def listed(subject: str) -> str:
    """What is made a list, as what it was before."""
    made = LISTED.fullmatch(subject)
    return subject if made is None else made[1]


def calls_alike(asked: str, old: Check) -> bool:
    """The same function gives it for something else, as for the rows of a table."""
    call, was = CALL.match(asked), CALLED.match(listed(old.subject))
    if call is None or was is None or call["name"] != was["name"] or not is_whole(call["given"]):
        return False
    return not old.wanted or is_whole(was["rest"].removesuffix(")"))


def _zips_alike(subject: str, old: Check) -> bool:
    return any(calls_alike(match["given"], old) for match in ZIPPED.finditer(subject))


def cut_short(new: Check, old: Check, facts: Facts) -> bool:
    """`facts` are those of the test that has the new assertion."""
    whole = _gone_through(new, old)
    if whole != "" and not _says_how_long(new, whole, facts):
        return True
    if (only_if_any(new, old) and not _is_known(new, facts)) or takes_piece(new, old, facts):
        return True
    return may_be_longer(new, old, facts)


def only_if_any(new: Check, old: Check) -> bool:
    """It is asked of each of a list, of which something was asked for sure."""
    if not new.over or new.times is not None or old.times is None or old.over or OF_EACH.search(old.subject):
        return False
    return re.search(rf"(?<![\w.]){re.escape(new.over)}(?!\w)", old.subject) is not None


def _is_known(new: Check, facts: Facts) -> bool:
    """Something is asked of the list itself: it would fail if there were none."""
    return any(each.over != new.over and each.grade and new.over in each.subject for each in facts.checks)


def in_full(new: Check, old: Check, facts: Facts) -> bool:
    """Element by element, and how many there are."""
    whole = _gone_through(new, old)
    return whole != "" and new.grade >= old.grade and _says_how_long(new, whole, facts)


def at_once(new: Check, old: Check, before: Facts) -> bool:
    """What was gone through is compared as a whole, with what the test had before."""
    if as_wholes(new, old, before):
        return True
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
    for each in new.pairs:
        if each == whole or calls_alike(each, old):
            return each
    for part in (new.subject, new.wanted):
        found = INDEX.match(part)
        asked = found["whole"] if found is not None else ""
        if asked and calls_alike(asked, old):
            return asked
        if asked and part is new.wanted and calls_alike(new.over, old):
            return new.over
        if asked and (asked in (whole, old.wanted) or (not old.wanted and whole.startswith(f"{asked},"))):
            return asked
    if EVERY.search(new.subject) is None or not (whole in new.subject or _zips_alike(new.subject, old)):
        return ""
    return whole if re.search(rf"\bzip\(|[\w)\]]{AT}", new.subject) else ""
