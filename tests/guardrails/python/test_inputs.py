"""Tests that ask something else, in another order, or that became a table without one of their cases."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PRODUCT = "def weight(kilos):\n    return int(kilos)\n\n\ndef slug(text):\n    return text\n"
HEAD = "import pytest\n\nfrom parcel import slug, tags, weight\n\n\n"
PATH = "tests/test_parcel.py"


def judged(before: str, after: str, product: str = PRODUCT) -> str:
    return worst(findings({"parcel.py": PRODUCT, PATH: HEAD + before}, {"parcel.py": product, PATH: HEAD + after}))


def asserts(what: str) -> str:
    return f"def test_it():\n    assert {what}\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("weight(2.1) == 3", "weight(3.0) == 3", "block"),
        ("weight(2.1) == 3", "weight(3) == 3", "block"),
        ("slug('A b') == 'a-b'", "slug('a-b') == 'a-b'", "block"),
        ("weight(2.1) == 3", "weight(2.6) == 3", "block"),
        ("weight(3) == 3", "weight(2.1) == 3", "review"),
        ("weight(0.4) == 1", "weight(1) == 1", "block"),
        ("weight(2.1) == 3", "weight(0) == 0", "block"),
        ("weight(2.1) == 3", "weight(4.2) == 5", "review"),
        ("tags('a') == []", "tags('b') == []", "review"),
        ("weight(2.1) == 3", "weight(2.1, 3) == 3", "clean"),
        ("weight(2.1) == 3", "weight(kilos=2.1) == 3", "clean"),
    ],
)
def test_another_input(before: str, after: str, expected: str) -> None:
    assert judged(asserts(before), asserts(after)) == expected


def test_with_the_product_the_input_may_change() -> None:
    product = PRODUCT.replace("int(kilos)", "round(kilos)")
    assert judged(asserts("weight(2.1) == 3"), asserts("weight(2.6) == 3"), product) == "clean"


def test_assertions_in_another_order_are_the_same() -> None:
    one, two = "    assert weight(2.1) == 3\n", "    assert weight(2.6) == 3\n"
    assert judged(f"def test_it():\n{one}{two}", f"def test_it():\n{two}{one}") == "clean"


ROWS = (
    '@pytest.mark.parametrize("kilos, expected", [{}])\ndef test_it(kilos, expected):\n'
    "    assert weight(kilos) == expected\n"
)


@pytest.mark.parametrize(
    ("rows", "expected"), [("(3.0, 3), (4, 4)", "block"), ("(2.6, 3), (4, 4)", "review"), ("(4, 4), (2.1, 3)", "clean")]
)
def test_a_row_may_not_give_its_answer(rows: str, expected: str) -> None:
    assert judged(ROWS.format("(2.1, 3), (4, 4)"), ROWS.format(rows)) == expected


ORDERED = "def {}():\n    assert tags('b a') == ['a', 'b']\n"


@pytest.mark.parametrize(
    ("name", "asserted", "expected"),
    [
        ("test_tags_are_sorted", "set(tags('b a')) == {'a', 'b'}", "block"),
        ("test_newest_first", "sorted(tags('b a')) == ['a', 'b']", "block"),
        ("test_tags", "sorted(tags('b a')) == ['a', 'b']", "review"),
        ("test_orders", "set(tags('b a')) == {'a', 'b'}", "review"),
        ("test_tags_are_sorted", "list(tags('b a')) == ['a', 'b']", "clean"),
        ("test_tags_are_sorted", "tags('b a') == ['a', 'b'], 'sorted'", "clean"),
    ],
)
def test_order_may_not_be_lost_where_it_is_the_subject(name: str, asserted: str, expected: str) -> None:
    assert judged(ORDERED.format(name), f"def {name}():\n    assert {asserted}\n") == expected


def test_order_comes_back() -> None:
    before = "def test_tags_are_sorted():\n    assert sorted(tags('b a')) == ['a', 'b']\n"
    assert judged(before, ORDERED.format("test_tags_are_sorted")) == "clean"


CASE = (
    "import unittest\n\n\nclass TagsTest(unittest.TestCase):\n    def test_tags_sorted(self):\n"
    "        self.{}(tags('b a'), ['a', 'b'])\n"
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("assertEqual", "assertCountEqual", "block"),
        ("assertCountEqual", "assertEqual", "clean"),
        ("assertListEqual", "assertEqual", "clean"),
    ],
)
def test_order_in_the_words_of_unittest(before: str, after: str, expected: str) -> None:
    assert judged(CASE.format(before), CASE.format(after)) == expected


PLAIN = (
    "def test_rounds_up():\n    assert weight(2.1) == 3\n\n\ndef test_whole():\n    assert weight(4) == 4\n\n\n"
    "def test_slug():\n    assert slug('A b') == 'a-b'\n"
)
TABLE = (
    '@pytest.mark.parametrize("kilos, expected", [{}])\ndef test_weight(kilos, expected):\n'
    "    assert weight(kilos) == expected\n\n\ndef test_slug():\n    assert slug('A b') == 'a-b'\n"
)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("(4, 4), (1, 1)", "block"),
        ("(4, 4), (3, 3)", "block"),
        ("(4, 4), (2.1, 3)", "review"),
        ("(2.1, 3), (4, 4), (7.5, 8)", "clean"),
    ],
)
def test_tests_that_are_joined_keep_their_examples(rows: str, expected: str) -> None:
    assert judged(PLAIN, TABLE.format(rows)) == expected
