"""Calls of a double that was asked for them, where a fake that writes them down takes its place (class G05).

Rule: that a method was called so many times is not missed where the head compares a list exactly with one that is
written down, has as many elements, and each of them has the constants that a call was wanted to have: `verify(exactly =
1) { accounts.save(Account("ann")) }` is held by `assertEquals(listOf(Account("ann")), accounts.saved)`, and by
`assertThat(accounts.saved).containsExactly(Account("ann"))`.
"""

from __future__ import annotations

from collections import Counter

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.counted_instead import counts_instead
from ralph.system.patterns import later

CALLS = later(r"calls(?: :?\w+)?")
GIVEN = later(r"(?i)\w*called[ _]?(?:once[ _]?)?with|have_received|calledWith\w*|toHaveBeenCalledWith")
EXACTLY = later(r"containsExactly(?:InAnyOrder)?|shouldContainExactly(?:InAnyOrder)?")
"""What names all elements, and takes no other ones."""
LISTED = later(
    r"(?:\w+\.)*(?:listOf|mutableListOf|arrayOf|asList|of)\((?P<made>.*)\)|(?:new\s*)?(?:[\w.]+)?\[\]\{(?P<array>.*)\}"
    r"|(?:vec!)?\[(?P<list>.*)\]"
)


def writes_calls_down(old: Check, before: Facts, after: Facts) -> bool:
    """A list that is compared as a whole says how often it was called, and with what; or one is counted instead."""
    if counts_instead(old, before, after):
        return True
    if CALLS.fullmatch(old.relation) is None or not old.wanted.isdigit() or old.grade > Grade.CLOSE:
        return False
    wanted = [
        Counter(CONSTANT.findall(each.wanted))
        for each in before.checks
        if each.subject == old.subject and GIVEN.fullmatch(each.relation) and each.grade is Grade.EXACT
    ]
    if not wanted or not all(wanted):
        return False
    known = {each.key for each in before.checks}
    return any(_tells(each, int(old.wanted), wanted) for each in after.checks if each.key not in known)


def _tells(new: Check, number: int, wanted: list[Counter[str]]) -> bool:
    if EXACTLY.fullmatch(new.relation) is not None and new.grade is Grade.EXACT and not new.perhaps:
        calls = wanted * number if len(wanted) == 1 else wanted
        return len(calls) == number and Counter(CONSTANT.findall(new.wanted)) == sum(calls, Counter[str]())
    written = LISTED.fullmatch(new.wanted) if new.relation == "==" and new.grade is Grade.EXACT else None
    if written is None or new.perhaps:
        return False
    inside = next((each for each in written.groups() if each is not None), "")
    found = [Counter(CONSTANT.findall(each)) for each in between_commas(inside, STRING) if each]
    return len(found) == number and all(each in wanted for each in found) and all(each in found for each in wanted)
