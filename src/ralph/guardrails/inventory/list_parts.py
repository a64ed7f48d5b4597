"""That a part of something is a list, where all of it is written down now (policy set v2, class G05).

Rule: `expect(Array.isArray(reply.rows)).toBe(true)` is not missed where the head compares `reply` with an object that
is written down and has a list as its `rows`. Where it has something else there, the question is gone.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

ASKED = later(r"Array\.isArray\((?P<of>.+)\)", re.DOTALL)
LAST = later(r".*\.(\w+)", re.DOTALL)


def listed(check: Check) -> str:
    """What is to be a list; empty if that is not asked."""
    asked = ASKED.fullmatch(check.subject)
    positive = check.relation == "part" or (check.relation == "==" and check.wanted == "true")
    return asked["of"] if asked is not None and positive else ""


def shows_list(whole: Check, part: str) -> bool:
    name = LAST.fullmatch(part)
    return name is not None and re.search(rf"(?<![\w$]){re.escape(name[1])}: ?\[", whole.wanted) is not None
