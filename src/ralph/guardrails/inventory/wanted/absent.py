"""What had a certain value may not be there at all now (policy set v2, class G05).

Rule: `x["a"] == 1` became `"a" not in x`, or `text.count("a") == 2` became `"a" not in text`. The two cannot both hold,
so the new one is no milder question about the old answer: it wants another one. Where something else is left out it is
as weak as before.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wanted.values import NOTHING
from ralph.system.patterns import later

PROPERTY = later(r"\.not\s*\.\s*toHaveProperty\(|\.not\.have\.(?:own\.)?property\(|doesNotHaveProperty")
NAME = later(r"[A-Za-z_$][\w$]*")
NOUGHT = later(r"0+(?:\.0*)?")


def is_missing(new: Check, old: Check) -> bool:
    """Whether the new assertion wants that to be missing which the old one wanted to be something certain."""
    if old.relation != "==" or not old.known or not new.wanted or not new.grade or not _leaves_out(new):
        return False
    if new.perhaps or new.why or old.wanted in NOTHING:
        return False
    holder, left_out = new.subject, new.wanted
    bare = left_out.strip("'\"`")
    if old.subject in (f"{holder}.count({left_out})", f"{holder}.scan({left_out}).size"):
        return NOUGHT.fullmatch(old.wanted) is None
    named = f"{holder}.{bare}" if NAME.fullmatch(bare) else ""
    return old.subject in (f"{holder}[{left_out}]", f"{holder}.get({left_out})", named)


def _leaves_out(check: Check) -> bool:
    return check.relation == "not in" or (
        check.relation == "not matches" and PROPERTY.search(check.snippet) is not None
    )
