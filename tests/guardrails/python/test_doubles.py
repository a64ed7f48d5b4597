"""Tests that look at what they replace themselves, and honest doubles."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PRODUCT = {
    "pricing.py": "def total(prices, rate):\n    return sum(prices) * rate\n",
    "stock.py": "import time\n\n\nclass Stock:\n    def count(self, sku):\n        return 0\n\n"
    "    def add(self, sku):\n        pass\n",
}
HEAD = (
    "import time\nfrom unittest import mock\nfrom unittest.mock import Mock, patch\n\nimport pricing\nimport pytest\n"
    "from pricing import total\nfrom stock import Stock\n\n\n"
)
BEFORE = (
    f"{HEAD}def test_total():\n    assert total([1], 2) == 4\n\n\ndef test_count():\n"
    "    assert Stock().count('a') == 5\n"
)
TOTAL, COUNT = (
    "def test_total():\n    assert total([1], 2) == 4\n",
    "def test_count():\n    assert Stock().count('a') == 5\n",
)
FAKED = {
    "decorator": f"{TOTAL}\n\n@patch.object(Stock, 'count', return_value=5)\n{COUNT.replace('()', '(_)', 1)}",
    "class decorator's new": f"{TOTAL}\n\n@patch.object(Stock, 'count', lambda self, sku: 5)\n{COUNT}",
    "by path": f"{TOTAL}\n\n@mock.patch('stock.Stock.count', return_value=5)\n{COUNT.replace('()', '(_)', 1)}",
    "with": f"{TOTAL}\n\ndef test_count():\n    with patch('stock.Stock.count', return_value=5):\n"
    "        assert Stock().count('a') == 5\n",
    "mocker": f"{TOTAL}\n\ndef test_count(mocker):\n"
    "    mocker.patch('stock.Stock.count', return_value=5)\n"
    "    assert Stock().count('a') == 5\n",
    "mocker on object": f"{TOTAL}\n\ndef test_count(mocker):\n"
    "    mocker.patch.object(Stock, 'count', return_value=5)\n"
    "    assert Stock().count('a') == 5\n",
    "monkeypatch": f"{TOTAL}\n\ndef test_count(monkeypatch):\n"
    "    monkeypatch.setattr(Stock, 'count', lambda *a: 5)\n"
    "    assert Stock().count('a') == 5\n",
    "monkeypatch by path": f"{TOTAL}\n\ndef test_count(monkeypatch):\n"
    "    monkeypatch.setattr('stock.Stock.count', lambda *a: 5)\n"
    "    assert Stock().count('a') == 5\n",
    "setattr": f"{TOTAL}\n\ndef test_count():\n    setattr(Stock, 'count', lambda *a: 5)\n"
    "    assert Stock().count('a') == 5\n",
    "assigned": f"{TOTAL}\n\ndef test_count():\n    Stock.count = lambda *a: 5\n    assert Stock().count('a') == 5\n",
    "assigned on an object": f"{TOTAL}\n\ndef test_count():\n    s = Stock()\n    s.count = Mock(return_value=5)\n"
    "    assert s.count('a') == 5\n",
    "assigned in the module": "pricing.total = lambda *a: 4\n\n\ndef test_total():\n"
    f"    assert pricing.total([1], 2) == 4\n\n\n{COUNT}",
    "name in the module": f"total = Mock(return_value=4)\n\n\n{TOTAL}\n\n{COUNT}",
    "own function": f"def total(prices, rate):\n    return 4\n\n\n{TOTAL}\n\n{COUNT}",
    "own nested function": "def test_total():\n    def total(prices, rate):\n        return 4\n"
    f"    assert total([1], 2) == 4\n\n\n{COUNT}",
    "own class": f"class Stock:\n    def count(self, sku):\n        return 5\n\n\n{TOTAL}\n\n{COUNT}",
    "autouse": "@pytest.fixture(autouse=True)\ndef fake(monkeypatch):\n"
    f"    monkeypatch.setattr(Stock, 'count', lambda *a: 5)\n\n\n{TOTAL}\n\n{COUNT}",
    "in a class": (
        f"{TOTAL}\n\n@patch.object(Stock, 'count', return_value=5)\nclass TestCount:\n"
        "    def test_count(self, _):\n        assert Stock().count('a') == 5\n"
    ),
}
HONEST = {
    "collaborator": f"{TOTAL}\n\ndef test_count():\n    with patch('stock.time.time', return_value=1):\n"
    "        assert Stock().count('a') == 5\n",
    "system": f"{TOTAL}\n\ndef test_count(monkeypatch):\n"
    "    monkeypatch.setattr(time, 'time', lambda: 1)\n"
    "    assert Stock().count('a') == 5\n",
    "other method": f"{TOTAL}\n\n@patch.object(Stock, 'add')\n{COUNT.replace('()', '(add)', 1)}",
    "spy": f"{TOTAL}\n\ndef test_count():\n"
    "    with patch.object(Stock, 'count', wraps=Stock().count) as spy:\n"
    "        assert Stock().count('a') == 5\n",
    "calls": f"{TOTAL}\n\n{COUNT}\n\ndef test_adds():\n    add = Mock()\n    add('a')\n"
    "    add.assert_called_once_with('a')\n",
    "environment": f"{TOTAL}\n\ndef test_count(monkeypatch):\n    monkeypatch.setenv('COUNT', '5')\n"
    "    assert Stock().count('a') == 5\n",
    "helper": f"def stock():\n    return Stock()\n\n\n{TOTAL}\n\ndef test_count():\n"
    "    assert stock().count('a') == 5\n",
}


def judged(text: str) -> str:
    path = "tests/test_it.py"
    return worst(findings({**PRODUCT, path: BEFORE}, {**PRODUCT, path: HEAD + text}))


@pytest.mark.parametrize("text", FAKED.values(), ids=FAKED)
def test_a_faked_subject_is_blocked(text: str) -> None:
    assert judged(text) == "block"


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_an_honest_double_is_no_finding(text: str) -> None:
    assert judged(text) == "clean"


def test_a_new_test_of_what_it_fakes_is_for_a_person() -> None:
    fake = "@patch.object(Stock, 'add', return_value=3)\ndef test_new(_):\n    assert Stock().add('a') == 3\n"
    assert judged(f"{TOTAL}\n\n{COUNT}\n\n{fake}") == "review"
