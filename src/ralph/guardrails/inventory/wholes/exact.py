"""Values of which a test of Go asked how they begin, end or what they hold, and that it compares whole now (class G05).

Rule (policy set v2): `strings.Contains(out, "a, b")` is not missed where the head says that `out` equals one text, and
that has it; where it has not, another value is wanted. A text is written down, too, where only the blanks around it are
taken off (`strings.TrimSpace`), whichever side of the comparison it stands on.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.record import replace
from ralph.system.patterns import later

PREDICATE = later(
    r"(?:strings|bytes)\.(?P<kind>HasPrefix|HasSuffix|Contains)\((?P<of>.+), ?"
    r"(?P<part>\"(?:[^\"\\]|\\.)*\"|'[^',]*'|`[^`]*`)\)",
    re.DOTALL,
)
TRIMMED = later(r"(?:strings\.TrimSpace|heredoc\.Doc)\((?:`[^`]*`|\"(?:[^\"\\]|\\.)*\")\)(?:\+\"\\n\")?")
"""A text that is written down, but for what stands around it."""


def exact_of(check: Check, after: Facts) -> Check | None:
    """What the head says exactly of something of which the base only asked how it begins, ends or what it holds."""
    asked = PREDICATE.fullmatch(check.subject) if check.relation == "==" and check.wanted == "true" else None
    if asked is None:
        return None
    for each in after.checks:
        if each.relation != "==" or each.grade is not Grade.EXACT:
            continue
        if each.subject == asked["of"] and (each.known or _holds_all(asked, each.wanted)):
            return each
        if each.wanted == asked["of"] and _holds_all(asked, each.subject):
            return replace(each, subject=each.wanted, wanted=each.subject)
    return None


def _holds_all(asked: re.Match[str], text: str) -> bool:
    return asked["kind"] == "Contains" and TRIMMED.fullmatch(text) is not None


def meets(exact: Check, check: Check) -> bool:
    """What is wanted now is one of the values that were wanted before."""
    asked, value = PREDICATE.fullmatch(check.subject), exact.wanted.strip("\"'`")
    if asked is None:
        return False
    part, kind = asked["part"].strip("\"'`"), asked["kind"].lower()
    starts, ends = kind.startswith(("hasprefix", "starts")), kind.startswith(("hassuffix", "ends"))
    return value.startswith(part) if starts else value.endswith(part) if ends else part in value
