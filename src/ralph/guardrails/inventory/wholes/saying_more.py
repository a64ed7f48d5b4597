"""Which assertions of a test may say what one that is gone said.

Rules (policy set v2, class G05):

- That something is there at all, or what kind it is, any assertion about its parts tells.
- Else what was asked of a part before is another question: of how many there are, of what is among them or must not be,
  of what a double was told, of how a call ends.
- Two are as long as each other where they are gone through together by what fails if one is longer.
- A double that is made with the test asks its expectations by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wanted.ruled_out import only_there
from ralph.guardrails.inventory.wholes.lengths import LENGTH, is_exact_length, measured
from ralph.system.patterns import later

STRICTLY = later(r"\bzip\(([^\n]*), strict=True\)")
NAMES = later(r"[^\W\d]\w*")
NOTHING = frozenset({"", "None", "null", "nil", "undefined", "NULL"})
BOUNDS = frozenset({"<", ">"})
OF_KIND = later(r"(?i)type|instance|kind|be_an?\b")
CALLED = later(r"(?i)called|calls?\b|verify|received")
ENDS = later(r"(?i)raise|throw|panic|error|reject|\bcatch")
"""How a call ends, which says nothing of its answer."""
VERIFIED = "verify"
"""All that a double was told to expect was asked of it."""
ASKS_ITSELF = later(r"\bNew\w*\(\s*t\b")
"""A double of Go that is made with the test asks its expectations by itself when the test ends."""
REFUSED = later(r"(?i)\bnot|\bno\b|!=|refute|doesNot|Not")
LENGTHS = frozenset({"len", "list", "tuple", "sorted"})


def saying_more(check: Check, before: Facts, after: Facts) -> Iterator[Check]:
    """Of what type something is says nothing of what was ruled out."""
    return (each for each in _telling(check, before, after) if not only_there(each, check))


def _telling(check: Check, before: Facts, after: Facts) -> Iterator[Check]:
    if _is_there(check) or OF_KIND.search(check.relation):
        yield from after.checks
        return
    known, whole = {each.key for each in before.checks}, measured(check)
    told = CALLED.match(check.relation) is not None
    for each in after.checks:
        same = each.subject == whole and each.grade >= Grade.CLOSE and _is_like(each, check)
        if same or (not told and (each.key not in known or _names(each, check))):
            yield each


def _is_there(check: Check) -> bool:
    nothing = check.wanted in NOTHING or (check.relation in BOUNDS and not is_exact_length(check))
    return check.grade <= Grade.EXISTS and nothing and CALLED.match(check.relation) is None


def _is_like(each: Check, check: Check) -> bool:
    """Both are about an answer, or both about how a call ends; and what must not be is not said for what must."""
    refused = REFUSED.search(each.relation) is not None and REFUSED.search(check.relation) is None
    return not refused and (ENDS.search(each.relation) is None or ENDS.search(check.relation) is not None)


def _names(each: Check, check: Check) -> bool:
    """It has the element, or asks the member, that was asked for."""
    if REFUSED.search(check.relation) or not check.wanted or is_exact_length(check):
        return False
    return each.wanted == check.wanted or check.wanted.strip("'\"") in NAMES.findall(each.subject)


def is_zipped(check: Check, after: Facts) -> bool:
    """Two that have to be as long as each other are gone through together, by what fails where one is longer."""
    if not is_exact_length(check) or LENGTH.fullmatch(check.wanted) is None:
        return False
    both = frozenset(NAMES.findall(f"{measured(check)} {check.wanted}")) - LENGTHS
    loops = (after.body, *(each.over for each in after.checks))
    return any(both <= frozenset(NAMES.findall(each)) for loop in loops for each in STRICTLY.findall(loop))


def asks_itself(check: Check, before: Facts, after: Facts) -> bool:
    made = len(ASKS_ITSELF.findall(after.body)) - len(ASKS_ITSELF.findall(before.body))
    return check.relation == VERIFIED and made > 0
