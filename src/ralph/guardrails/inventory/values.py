"""Whether two assertions want the same value, however it is written."""

from __future__ import annotations

import math

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


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
