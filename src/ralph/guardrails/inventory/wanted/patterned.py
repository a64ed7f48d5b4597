"""A number that was wanted as it is, of which only a pattern is wanted now (class G05).

`expect(total).toBe(33)` that became `expect(String(total)).toMatch(/^3/)`: every digit counts. A pattern that fixes all
of them is a matter of spelling. What patterns leave of texts is told by `texts.wording`.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

NUMBER = later(r"-?\d[\d_.]*n?")
PATTERN = later(r"(?:r?[\"'`]|/ ?)(?P<pattern>[^\n]*?)(?:[\"'`]| ?/\w*)")
SIGNS = later(r"\\(?P<letter>\W)|[\^$()]|\?:")


def only_patterned(old: Check, new: Check) -> bool:
    """True if a number that was asked for is left open by the pattern."""
    if old.relation != "==" or new.relation != "matches" or not old.subject or old.subject not in new.subject:
        return False
    if NUMBER.fullmatch(old.wanted) is None:
        return False
    quoted = PATTERN.fullmatch(new.wanted.strip())
    pattern = quoted["pattern"] if quoted is not None else new.wanted
    return SIGNS.sub(lambda sign: sign["letter"] or "", pattern) != old.wanted
