"""A test may have hundreds of assertions, all of which a change may touch: twice as many are at most four times the
work, as each may be held against each other, but no third time."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

POLICY = registry.load("v2")
ONCE = 40


@pytest.mark.parametrize(
    "written",
    [
        lambda at: f'    assert cost({at}, "y{at}").sum() == {at % 7}\n',
        lambda at: f'    assert cost({at}, "y{at}").total() == {(at + 1) % 7}\n',
        lambda at: f"    assert cost({at}).z == {at + 1000}\n    price({at})\n",
        lambda at: f'    assert price({at}, "x{at}").total() in (1, {at % 7})\n',
        lambda at: f'    assert "{at}" in price({at}, "x{at}").told()\n',
        lambda at: f'    assert len(price({at}, "x{at}").total()) == {at % 7}\n',
        lambda at: "    pass\n",
    ],
    ids=["other functions", "another function", "unrelated", "one of two", "a part", "a length", "nothing"],
)
def test_work_grows_with_the_square_at_most(written: Callable[[int], str]) -> None:
    _work(written, 2)  # what is read and compiled once for all is no part of it
    assert _work(written, 2 * ONCE) < 4 * _work(written, ONCE)


def _work(written: Callable[[int], str], number: int) -> int:
    """How many functions are called and left to judge a test of so many assertions, all of them changed."""
    before = "".join(f'    assert price({at}, "x{at}").total() == {at % 7}\n' for at in range(number))
    after = "".join(map(written, range(number)))
    asked = change(
        *({"tests/test_price.py": f"from shop import *\n\ndef test_price():\n{body}"} for body in (before, after))
    )
    events = 0

    def count(*_: object) -> None:
        nonlocal events
        events += 1

    sys.setprofile(count)
    try:
        scan(asked, POLICY)
    finally:
        sys.setprofile(None)
    return events
