"""The inventory never fails, whatever the text; what only moves alarms nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.guardrails.python.judge import findings, rules, worst
from tests.guardrails.python.weakenings import BLOCK, CLEAN, HEAD, REVIEW

LINES = [line for body in (*BLOCK.values(), *CLEAN.values(), *REVIEW.values()) for line in body.splitlines()]
PIECES = [
    *LINES,
    "def test_a():",
    "class TestA:",
    "@pytest.mark.parametrize('x', [1])",
    '"""',
    "(",
    "x = [",
    "\\",
    "\tpass",
    "\x0c",
]
PATH = "tests/test_a.py"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_soup_of_lines_can_be_compared(before: list[str], after: list[str]) -> None:
    found = findings({PATH: "\n".join(["def test_x():", *before])}, {PATH: "\n".join(["def test_x():", *after])})
    assert not [finding for finding in found if "comparing the two trees failed" in finding.reason]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="deftsx_()[]{}:=.,'\"#\n \\@0é", max_size=80), st.text(max_size=40))
def test_any_text_can_be_compared(before: str, after: str) -> None:
    found = findings({PATH: f"def test_x():\n    {before}"}, {PATH: f"def test_x():\n    {after}"})
    assert not [finding for finding in found if "comparing the two trees failed" in finding.reason]


def written(bodies: dict[str, str]) -> list[str]:
    return [f"def test_{number}():\n{body}" for number, body in enumerate(bodies.values())]


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_order_files_and_classes_are_nothing(chance: random.Random, classes: bool) -> None:
    parts = written(
        {name: CLEAN[name] for name in ("yoda", "variable", "message", "loop", "one more", "nested and called")}
    )
    before = HEAD + "\n\n".join(parts)
    chance.shuffle(parts)
    cut = chance.randrange(len(parts))
    if classes:
        indented = [
            "\n".join(f"    {line}" for line in each.replace("()", "(self)", 1).splitlines()) for each in parts[cut:]
        ]
        after = {PATH: HEAD + "\n\n".join([*parts[:cut], "class TestAll:\n" + "\n\n".join(indented)])}
    else:
        after = {PATH: HEAD + "\n\n".join(parts[:cut]), "tests/test_b.py": HEAD + "\n\n".join(parts[cut:])}
    assert worst(findings({PATH: before}, after)) == "clean"


@pytest.mark.parametrize(
    "text", ["def test_a():\n    assert " + "(" * 300 + "1", "def test_a():\n    assert " + "-" * 3000 + "1 == 2\n"]
)
def test_deep_expressions_are_compared(text: str) -> None:
    assert findings({PATH: text}, {PATH: text + "\n\ndef test_b():\n    assert f() == 1\n"}) == ()


def test_new_syntax_is_compared_line_by_line() -> None:
    new = "def test_a():\n    type X = int\n    assert f(1) == 1\n    assert f(2) == 2\n"
    assert "test.assertion-removed" in rules(new, new.replace("    assert f(2) == 2\n", ""))
    assert rules(new, new.replace("type X", "type Y")) == set()


def test_one_test_of_many_is_missed() -> None:
    tests = [
        f"def test_{number}():\n    assert f({number}) == {number}\n    assert g({number})\n" for number in range(300)
    ]
    assert "test.removed" in rules("\n".join(tests), "\n".join(tests[:-1]))
