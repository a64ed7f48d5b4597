"""Two answers of one question, of which a test wants the other one now (policy set v2, class G05).

Rules:

- About the same subject, the opposite is wanted (`values.opposite`).
- `(x in y) == wanted` looks at one truth, and so do `x in y` and `x not in y`, where they run whatever holds: what was
  computed is said outright now. It is another value, and no weaker question.
- Something else is ruled out, or a `!` came or went (`ruled_out`).
- What was to say something, or to be in some state, is not to be seen, or is in another one.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wanted.ruled_out import is_turned, rules_out_other
from ralph.guardrails.inventory.wanted.values import is_something, opposite

STATES = frozenset(
    {"checked", "partially checked", "enabled", "focused", "selected", "valid", "editable", "required", "empty"}
)
"""What an element of a page is, or is not, as its matchers say."""
SIDES = {"in": "in", "not in": "in", "!=": "=="}
"""Each relation with that of its question."""


def other_answer(old: Check, new: Check) -> bool:
    same = new.grade > 0 and new.subject == old.subject
    if same and (opposite(old, new) or rules_out_other(new, old) or _is_out_of_sight(new, old)):
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


def state_of(check: Check) -> str:
    """Which one is asked for, whether it is to be or not."""
    state = check.relation.removeprefix("not ")
    return state if state in STATES and not check.wanted else ""


def _is_out_of_sight(new: Check, old: Check) -> bool:
    said = old.relation in ("==", "part", "in", "matches") and bool(old.wanted)
    if new.relation == "not shown":
        return said or bool(state_of(old))
    return bool(state_of(new) and state_of(old)) and state_of(new) != state_of(old)
