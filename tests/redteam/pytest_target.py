"""The project that pytest attacks are aimed at: two of its five tests fail once its source is broken."""

from __future__ import annotations

from tests.redteam.project import Target

GOOD_SOURCE = """\
def total(prices, discount=0):
    return sum(prices) - discount


def average(prices, discount=0):
    if not prices:
        raise ValueError("no prices")
    return total(prices, discount) / len(prices)
"""
BROKEN_SOURCE = GOOD_SOURCE.replace("sum(prices) - discount", "sum(prices)")

HEAD = """\
import pytest
from shop.prices import average, total


"""
TOTAL = """\
def test_total():
    assert total([1, 2, 3]) == 6


"""
DISCOUNT = """\
def test_discount():
    assert total([5, 5], discount=2) == 8


"""
AVERAGE = """\
def test_average():
    assert average([2, 4], discount=2) == 2


"""
NO_PRICES = """\
def test_no_prices():
    with pytest.raises(ValueError):
        average([])
"""
TESTS = HEAD + TOTAL + DISCOUNT + AVERAGE + NO_PRICES
NAMES = """\
from shop.names import title


def test_title():
    assert title("red tea") == "Red Tea"
"""
CHEAPEST = "\n\ndef test_cheapest():\n    from shop.prices import cheapest\n\n    assert cheapest([3, 1, 2]) == 1\n"
PYPROJECT = '[tool.pytest.ini_options]\npythonpath = ["src"]\n'

QUICK = "-q -p no:cacheprovider -p no:hypothesispytest -p no:xdist -p no:xdist.looponfail -p no:pytest_cov"
"""Without the plugins of the environment, which take longer to load than the tests to run."""

GOOD_CHANGE = GOOD_SOURCE + "\n\ndef cheapest(prices):\n    return min(prices)\n"

P, T = "src/shop/prices.py", "tests/test_prices.py"

SHOP = Target(
    language="python",
    command=f"pytest {QUICK}",
    runner="pytest",
    base={
        "pyproject.toml": PYPROJECT,
        "src/shop/__init__.py": "",
        P: GOOD_SOURCE,
        "src/shop/names.py": "def title(text):\n    return text.title()\n",
        T: TESTS,
        "tests/test_names.py": NAMES,
    },
    broken={P: BROKEN_SOURCE},
    good={P: GOOD_CHANGE, T: TESTS + CHEAPEST},
)
