"""Two answers of one question, of which a test wants the other one now (policy set v2, class G05).

Rules:

- About the same subject, the opposite is wanted (`values.opposite`).
- `(x in y) == wanted` looks at one truth, and so do `x in y` and `x not in y`, where they run whatever holds: what was
  computed is said outright now. It is another value, and no weaker question.
- Something else is ruled out, or a `!` came or went (`ruled_out`).
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wanted.ruled_out import is_turned, rules_out_other
from ralph.guardrails.inventory.wanted.values import is_something, opposite

SIDES = {"in": "in", "not in": "in", "!=": "=="}
"""Each relation with that of its question."""


def other_answer(old: Check, new: Check) -> bool:
    if new.grade > 0 and new.subject == old.subject and (opposite(old, new) or rules_out_other(new, old)):
        return True
    return says_outright(old, new)


def is_plain(old: Check, new: Check) -> bool:
    """Whatever else the test has changed, the other answer is wanted."""
    return is_something(new, old) or says_outright(old, new)


def says_outright(old: Check, new: Check) -> bool:
    if is_turned(new, old):
        return True
    asked = SIDES.get(new.relation)
    if asked is None or old.relation != "==" or old.known or not new.grade or new.perhaps or new.why:
        return False
    return old.subject in (f"{new.subject} {asked} {new.wanted}", f"{new.wanted} {asked} {new.subject}")
