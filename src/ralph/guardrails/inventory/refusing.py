"""What the base says of code that raises, and what an assertion of the head is worth by that (class G05).

Rules:

- In a `raises`, one behind code of which the base says that it raises is never reached; if it stood there before, it
  lost nothing.
- One that is run for a part of a list is worth as much as for the whole if another is run for another part.
- What was refused, and is answered with what the same function says of something else, has another answer and is not
  weaker, where a new test asks that the function refuse something else with the same kind of exception.
- The text of a warning that was caught as an exception is not missed where such a warning is waited for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.record import replace
from ralph.system.patterns import later

ASKED = later(r"[\w.]+\(")
CAUGHT = later(r"str\((?P<of>.+)\.exception\)")

RAISED = "the code before it raises, so that it is never reached"


def as_felt(before: Facts, after: Facts) -> Iterator[Check]:
    """The assertions of the head's test."""
    raising = [check.subject for check in before.checks if check.relation == "raises" and check.grade]
    known = {(check.key, check.behind) for check in before.checks}
    parts = Counter((check.key, check.over) for check in after.checks if check.cut)
    for check in after.checks:
        reached = not check.behind or (check.key, check.behind) in known
        if not reached and any(f"{check.behind}; ".startswith(f"{code}; ") for code in raising):
            yield replace(check, grade=Grade.NOTHING, why=RAISED)
        else:
            yield replace(check, cut=False) if parts[check.key, check.over] > 1 else check


def answered_now(refused: Check, after: Facts, added: Iterable[Facts]) -> Check | None:
    """What the same question is answered with, if a new test asks that another one is refused for the same reason."""
    function, kind = ASKED.match(refused.subject), refused.wanted.partition(" ")[0]
    if refused.relation != "raises" or function is None or not kind:
        return None
    others = (check for facts in added for check in facts.checks if check.relation == "raises")
    still = any(
        check.grade >= refused.grade
        and check.subject.startswith(function[0])
        and check.wanted.partition(" ")[0] == kind
        for check in others
    )
    exact = (check for check in after.checks if check.relation == "==" and check.grade is Grade.EXACT)
    same = (check for check in exact if check.subject == refused.subject and check.wanted.startswith(function[0]))
    return next((check for check in same if check.wanted != check.subject), None) if still else None


def is_waited_for(check: Check, before: Facts, after: Facts) -> bool:
    """The text of a warning that an interpreter made an exception of: `warns(UserWarning, match="used twice")`."""
    caught = CAUGHT.fullmatch(check.subject)
    if caught is None or check.relation != "in":
        return False
    kinds = {
        each.wanted
        for each in before.checks
        if each.subject == f"{caught['of']}.exception"
        and each.relation == "isinstance"
        and each.wanted.endswith("Warning")
    }
    return any(
        each.relation == "warns" and each.subject == caught["of"] and each.wanted == f"{kind} {check.wanted}"
        for each in after.checks
        for kind in kinds
    )
