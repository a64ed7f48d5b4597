"""Whether the constants of an assertion that is gone are still in the test."""

from __future__ import annotations

import itertools

import pytest

from ralph.guardrails.inventory.equivalents.related import still_there
from ralph.guardrails.inventory.model import Check, Facts, Grade

GONE = Check(
    subject="join(args)", relation="==", wanted='"one two"', grade=Grade.EXACT, line=1, column=1, snippet="", known=True
)


@pytest.mark.parametrize("order", list(itertools.permutations(['"one"', '"two"', '"child"'])))
def test_two_constants_side_by_side_are_no_third_one(order: tuple[str, ...]) -> None:
    """Constants are a set, whose order is another one in every process."""
    assert not still_there(GONE, Facts(literals=order))  # type: ignore[arg-type]


def test_a_constant_that_is_part_of_another_one_is_there() -> None:
    assert still_there(GONE, Facts(literals=frozenset({'"one two three"'})))
