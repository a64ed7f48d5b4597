"""One element of a list was asked for, and now it is asked for beside its neighbours (policy set v2, class G05).

Rule: `rows[-1] == "a"` is held by `rows[-2:] == ["a", "b"]` as far as the written list has a constant in that place:
the same one, or another one, which is another value that is wanted, and not less. So it is with `at`, `slice`, `first`
and `last` of JavaScript and Ruby.
"""

from __future__ import annotations

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

ELEMENT = later(
    r"(?P<of>.+?)(?:\[(?P<at>-?\d+)\]|\.at\((?P<asked>-?\d+)\)|\.(?:(?P<first>first)|(?P<last>last))(?:\(\))?)"
)
SLICE = later(
    r"(?P<of>.+?)(?:\[(?P<low>-?\d*):-?\d*\]|\.slice\((?P<start>-?\d+)(?:, ?-?\d+)?\)|\[(?P<begin>-?\d+)\.\.\.?-?\d*\]"
    r"|\.(?:first\(\d+\)|last\((?P<count>\d+)\)))"
)
LISTED = later(r"\[(?P<list>.*)\]")
LONGEST = 4_000


def in_slice(new: Check, old: Check) -> bool | None:
    """Whether a part of the list has that element as it was wanted; None where that is not what became of it."""
    if new.relation != "==" or old.relation != "==" or old.grade is not Grade.EXACT or not new.grade or new.perhaps:
        return None
    if len(new.subject) + len(new.wanted) > LONGEST or new.slack is not None:
        return None
    element, part, written = (
        ELEMENT.fullmatch(old.subject),
        SLICE.fullmatch(new.subject),
        LISTED.fullmatch(new.wanted),
    )
    if element is None or part is None or written is None or element["of"] != part["of"]:
        return None
    at = 0 if element["first"] else -1 if element["last"] else int(element["at"] or element["asked"])
    first = -int(part["count"]) if part["count"] else int(part["low"] or part["start"] or part["begin"] or 0)
    elements = [each for each in between_commas(written["list"], STRING) if each]
    place = at - first
    if (at < 0) is not (first < 0) or not 0 <= place < len(elements) or (first < 0 and len(elements) != -first):
        return None
    found = elements[place]
    return found == old.wanted if found == old.wanted or CONSTANT.fullmatch(found) else None
