"""What the base says of code that raises, and what an assertion of the head is worth by that (class G05).

Rules:

- In a `raises`, one behind code of which the base says that it raises is never reached; if it stood there before, it
  lost nothing.
- One that stood there is not missed where the head says that the code before it raises by itself.
- One that is run for a part of a list is worth as much as for the whole if another is run for another part.
- The text of a warning that was caught as an exception is not missed where such a warning is waited for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.record import replace
from ralph.system.patterns import later

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


def was_never_reached(check: Check, before: Facts, after: Facts) -> bool:
    """The code before it was all that might raise, and raises with nothing behind it."""
    return bool(check.behind) and all(
        any(each.relation == "raises" and each.grade and each.subject == check.behind for each in facts.checks)
        for facts in (before, after)
    )


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
