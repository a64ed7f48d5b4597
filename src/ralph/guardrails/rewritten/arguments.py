"""The arguments of a call, as text."""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas, marks, step
from ralph.system.patterns import later

LONGEST = 5000
"""A call that no person wrote; what stands behind is not looked at."""
STRINGS = later(r"(?P<quote>[\"'`])(?:\\.|(?!(?P=quote)).)*(?:(?P=quote)|$)", re.DOTALL)


def arguments(code: str, start: int) -> list[str]:
    """Of the call whose parenthesis was opened right before `start`."""
    text, depth = code[start : start + LONGEST], 0
    for at, letter in marks(text, STRINGS):
        depth += step(letter)
        if depth < 0:
            return between_commas(text[:at], STRINGS)
    return between_commas(text, STRINGS)
