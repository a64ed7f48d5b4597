"""Assertions of the head that are worth less than they look, by what the base says (policy set v2, class G05).

Rules:

- In a `raises`, one behind code of which the base says that it raises is never reached; if it stood there before, it
  lost nothing.
- One that is run for a part of a list is worth as much as for the whole if another is run for another part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.record import replace

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
