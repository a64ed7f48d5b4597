"""How often an assertion is without a partner on the other side of a change."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.inventory.model import Check


class Units:
    """An assertion and how often it is still without a partner: infinitely often, where nobody can tell."""

    def __init__(self, check: Check, left: float) -> None:
        self.check = check
        self.left = left

    def take(self, other: Units) -> None:
        """The two answer for each other."""
        amount = min(self.left, other.left)
        self.left -= amount
        other.left -= amount

    def take_all(self, others: Iterable[Units]) -> None:
        """One after the other, until nothing is left."""
        for other in others:
            if not self.left:
                return
            self.take(other)
