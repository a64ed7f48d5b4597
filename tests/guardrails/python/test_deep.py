"""Python code that is nested deeper than Python's own tools go is judged like any other."""

from __future__ import annotations

import time

import pytest

from ralph.guardrails.scan import scan
from ralph.policy.registry import load
from tests.guardrails.memory import change

DEEP = 600
EXAMPLE = '''\
def price(count):
    """What so many cost.

    >>> price(2)
    6
    """
    return count * 3


def check():
    import doctest

    doctest.testmod()
'''
TEST = """\
import pytest


@pytest.mark.filterwarnings("error")
def test_price():
    assert price(2) == 6
"""
DEPTHS = {
    "sum": f"TOTAL = {' + '.join(['1'] * DEEP)}\n",
    "not": f"TOTAL = {'not ' * 10 * DEEP}1\n",
    "lambda": f"TOTAL = {'lambda: ' * DEEP}1\n",
    "attributes": f"TOTAL = price{'.real' * DEEP}\n",
    "branches": "def chosen(way):\n    if not way:\n        return 0\n"
    + "".join(f"    elif way == {number}:\n        return {number + 1}\n" for number in range(DEEP)),
}


def _rules(path: str, before: str, after: str) -> set[str]:
    return {finding.rule for finding in scan(change({path: before}, {path: after}), load("v2"))}


@pytest.mark.parametrize("kind", DEPTHS)
def test_what_changes_beside_it_is_nothing(kind: str) -> None:
    deep = DEPTHS[kind]
    assert not _rules("src/prices.py", EXAMPLE + deep, EXAMPLE.replace("count * 3", "3 * count") + deep)
    assert not _rules("tests/test_prices.py", TEST + deep, TEST.replace("price(2)", "price(count=2)") + deep)


@pytest.mark.parametrize("kind", sorted(DEPTHS.keys() - {"not"}))
def test_an_example_beside_it_that_wants_something_else_is_found(kind: str) -> None:
    deep = DEPTHS[kind]
    assert _rules("src/prices.py", EXAMPLE + deep, EXAMPLE.replace("    6\n", "    7\n") + deep) == {
        "test.expected-changed"
    }


def test_a_test_of_hundreds_of_branches_is_read_line_by_line() -> None:
    lines = "".join(
        f"    elif way == {number}:\n        assert price({number}) == {number * 3}\n" for number in range(DEEP)
    )
    test = f"def test_price(way):\n    if not way:\n        assert price(0) == 0\n{lines}"
    assert not _rules("tests/test_prices.py", test, f"import prices\n\n\n{test}")
    assert _rules("tests/test_prices.py", test, test.replace("assert price(7) == 21", "pass"))


@pytest.mark.parametrize(
    ("path", "name", "operator"), [("tests/test_a.py", "os._exit", "or"), ("src/a.ts", "((a) => a)", "||")]
)
def test_a_chain_of_a_thousand_operators_takes_seconds(path: str, name: str, operator: str) -> None:
    began = time.process_time()
    _rules(path, "first = 1;\n", f"first = {f' {operator} '.join([name] * 1000)};\n")
    assert time.process_time() - began < 20
