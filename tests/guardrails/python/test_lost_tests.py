"""Tests that no longer run, in every spelling, and the same words where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PRODUCT = {
    "pricing.py": "def total(prices, rate):\n    return sum(prices) * rate\n",
    "stock.py": "class Stock:\n    def count(self, sku):\n        return 0\n",
}
ADDS = "def test_adds_tax():\n    assert total([10, 20], 0.1) == 33.0\n"
NOTHING = "def test_of_nothing():\n    assert total([], 0.1) == 0\n"
HEAD = "import pytest\n\nfrom pricing import total\n\n\n"
FILE = f"{HEAD}{ADDS}\n\n{NOTHING}"
PATH = "tests/test_pricing.py"
CLASS = """import unittest

from stock import Stock


class StockTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(Stock().count("a"), 5)

    def test_missing(self):
        self.assertEqual(Stock().count("zz"), 0)
"""
GONE = {
    "removed": NOTHING,
    "commented out": f"# {ADDS.splitlines()[0]}\n# {ADDS.splitlines()[1]}\n\n\n{NOTHING}",
    "in a string": f'"""\n{ADDS}"""\n\n\n{NOTHING}',
    "in a named string": f"OLD = '''\n{ADDS}'''\n\n\n{NOTHING}",
    "renamed": f"{ADDS.replace('test_', 'check_')}\n\n{NOTHING}",
    "private": f"{ADDS.replace('test_', '_test_')}\n\n{NOTHING}",
    "capital": f"{ADDS.replace('test_', 'Test_')}\n\n{NOTHING}",
    "nested": f"def later():\n    def test_adds_tax():\n        assert total([10, 20], 0.1) == 33.0\n\n\n{NOTHING}",
    "behind False": f"if False:\n    def test_adds_tax():\n        assert total([10, 20], 0.1) == 33.0\n\n\n{NOTHING}",
    "behind type checking": "if TYPE_CHECKING:\n    def test_adds_tax():\n"
    f"        assert total([10, 20], 0.1) == 33.0\n\n\n{NOTHING}",
    "behind main": "if __name__ == '__main__':\n    def test_adds_tax():\n"
    f"        assert total([10, 20], 0.1) == 33.0\n\n\n{NOTHING}",
    "deleted": f"{ADDS}\n\n{NOTHING}\n\ndel test_adds_tax\n",
    "deleted with another": f"x = 1\n{ADDS}\n\n{NOTHING}\n\ndel x, test_adds_tax\n",
    "deleted from globals": f"{ADDS}\n\n{NOTHING}\n\ndel globals()['test_adds_tax']\n",
    "popped": f"{ADDS}\n\n{NOTHING}\n\nglobals().pop('test_adds_tax')\n",
    "popped in a loop": f"{ADDS}\n\n{NOTHING}\n\nfor name in ('test_adds_tax', 'x'):\n    globals().pop(name, None)\n",
    "deleted in a loop": f"{ADDS}\n\n{NOTHING}\n\nfor name in ['test_adds_tax']:\n    del globals()[name]\n",
    "deleted by its beginning": f"{ADDS}\n\n{NOTHING}\n\nfor name in list(globals()):\n"
    "    if name.startswith('test_adds'):\n        del globals()[name]\n",
    "put together": f"{ADDS}\n\n{NOTHING}\n\nfor end in ('adds_tax',):\n    del globals()[f'test_{{end}}']\n",
    "popped by a map": f"{ADDS}\n\n{NOTHING}\n\nlist(map(globals().pop, ['test_adds_tax']))\n",
    "made None in a loop": f"{ADDS}\n\n{NOTHING}\n\nfor name in ('test_adds_tax',):\n    globals()[name] = None\n",
    "made None": f"{ADDS}\n\n{NOTHING}\n\ntest_adds_tax = None\n",
    "made None with a type": f"{ADDS}\n\n{NOTHING}\n\ntest_adds_tax: object = None\n",
    "deleted in a block": f"{ADDS}\n\n{NOTHING}\n\nif True:\n    del test_adds_tax\n",
    "replaced": f"{ADDS}\n\n{NOTHING}\n\ndef test_adds_tax():\n    assert total([10, 20], 0) == 0\n",
    "replaced by the other": f"{ADDS}\n\n{NOTHING.replace('of_nothing', 'adds_tax')}",
    "replaced by a class": f"{ADDS}\n\n{NOTHING}\n\nclass test_adds_tax:\n    pass\n",
    "replaced by an import": f"{ADDS}\n\n{NOTHING}\n\nfrom helpers import test_adds_tax\n",
    "replaced by an alias": f"{ADDS}\n\n{NOTHING}\n\nfrom helpers import nothing as test_adds_tax\n",
    "a fixture": f"@pytest.fixture\n{ADDS}\n\n{NOTHING}",
    "a fixture with brackets": f"@pytest.fixture()\n{ADDS}\n\n{NOTHING}",
    "thrown away": f"@lambda f: None\n{ADDS}\n\n{NOTHING}",
    "a generator": f"{ADDS}    yield\n\n\n{NOTHING}",
    "in a class that is not collected": "class Pricing:\n"
    f"    {ADDS.replace('()', '(self)').replace(chr(10), chr(10) + '    ')}\n\n\n{NOTHING}",
    "in a class with an init": (
        "class TestPricing:\n    def __init__(self):\n        pass\n\n"
        f"    {ADDS.replace('()', '(self)').replace(chr(10), chr(10) + '    ')}\n\n\n{NOTHING}"
    ),
}
KEPT = {
    "order": f"{NOTHING}\n\n{ADDS}",
    "one class": "class TestPricing:\n    def test_adds_tax(self):\n        assert total([10, 20], 0.1) == 33.0\n\n"
    "    def test_of_nothing(self):\n        assert total([], 0.1) == 0\n",
    "merged": "def test_adds_tax():\n    assert total([10, 20], 0.1) == 33.0\n    assert total([], 0.1) == 0\n",
    "parametrized": "@pytest.mark.parametrize('prices, expected', [([10, 20], 33.0), ([], 0)])\n"
    "def test_adds_tax(prices, expected):\n    assert total(prices, 0.1) == expected\n",
    "looped": "def test_adds_tax():\n    for prices, want in [([10, 20], 33.0), ([], 0)]:\n"
    "        assert total(prices, 0.1) == want\n",
    "one more": f"{ADDS}\n\n{NOTHING}\n\ndef test_more():\n    assert total([1], 0) == 1\n",
    "behind a version": "import sys\n\nif sys.version_info >= (3, 9):\n    def test_adds_tax():\n"
    f"        assert total([10, 20], 0.1) == 33.0\n\n\n{NOTHING}",
    "helper": f"def total_of(*prices):\n    return total(list(prices), 0.1)\n\n\n{ADDS}\n\n{NOTHING}",
    "async": f"@pytest.mark.anyio\nasync {ADDS}\n\n{NOTHING}",
    "documented": f"{ADDS.replace(':', ':' + chr(10) + '    # with tax')}\n\n{NOTHING}",
    "typed": f"{ADDS.replace('()', '() -> None')}\n\n{NOTHING}",
    "another name deleted in a loop": f"{ADDS}\n\n{NOTHING}\n\nfor name in ('prices', 'other'):\n"
    "    globals().pop(name, None)\n",
    "helpers deleted": f"{ADDS}\n\n{NOTHING}\n\nfor name in list(globals()):\n"
    "    if not name.startswith('test_'):\n        del globals()[name]\n",
    "looked up": f"{ADDS}\n\n{NOTHING}\n\nfor name in ('test_adds_tax',):\n    print(globals()[name])\n",
    "more made": f"{ADDS}\n\n{NOTHING}\n\nfor name in ('test_one', 'test_two'):\n    globals()[name] = make(name)\n",
    "fixture beside": f"@pytest.fixture\ndef prices():\n    return [10, 20]\n\n\n{ADDS}\n\n{NOTHING}",
    "fixture used": "@pytest.fixture\ndef prices():\n    return [10, 20]\n\n\ndef test_adds_tax(prices):\n"
    f"    assert total(prices, 0.1) == 33.0\n\n\n{NOTHING}",
}


def judged(after: dict[str, str], before: dict[str, str] | None = None) -> str:
    return worst(findings({**PRODUCT, **(before or {PATH: FILE})}, {**PRODUCT, **after}))


@pytest.mark.parametrize("body", GONE.values(), ids=GONE)
def test_a_test_that_no_longer_runs_is_blocked(body: str) -> None:
    assert judged({PATH: HEAD + body}) == "block"


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_test_that_still_runs_is_no_finding(body: str) -> None:
    assert judged({PATH: HEAD + body}) in ("clean", "review")


@pytest.mark.parametrize(
    "body", [KEPT[name] for name in ("order", "one class", "merged", "one more", "typed", "helper")]
)
def test_moving_and_merging_is_nothing_at_all(body: str) -> None:
    assert judged({PATH: HEAD + body}) == "clean"


@pytest.mark.parametrize(
    "path",
    [
        "tests/pricing_checks.py",
        "tests/pricing.py",
        "tests/test_pricing.txt",
        "tests/test_pricing.py.bak",
        ".old/test_pricing.py",
    ],
)
def test_a_file_that_nothing_collects_is_blocked(path: str) -> None:
    assert judged({path: FILE}) == "block"


@pytest.mark.parametrize(
    "path", ["tests/unit/test_pricing.py", "tests/pricing_test.py", "test_pricing.py", "tests/test_total.py"]
)
def test_a_file_that_moves_is_no_finding(path: str) -> None:
    assert judged({path: FILE}) == "clean"


def test_a_file_that_leaves_the_folders_of_tests_is_blocked() -> None:
    settings = {"pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'}
    assert judged({**settings, "attic/test_pricing.py": FILE}, {**settings, PATH: FILE}) == "block"


def test_a_file_that_is_collected_by_the_settings_may_have_any_name() -> None:
    settings = {"pytest.ini": "[pytest]\npython_files = check_*.py\n"}
    assert judged({**settings, "tests/check_pricing.py": FILE}, {**settings, PATH: FILE}) == "clean"


def test_a_deleted_file_is_one_finding_at_its_path() -> None:
    found = findings({**PRODUCT, PATH: FILE}, PRODUCT)
    assert [(each.rule, each.path) for each in found] == [("test.removed", PATH)]


def test_tests_may_go_with_what_they_tested() -> None:
    before = {**PRODUCT, PATH: FILE}
    assert worst(findings(before, {"stock.py": PRODUCT["stock.py"]})) == "review"
    assert (
        worst(findings(before, {"stock.py": PRODUCT["stock.py"], "pricing.py": "def other():\n    return 1\n"}))
        == "review"
    )
    assert worst(findings(before, {"pricing.py": PRODUCT["pricing.py"]})) == "block"


CLASS_GONE = {
    "removed": CLASS.replace('    def test_add(self):\n        self.assertEqual(Stock().count("a"), 5)\n\n', ""),
    "deleted": CLASS + "\n\ndel StockTest.test_add\n",
    "whole class deleted": CLASS + "\n\ndel StockTest\n",
    "made None": CLASS + "\n\nStockTest.test_add = None\n",
    "set to None": CLASS + "\n\nsetattr(StockTest, 'test_add', None)\n",
    "taken off": CLASS + "\n\ndelattr(StockTest, 'test_add')\n",
    "in the class": CLASS + "\n    test_add = None\n",
    "a property": CLASS.replace("    def test_add", "    @property\n    def test_add"),
    "not derived": CLASS.replace("(unittest.TestCase)", ""),
    "twin class": CLASS + "\n\nclass StockTest(unittest.TestCase):\n    def test_missing(self):\n"
    "        self.assertEqual(Stock().count('zz'), 0)\n",
    "twin": CLASS + "\n    def test_add(self):\n        self.assertIsNotNone(Stock())\n",
    "strong twin": CLASS + "\n    def test_add(self):\n        self.assertEqual(Stock().count('x'), 0)\n",
}


@pytest.mark.parametrize("text", CLASS_GONE.values(), ids=CLASS_GONE)
def test_a_method_that_no_longer_runs_is_blocked(text: str) -> None:
    assert judged({"tests/test_stock.py": text}, {"tests/test_stock.py": CLASS}) == "block"


def test_new_names_are_for_a_person() -> None:
    assert judged({PATH: FILE.replace("test_adds_tax", "test_with_tax")}) == "review"
    assert judged({"t/test_stock.py": CLASS.replace("StockTest", "StoreTest")}, {"t/test_stock.py": CLASS}) == "review"


def test_tests_that_are_written_anew_are_for_a_person() -> None:
    anew = (
        HEAD + "class TestTotal:\n    def test_of_two(self):\n        assert total([1, 2], 1) == 6\n"
        "\n    def test_of_one(self):\n        assert total([1], 1) == 2\n"
    )
    assert judged({PATH: anew}) == "review"


def test_weaker_tests_in_their_place_are_not() -> None:
    assert judged({PATH: HEAD + "def test_total():\n    assert total([], 1) is not None\n"}) == "block"
