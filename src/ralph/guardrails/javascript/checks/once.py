"""Assertions on calls that say two things: `expect(save).toHaveBeenCalledExactlyOnceWith(1)` (test inventory, G05).

Rules: what a function was given in its only call is what it was given, and that it was called once. So one such
assertion stands for the two that say it apart, and the two for the one. So does one that compares all of its calls:
`expect(save.mock.calls).toEqual([[1], [2]])`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.javascript.checks.matchers import CALLED
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

ONE_CALL = 2
"""That it was called once, and with what."""
CALLS = later(r"\.mock\s*\.\s*calls$")
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
    found: Iterator[Said],
    name: str,
    subject: tree_sitter.Node | None,
    negated: bool,
    written: Callable[[tree_sitter.Node], str],
) -> Iterator[Said]:
    """What an assertion says, and how often its subject was called; after `not`, either may be otherwise."""
    for each in found:
        calls = list(_all_calls(each, written)) if each.relation == "==" and not negated else []
        if len(calls) != ONE_CALL:
            yield each  # the order of several is no call's matter
        yield from calls
    if name in ONCE_WITH and not negated:
        yield Said(subject, "calls", Grade.CLOSE, wanted="1")


def _all_calls(said: Said, written: Callable[[tree_sitter.Node], str]) -> Iterator[Said]:
    """Each call of a double, and how many they are, where all that it was given is compared with a list of lists."""
    calls, listed = unwrapped(said.subject), unwrapped(said.wanted_node)
    if calls is None or listed is None or listed.type != "array" or CALLS.search(text_of(calls)) is None:
        return
    mock = calls.child_by_field_name("object")
    double = mock.child_by_field_name("object") if mock is not None else None
    rows = [each for each in listed.named_children if each.type != "comment"]
    if double is None or not rows or any(each.type != "array" for each in rows):
        return
    yield Said(double, "calls", Grade.CLOSE, wanted=str(len(rows)))
    for row in rows:
        given = row.named_children
        if len(given) == 1:
            yield Said(double, CALLED, Grade.EXACT, given[0])
        elif given:
            yield Said(double, CALLED, Grade.EXACT, wanted=f"({written(row)[1:-1]})", known=said.known)
