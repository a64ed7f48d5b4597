"""That a list has nothing behind its last element (policy set v2, class G05).

Rule: `expect(rows[2]).toBeUndefined()` is not missed beside `expect(rows).toHaveLength(2)`, which is still asked as
often as it was: a list of two has no third element. Between the two, in the base, there may be other assertions only,
so that it is the list at that moment.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wholes.lengths import is_exact_length, measured
from ralph.system.patterns import later

ELEMENT = later(r"(?P<of>.+?)(?:\?\.)?(?:\[(?P<at>\d+)\]|\.at\((?P<asked>\d+)\))")
NOTHING = frozenset({"undefined", "null", "nil", "None"})
ABSENT = frozenset({"falsy", "not exists", "be_nil", "assert_nil", "must_be_nil", "Nil"})


def is_past_end(check: Check, before: Facts, after: Facts) -> bool:
    element = ELEMENT.fullmatch(check.subject)
    if element is None or not (check.relation in ABSENT or (check.relation == "==" and check.wanted in NOTHING)):
        return False
    place = int(element["at"] or element["asked"])
    return any(
        _tells(each, element["of"], place) and _side_by_side(each, check, before) and _still(each, before, after)
        for each in before.checks
    )


def _tells(check: Check, owner: str, place: int) -> bool:
    long = is_exact_length(check) and measured(check) == owner and check.wanted.isdigit()
    return long and int(check.wanted) <= place and check.grade >= Grade.SHAPE and not check.perhaps


def _side_by_side(one: Check, other: Check, facts: Facts) -> bool:
    first, last = sorted((one.line, other.line))
    return set(range(first + 1, last)) <= {each.line for each in facts.checks}


def _still(check: Check, before: Facts, after: Facts) -> bool:
    were, are = (
        sum(each.key == check.key and each.grade >= check.grade for each in side.checks) for side in (before, after)
    )
    return were <= are
