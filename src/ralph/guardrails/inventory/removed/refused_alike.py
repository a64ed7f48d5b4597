"""Which refusals a test asks for, so that a test of an answer is not taken for one of them under another name.

Rule: a test that only asks that something is refused is no test that only asks for answers, where another test arrives
that asks for the same refusal by the same function: that one, or none, is it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.wanted.values import is_refusal
from ralph.system.patterns import later

ASKED = later(r"[A-Za-z_][\w.]*(?=\(|,|$)")
"""What is called, or handed over to be called."""

Refusal = tuple[str, str]


def _refusals(test: Test) -> frozenset[Refusal]:
    """The functions and the errors, if it asks for nothing else."""
    checks = [check for check in test.facts().checks if check.grade]
    if not checks or not all(map(is_refusal, checks)):
        return frozenset()
    called = ((ASKED.search(check.subject), check.wanted.partition(" ")[0]) for check in checks)
    return frozenset((match[0], error) for match, error in called if match is not None)


def told_apart(old: Sequence[Test], new: Sequence[Test]) -> Callable[[Test, Test], bool]:
    """Whether a test of `old` asks for a refusal, and not the one of `new`, but another one of `new` for the same."""
    tests = (*old, *new) if old and new else ()
    each = {id(test): _refusals(test) for test in tests if test.kind == "test"}
    refused = frozenset[Refusal]().union(*(each.get(id(test), frozenset()) for test in new))

    def apart(one: Test, other: Test) -> bool:
        asked = each.get(id(one), frozenset())
        return bool(asked) and asked <= refused and not each.get(id(other))

    return apart
