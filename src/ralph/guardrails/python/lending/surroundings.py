"""Which names the statements of a Python file give to its tests (see `inventory.lending.surroundings`)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.inventory.lending.surroundings import Surroundings
from ralph.system.patterns import later

NAMED = later(r"(?:@[^\n]*\n\s*)*(?:async\s+)?(?:def\s+(\w+)|(\w+)\s*(?::[^=\n]*)?=(?!=))")
FOR_ALL = later(r"(?i)autouse|setup|set_up|teardown|pytestmark|pytest_|\bdef __\w+__\(")
"""Nobody names what Python itself calls (`__exit__`), either."""


def surroundings(statements: Iterable[str]) -> Surroundings:
    return Surroundings((_names(statement), statement) for statement in statements)


def _names(statement: str) -> tuple[str, ...]:
    """None where it concerns all tests."""
    if FOR_ALL.search(statement):
        return ()
    match = NAMED.match(statement)
    return (match[1] or match[2],) if match else ()
