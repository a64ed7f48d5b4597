"""Two lists that had to be equally long, and are only compared element by element now (policy set v2, class G05).

Rule: the test asked that two lists are equally long (`len(a) == len(b)`). A question that is asked in a loop over both
of them, or over one of them with an index into the other, does not stand for that one: what one of them has more is
seen by nobody. It does where the test still says something of how long they are, or goes through both to the end of the
longer one. Where the two are compared as wholes now, nothing is lost of either question.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wholes.lengths import EXACTLY
from ralph.system.patterns import later

MEASURED = later(
    r"(?:len|count|sizeof)\((?P<of>.+)\)|(?P<whole>.+)\.(?:len\(\)|(?:size|length|Count|count|Length)(?:\(\))?)",
    re.DOTALL,
)
LENGTH = later(r"\b(?:len|count|sizeof)\(|(?i:length|size|count)\b|\bLen\b|\.len\(\)")
IN_HEAD = later(
    r"[<>]=?\s*(?:len\([^()]*\)|count\([^()]*\)|\$?\w[\w.$]*\.(?:len|length|size|count|Length|Count)\b(?:\(\))?)|range\(len\([^()]*\)\)"
)
"""How far a loop goes."""
TO_THE_END = later(r"(?i)longest|strict\s*=\s*True|zip_eq|zip_strict|zip_exact|sequence_?equal|same_?(?:size|length)")
AT = r"(?:\[|\.(?:get|at|nth|ElementAt|elementAt)\()"
CUT = later(r"\.(?:iter|into_iter|iter_mut|each|stream|to_a|entries)\(?\)?$|^[&*]")


def may_be_longer(new: Check, old: Check, facts: Facts) -> bool:
    """`facts` are those of the test that has the new assertion."""
    lists = _equally_long(old)
    if (
        not lists
        or new.times is not None
        or any(LENGTH.search(f"{each.subject} {each.relation}") for each in facts.checks)
    ):
        return False
    if TO_THE_END.search(facts.body) or LENGTH.search(IN_HEAD.sub("", facts.body)):
        return False
    return any(_goes_through(each, new, facts.body) for each in lists)


def as_wholes(new: Check, old: Check, before: Facts) -> bool:
    """Two lists are compared at once, of which `before` asked their lengths, and then element by element."""
    if new.relation != "==" or new.grade is not Grade.EXACT or new.times != 1 or not new.wanted:
        return False
    whole = (new.subject, new.wanted)
    if whole in (lists := _equally_long(old), lists[::-1]):
        return True
    if old.times is not None or old.known or old.relation != "==":
        return False
    measured = any(whole in (lists := _equally_long(each), lists[::-1]) for each in before.checks)
    return measured and any(_goes_through(each, old, before.body) for each in whole)


def _equally_long(check: Check) -> tuple[str, ...]:
    """The two lists that it asks to be equally long; none, for another question."""
    if check.relation not in ("==", *EXACTLY) or check.times is None:
        return ()
    one, other = _whole(check.subject), _whole(check.wanted)
    if not one and check.relation in EXACTLY:
        one = check.subject
    return (one, other) if one and other and one != other else ()


def _whole(length: str) -> str:
    """Of what something is the length."""
    match = MEASURED.fullmatch(length)
    return next(filter(None, match.groups())) if match is not None else ""


def _goes_through(whole: str, new: Check, body: str) -> bool:
    if whole in new.pairs or whole == new.over:
        return True
    if any(re.match(re.escape(whole) + AT, CUT.sub("", part)) for part in (new.subject, new.wanted)):
        return True
    plain = re.escape(CUT.sub("", whole))
    beside = rf"(?<![\w.]){plain}\b[^;{{}}\n]{{0,200}}\b[zZ]ip\(|\bzip\([^;{{}}\n]{{0,200}}(?<![\w.]){plain}\b"
    return re.search(beside, body) is not None
