"""One assertion with a chosen value, where there was one in each branch (policy set v2, class G05).

Rule: `if (many) { n.ShouldBe(2); } else { n.ShouldBe(1); }` and `n.ShouldBe(many ? 2 : 1)` ask the same: the condition
is the same, and each branch wanted of the same subject what is chosen for it now.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

CHOSEN = later(r"\(?(?P<of>[^?]+)\?(?P<one>[^?:]+):(?P<other>[^?:]+?)\)?")
CHOSEN_IN_WORDS = later(r"\(?(?P<one>[^()]+?) if (?P<of>.+) else (?P<other>[^()]+?)\)?")


def branches(new: Check, before: Facts) -> Sequence[Check]:
    """The assertions of the base's branches that this one stands for: two, or none."""
    match = CHOSEN.fullmatch(new.wanted) or CHOSEN_IN_WORDS.fullmatch(new.wanted)
    if match is None:
        return ()
    condition, arms = match["of"].strip(), [match["one"].strip(), match["other"].strip()]
    if f"if(!{condition})" in before.body or f"if not {condition}:" in before.body:
        arms.reverse()
    elif not any(f"{head}{condition}{end}" in before.body for head, end in (("if(", ")"), ("if ", ":"), ("if ", "{"))):
        return ()
    asked = [each for each in before.checks if (each.subject, each.relation) == (new.subject, new.relation)]
    wanted = [each.wanted for each in asked]
    return asked if wanted == arms and len(set(arms)) == len(arms) else ()
