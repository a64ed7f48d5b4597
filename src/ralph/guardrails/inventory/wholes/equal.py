"""Lengths that were compared, where the wholes are compared now (policy set v2, class G05).

Rule, for Python: nothing is missed of `assert len(a) == len(b) == len(c)` where `assert a == b == c` stands, be it in
another order and with more beside it. They are the same by the names that the test gives them; whether it gives other
inputs to what they are made of is another question (`inputs`).
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.system.patterns import later

LENGTHS = later(r"assert len\(\w+\)(?: == len\(\w+\))+")
WHOLES = later(r"assert \w+(?: == \w+)+")
OF_LENGTHS = later(r"len\((\w+)\)")
NAMES = later(r"(?<= )\w+")


def are_equal_wholes(old: Check, after: Facts) -> bool:
    """The assertion was about lengths of what is compared as a whole in the test of the head."""
    written = _on_one_line(old)
    if LENGTHS.fullmatch(written) is None:
        return False
    measured = set(OF_LENGTHS.findall(written))
    weak = {check.line for check in after.checks if check.grade is not Grade.EXACT or check.perhaps}
    return any(measured <= _compared(check) for check in after.checks if check.line not in weak)


def _compared(check: Check) -> set[str]:
    written = _on_one_line(check)
    return set(NAMES.findall(written)) if WHOLES.fullmatch(written) else set()


def _on_one_line(check: Check) -> str:
    return re.sub(r"\s+", " ", check.snippet.strip())
