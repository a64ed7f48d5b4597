"""A whole that was wanted has members more, of which only the type or a pattern is asked (policy set v2, class G05).

    expect(report()).toEqual({ status: "completed" })
    expect(report()).toEqual({ status: "completed", version: expect.any(String) })

Rule: both compare the whole, every member that was wanted is wanted as it was, and only those that are new may be of
some kind. No question about the old members is milder; the value is another one. Where the old whole had no members,
one of the new ones has to be certain. A member that was there and may be anything now is not meant, nor a comparison of
a part.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted.coarser import LONGEST_RECORD, fields_of
from ralph.system.patterns import later

OF_A_KIND = later(
    r"(?s)(?:expect|jasmine|sinon\.match|mock|unittest\.mock)\.(?:any|anything|ANY|string\w*|number|stringMatching|closeTo)\b.*"
    r"|ANY|(?:pytest\.)?approx\(.*\)|(?:I|i)s(?:Str|Int|Datetime|UUID|Now|Instance|_?[a-z]\w*)\b.*|be_(?:an?|kind_of)\b.*"
)

NO_MEMBERS = later(r"\{\s*\}|dict\(\)|#\{\}|Map\.of\(\)|(?:\w+\.)*emptyMap\(\)|map\[\w+\]\w+\{\s*\}")


def has_more(new: Check, old: Check) -> bool:
    """Whether the new whole is the old one and something besides."""
    if old.subject != new.subject or old.relation != "==" or new.relation != "==" or old.grade is not Grade.EXACT:
        return False
    if new.perhaps or new.why or len(old.wanted) > LONGEST_RECORD or not new.grade:
        return False
    was, now = fields_of(old.wanted), fields_of(new.wanted)
    if not was and not NO_MEMBERS.fullmatch(old.wanted):
        return False
    more = [now[name] for name in now.keys() - was.keys()]
    same = was.items() <= now.items() and not any(map(OF_A_KIND.fullmatch, was.values()))
    free = sum(OF_A_KIND.fullmatch(value) is not None for value in more)
    return same and free > 0 and (bool(was) or free < len(more))
