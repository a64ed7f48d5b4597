"""Tests whose cases stand in a table: written in the mark, under a name, in a dictionary, or made up by a library."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PRODUCT = {"slug.py": "def slug(text):\n    return text.lower()\n"}
HEAD = "import pytest\n\nfrom slug import slug\n\n"
ROWS = '("One", "one"),\n    ("Two Words", "two-words"),\n    ("Ünder", "under"),\n'
MARK = '\n\n@pytest.mark.parametrize("text, expected", {})\ndef test_slug(text, expected):\n'
TEST = "    assert slug(text) == expected\n"
NAMED = f"CASES = [\n    {ROWS}]\n{MARK.format('CASES')}{TEST}"
SPELLINGS = {
    "list": NAMED,
    "tuple": NAMED.replace("[\n", "(\n").replace("\n]", "\n)"),
    "typed": NAMED.replace("CASES =", "CASES: list[tuple[str, str]] ="),
    "param": NAMED.replace('("Two Words", "two-words")', 'pytest.param("Two Words", "two-words", id="two")'),
    "keyword": NAMED.replace(", CASES)", ", argvalues=CASES)"),
    "copied": NAMED.replace(", CASES)", ", list(CASES))"),
    "dictionary": 'CASES = {\n    "One": "one",\n    "Two Words": "two-words",\n    "Ünder": "under",\n}\n'
    f"{MARK.format('CASES.items()')}{TEST}",
    "loop": f"CASES = [\n    {ROWS}]\n\n\ndef test_slug():\n    for text, expected in CASES:\n    {TEST}",
}
LEFT_OUT = {
    "by a condition": NAMED.replace(", CASES)", ", [case for case in CASES if case[0] != 'One'])"),
    "by a slice": NAMED.replace(", CASES)", ", CASES[:2])"),
    "in a comment": NAMED.replace('    ("Two', '    # ("Two'),
}
LOST = {
    "tuple row": ('    ("Two Words", "two-words"),\n', ""),
    "param row": ('    pytest.param("Two Words", "two-words", id="two"),\n', ""),
    "entry": ('    "Two Words": "two-words",\n', ""),
}
MADE = {
    "appended": f'CASES = [\n    {ROWS}]\nCASES.append(("Three", "three"))\n{MARK.format("CASES")}{TEST}',
    "extended": f'CASES = [\n    {ROWS}]\nCASES += [("Three", "three")]\n{MARK.format("CASES")}{TEST}',
    "computed": f"CASES = [(each, each.lower()) for each in WORDS]\n{MARK.format('CASES')}{TEST}",
    "in the mark": MARK.format(f"[{ROWS.strip()}]").lstrip() + TEST,
    "row that is a test of its own": NAMED.replace('    ("Two Words", "two-words"),\n', "")
    + '\n\ndef test_two():\n    assert slug("Two Words") == "two-words"\n',
    "two tables": NAMED.replace('    ("Ünder", "under"),\n', "")
    + f'\n\nMORE = [("Ünder", "under")]\n{MARK.format("MORE").replace("test_slug", "test_more")}{TEST}',
    "longer": NAMED.replace("\n]", '\n    ("Three", "three"),\n]'),
    "renamed": NAMED.replace("CASES", "SLUGS"),
    "another order": NAMED.replace('    ("Two Words", "two-words"),\n', "").replace(
        "\n]", '\n    ("Two Words", "two-words"),\n]'
    ),
}
LOOP = 'def test_slug():\n    for text in ("a", "b c", ""):\n        assert slug(slug(text)) == slug(text)\n'
GIVEN = (
    "from hypothesis import example, given\nfrom hypothesis import strategies as st\n\n\n{}"
    "def test_slug(text):\n    assert slug(slug(text)) == slug(text)\n"
)


def judged(before: str, after: str) -> str:
    path = "tests/test_slug.py"
    return worst(findings({**PRODUCT, path: HEAD + before}, {**PRODUCT, path: HEAD + after}))


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_a_row_that_is_gone_blocks_wherever_the_table_stands(text: str) -> None:
    shorter = text
    for row, nothing in LOST.values():
        shorter = shorter.replace(row, nothing)
    assert shorter != text
    assert judged(text, shorter) == "block"
    assert judged(shorter, text) == "clean"


@pytest.mark.parametrize("text", LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_row_that_is_left_out_is_gone(text: str) -> None:
    assert judged(NAMED, text) == "block"


def test_a_row_that_wants_what_the_code_gives_blocks() -> None:
    assert judged(NAMED, NAMED.replace('"two-words"', '"two words"')) == "block"


@pytest.mark.parametrize("text", MADE.values(), ids=MADE)
def test_a_table_with_as_many_rows_is_no_finding(text: str) -> None:
    assert judged(NAMED, text) == "clean"


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ('@given(st.text())\n@example("a")\n@example("b c")\n@example("")\n', "clean"),
        ("@given(st.text())\n", "clean"),
        ('@given(st.just("a"))\n', "block"),
    ],
)
def test_examples_become_a_property(marks: str, expected: str) -> None:
    assert judged(LOOP, GIVEN.format(marks)) == expected


RAISES = 'def test_refuses():\n    with pytest.raises(ValueError{}):\n        slug("")\n'


@pytest.mark.parametrize(
    "pattern", [".*", "^.*$", "", r"[\s\S]*", "(?s).*", r".+", r"\w*", "(.*)", "empty|", "(empty)?", "$"]
)
def test_a_pattern_that_fits_every_message_is_none(pattern: str) -> None:
    before = RAISES.format(', match="empty text"')
    assert judged(before, RAISES.format(f', match=r"{pattern}"')) == "block"
    assert judged(before, RAISES.format("")) == "block"
    assert judged(RAISES.format(""), RAISES.format(f', match=r"{pattern}"')) == "clean"


@pytest.mark.parametrize(
    ("pattern", "expected"), [("^empty text", "clean"), ("empty text$", "clean"), ("empty text|", "block")]
)
def test_a_pattern_may_say_more(pattern: str, expected: str) -> None:
    before = RAISES.format(', match="empty text"')
    assert judged(before, RAISES.format(f', match=r"{pattern}"')) == expected


CLASS = (
    "import unittest\n{imports}\nfrom slug import slug\n\n\nclass SlugTest({base}):\n"
    '    {how}def test_slug(self):\n        self.assertEqual(slug("A"), "a")\n'
)


@pytest.mark.parametrize(
    ("base", "imports", "expected"),
    [
        ("unittest.TestCase", "", "block"),
        ("TestCase", "from unittest import TestCase\n", "block"),
        ("unittest.IsolatedAsyncioTestCase", "", "clean"),
        ("TestCase", "from django.test import TestCase\n", "clean"),
        ("AsyncHTTPTestCase", "from tornado.testing import AsyncHTTPTestCase\n", "clean"),
    ],
)
def test_a_coroutine_in_a_plain_class_is_never_run(base: str, imports: str, expected: str) -> None:
    before, after = (CLASS.format(base=base, imports=imports, how=how) for how in ("", "async "))
    path = "tests/test_slug.py"
    assert worst(findings({**PRODUCT, path: before}, {**PRODUCT, path: after})) == expected


def test_coroutines_whose_class_no_longer_runs_them_block() -> None:
    before, after = (
        CLASS.format(base=f"unittest.{base}", imports="", how="async ")
        for base in ("IsolatedAsyncioTestCase", "TestCase")
    )
    path = "tests/test_slug.py"
    assert worst(findings({**PRODUCT, path: before}, {**PRODUCT, path: after})) == "block"
    assert worst(findings({**PRODUCT, path: after}, {**PRODUCT, path: before})) == "clean"
