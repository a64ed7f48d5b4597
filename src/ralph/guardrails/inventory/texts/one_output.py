"""What a program wrote to two outputs, and writes to one (policy set v2, class G05).

Rule: that an output is one certain text is not missed where the base said so of two, and the head says of one that it
is the lines of both, all of them and no others, in whatever order they come.
"""

from __future__ import annotations

import re
from collections import Counter

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.system.patterns import later

QUOTED = later(r"(?P<quote>[\"'`])(?P<text>.*)(?P=quote)", re.DOTALL)
END = later(r"\\n|\n")
LONGEST = 4_000


def in_one_output(check: Check, before: Facts, after: Facts) -> bool:
    mine = _lines(check)
    if not mine:
        return False
    known, kept = {each.key for each in before.checks}, {each.key for each in after.checks}
    others = [each for each in before.checks if each.key not in kept and each.subject != check.subject]
    wanted = [lines for each in others if (lines := _lines(each))]
    new = [lines for each in after.checks if each.key not in known and (lines := _lines(each))]
    return any(mine + lines in new for lines in wanted)


def _lines(check: Check) -> Counter[str] | None:
    """How often each line is in a text that is written down as all of an output."""
    if check.relation != "==" or check.grade is not Grade.EXACT or check.perhaps or not check.known:
        return None
    quoted = QUOTED.fullmatch(check.wanted) if len(check.wanted) <= LONGEST else None
    if quoted is None or END.search(quoted["text"]) is None:
        return None
    return Counter(line for line in END.split(quoted["text"]) if line.strip())
