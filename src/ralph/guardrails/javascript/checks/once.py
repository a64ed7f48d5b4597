"""Assertions on calls that say two things: `expect(save).toHaveBeenCalledExactlyOnceWith(1)` (test inventory, G05).

Rule: what a function was given in its only call is what it was given, and that it was called once. So one such
assertion stands for the two that say it apart, and the two for the one.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.truth import Said

ONCE_WITH = frozenset(
    {
        "toHaveBeenCalledExactlyOnceWith",
        "toHaveBeenCalledOnceWith",
        "toBeCalledOnceWith",
        "calledOnceWith",
        "calledOnceWithExactly",
    }
)
"""Of Vitest, Jasmine, jest-extended, Sinon and Chai."""


def with_number(
    found: Iterator[Said], name: str, subject: tree_sitter.Node | None, negated: bool = False
) -> Iterator[Said]:
    """What an assertion says, and how often its subject was called; after `not`, either may be otherwise."""
    yield from found
    if name in ONCE_WITH and not negated:
        yield Said(subject, "calls", Grade.CLOSE, wanted="1")
