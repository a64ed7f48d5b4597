"""A text that an answer had to be, and that an answer only has to hold now (policy set v2, class G05).

Rule: where a test is written anew, so that it looks at something else, an assertion that wanted a certain text as a
whole has become the one that wants this text as a part, and no other one stands for it: not unless something is still
to be this text, or a longer one that holds it. What a column of a table holds is what is wanted of each of its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.system.patterns import later

PART = frozenset(
    {"in", "part", "Contains", "contains", "holds", "include", "assert_includes", "assert_include", "must_include"}
)
TEXT = later(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`")
OF_ROW = later(r"[A-Za-z_]\w*\.(?P<column>\w+)")
AS_CONDITION = later(
    rf"(?:.+\.(?i:contains|includes?\??)\((?P<part>{TEXT.pattern}|\w+\.\w+)\)"
    rf"|(?:strings|bytes)\.Contains\(.+,(?P<of_go>{TEXT.pattern}|\w+\.\w+)\))"
)
SHORTEST, LONGEST, LONGEST_CONDITION = 3, 2_000, 400
"""A shorter text may be part of anything."""
MOST_ROWS = 200


def held_only(old: Check, gained: Sequence[Check], before: Facts, after: Facts) -> Check | None:
    """The assertion of the head that wants as a part what had to be the whole; None where there is none."""
    if old.relation != "==" or old.grade is not Grade.EXACT or not any(map(_is_part, gained)):
        return None
    texts = _texts(old.wanted, before)
    if not texts:
        return None
    whole = [text for check in after.checks if _is_whole(check) for text in _texts(check.wanted, after)]
    if all(any(text in other for other in whole) for text in texts):
        return None
    return next((each for each in gained if _is_part(each) and texts <= _texts(_part(each), after)), None)


def _is_whole(check: Check) -> bool:
    return check.relation == "==" and check.grade is Grade.EXACT


def _is_part(check: Check) -> bool:
    return bool(check.grade) and (check.relation in PART or bool(_part_of_condition(check)))


def _part(check: Check) -> str:
    return check.wanted if check.relation in PART else _part_of_condition(check)


def _part_of_condition(check: Check) -> str:
    """`strings.Contains(out, "a")` has to be true."""
    if (check.relation, check.wanted) != ("==", "true") or len(check.subject) > LONGEST_CONDITION:
        return ""
    found = AS_CONDITION.fullmatch(check.subject)
    return (found["part"] or found["of_go"]) if found is not None else ""


def _texts(wanted: str, facts: Facts) -> frozenset[str]:
    """What it says, without quotes: a text, or those of a column."""
    if len(wanted) > LONGEST:
        return frozenset()
    if TEXT.fullmatch(wanted):
        return frozenset(_long([wanted[1:-1]]))
    of_row = OF_ROW.fullmatch(wanted)
    if of_row is None or not facts.cases or len(facts.cases) > MOST_ROWS:
        return frozenset()
    filled = re.compile(rf"(?<!\w){of_row['column']}:(?P<text>{TEXT.pattern})")
    return frozenset(_long(found["text"][1:-1] for row in facts.cases if (found := filled.search(row)) is not None))


def _long(texts: Iterable[str]) -> Iterable[str]:
    return (text for text in texts if len(text) >= SHORTEST)
