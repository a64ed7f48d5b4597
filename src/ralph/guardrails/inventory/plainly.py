"""What was to run without a failure, and is run plainly (policy set v2, class G05).

Rule: that a call does not fail is not missed where the test now makes that call in a statement of its own, as it fails
if the call does. One that is only written down, in a function that nothing calls, is none.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

LAST_CALL = later(r"([A-Za-z_]\w*\([^()]*\))[\s;})]*$")


def runs_plainly(check: Check, before: Facts, after: Facts) -> bool:
    call = LAST_CALL.search(check.subject)
    if check.relation != "not raises" or call is None:
        return False
    statement = re.compile(rf"[;{{}}](?:await |(?:\w+ )?\w+=(?:await )?)?(?:[\w.]+\.)?{re.escape(call[1])}")
    return len(statement.findall(after.body)) > len(statement.findall(before.body))
