"""Whether two assertions want the same value, however it is written."""

from __future__ import annotations

import math
import re

from ralph.guardrails.inventory.model import Check, Grade


def other_number(old: Check, new: Check) -> bool:
    """Close to another number than the one that it was equal to, or the other way round."""
    if new.subject != old.subject or {old.relation, new.relation} != {"==", "~"} or new.grade < Grade.CLOSE:
        return False
    was, now = _number(old.wanted), _number(new.wanted)
    near = max(old.slack or 0.0, new.slack or 0.0, 1e-6)
    return was is not None and now is not None and not math.isclose(was, now, rel_tol=near)


def same_value(old: Check, new: Check) -> bool:
    """`6` and `6.0` are one number."""
    return old.wanted == new.wanted or (_number(old.wanted) is not None and _number(old.wanted) == _number(new.wanted))


def narrower_pattern(old: Check, new: Check) -> bool:
    """The pattern for a message says what it said and more; nothing that was put to it makes a part of it optional."""
    one, other = (check.wanted.partition(" ") for check in (old, new))
    was, now = one[2][1:-1], other[2][1:-1]
    return one[0] == other[0] and bool(was) and was in now and re.search(r"[|?*({]", now.replace(was, "", 1)) is None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
