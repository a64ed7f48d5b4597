"""The control `former`: a changed test that asks nothing of the change holds as it stood."""

from __future__ import annotations

import pytest

from ralph.controls import former
from ralph.steps.reports.tests import TestReport
from tests.controls.runs import PATH, known_tests, run

SOURCE = {"src/a.py": "def first(x):\n    return x\n\n\ndef other(x):\n    return x\n"}
A, B = "def test_a():\n    assert first(1) == 1\n", "def test_b():\n    assert first(2) == 2\n"
BASE = {**SOURCE, PATH: f"{A}\n\n{B}"}
WEAKER = {**BASE, PATH: f"{A.replace('== 1', '> 0')}\n\n{B}"}
RENAMED = {**BASE, PATH: f"{A.replace('test_a', 'test_one').replace('== 1', '> 0')}\n\n{B}"}
LED_AWAY = {"src/a.py": "def other(x):\n    return x\n", PATH: BASE[PATH].replace("first", "other")}

SUSPECTS = {
    "a changed test that passes there": (WEAKER, run("test_a", "test_b"), run("test_a"), ["test_a"]),
    "a changed test that fails there": (WEAKER, run("test_a", "test_b"), run("-test_a"), []),
    "one that cannot be loaded there": (WEAKER, run("test_a", "test_b"), run(), []),
    "an untouched test": (BASE, run("test_a", "test_b"), run("test_a", "test_b"), []),
    "a renamed test": (RENAMED, run("test_one", "test_b"), run("test_one"), ["test_a"]),
    "one case of it fails there": (WEAKER, run("test_a[1]", "test_a[2]"), run("test_a[1]", "-test_a[2]"), []),
    "one that fails now": (WEAKER, run("-test_a", "test_b"), run("test_a"), []),
}


@pytest.mark.parametrize("name", SUSPECTS)
def test_who_is_suspected(name: str) -> None:
    head, here, there, expected = SUSPECTS[name]
    tests, places = known_tests(BASE, head)
    found = former.suspects(tests, here, run("test_a", "test_b"), there, places)
    assert [each.rpartition("::")[2] for each in found] == expected


def test_a_test_that_failed_on_the_base_is_not() -> None:
    tests, places = known_tests(BASE, WEAKER)
    assert former.suspects(tests, run("test_a"), run("-test_a", "test_b"), run("test_a"), places) == []


ERRED = TestReport(failed=(f"{PATH}::test_a",), erred=(f"{PATH}::test_a",))
JUDGED = {
    "it holds as it stood": (WEAKER, run("test_a"), "held"),
    "it fails as it stood": (WEAKER, run("-test_a"), "broken"),
    "a test of another name now": (RENAMED, run("-test_a"), "broken"),
    "it asks for what is not there": (WEAKER, ERRED, "open"),
    "its file cannot be loaded": (WEAKER, run(), "open"),
    "what it spoke of is gone": (LED_AWAY, run("-test_a"), "open"),
}


@pytest.mark.parametrize("name", JUDGED)
def test_judged(name: str) -> None:
    head, there, status = JUDGED[name]
    tests, places = known_tests(BASE, head)
    found = former.judge([f"{PATH}::test_a"], there, tests, places)
    assert (found.status, "test_a" in (found.reason or "")) == (status, status != "held")
