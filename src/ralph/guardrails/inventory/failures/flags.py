"""Flags that a callback raised, where the callback fails at once now (policy set v2, class G04).

Rule: `onError(() => { failed = true })` with `expect(failed).toBe(false)` behind it became `onError(() => { fail() })`.
What the test gives the callback to may catch that failure, so it is for a person. It is not where the flag is raised
anywhere else, or where no more callbacks of that call fail than before.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

NAME = later(r"[A-Za-z_]\w*")
DOWN = frozenset({"false", "False", "0"})
FUNCTION = r"(?:(?:async)?(?:\(?\w*\)?=>|function\w*\(\w*\))|func\([^()]*\))"
FAILS = r"(?:(?:expect|assert|t|done|chai\.assert|chai\.expect)\.)?(?:fail|Fatalf?|Errorf?|FailNow)\([^(){}]*\)"


def fails_at_once(check: Check, before: Facts, after: Facts) -> bool:
    """The check is gone, and its flag with it."""
    flag = check.subject
    if check.relation != "==" or check.wanted not in DOWN or NAME.fullmatch(flag) is None or flag in after.body:
        return False
    raised = rf"\b{re.escape(flag)}(?:=true|\+\+|\+=1)"
    calls = re.findall(rf"(\w+)\({FUNCTION}\{{{raised};?\}}\)", before.body)
    if not calls or len(calls) != len(re.findall(raised, before.body)):
        return False
    return all(_failing(call, after) - _failing(call, before) >= calls.count(call) for call in calls)


def _failing(call: str, facts: Facts) -> int:
    return len(re.findall(rf"\b{re.escape(call)}\({FUNCTION}\{{(?:{FAILS});?\}}\)", facts.body))
