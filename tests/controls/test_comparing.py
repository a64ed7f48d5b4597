"""The controls that compare two runs: `restored`, `negative` and `suppressions`."""

from __future__ import annotations

import pytest

from ralph.controls import negative, restored, suppressions
from ralph.results import StepResult
from ralph.steps.reports.tests import TestReport
from tests.controls.runs import PATH, known_tests, run

BODY = "def test_a():\n    assert f(1) == 1\n"
OTHER = "\n\ndef test_b():\n    assert f(2) == 2\n"
BASE = {"src/a.py": "def f(x):\n    return x\n", PATH: BODY + OTHER}
EDITED = {**BASE, PATH: BODY.replace("1) == 1", "3) == 3") + OTHER}

RESTORED = {
    "all agree": (BASE, run("test_a", "test_b"), run("test_a", "test_b"), "held"),
    "a test needs the change": (BASE, run("test_a", "test_b"), run("-test_a", "test_b"), "broken"),
    "a rewritten test needs the change": (EDITED, run("test_a", "test_b"), run("-test_a", "test_b"), "open"),
    "its neighbour does": (EDITED, run("test_a", "test_b"), run("test_a", "-test_b"), "broken"),
    "a fixture is missing": (BASE, run("test_a", "test_b"), run("!test_a", "test_b"), "open"),
    "it is not collected": (BASE, run("test_a", "test_b"), run("test_a"), "open"),
    "nothing runs": (BASE, run("test_a", "test_b"), run(), "open"),
    "a failing test was kept away": (BASE, run("test_a"), run("test_a", "-test_b"), "broken"),
    "a failing test was skipped": (BASE, run("test_a", "~test_b"), run("test_a", "-test_b"), "broken"),
    "it fails in a plain copy as well": (BASE, run("test_a", "test_b"), run("test_a", "-test_b"), "open"),
}


@pytest.mark.parametrize("name", RESTORED)
def test_restored(name: str) -> None:
    head, here, there, status = RESTORED[name]
    tests, places = known_tests(BASE, head)
    copy = run("test_a", "-test_b") if "plain copy" in name else here
    found = restored.judge(["conftest.py"], here=here, copy=copy, there=there, tests=tests, places=places)
    assert found.status == status, found
    assert "conftest.py" in (found.reason or "")


def interesting(head: dict[str, str], here: TestReport) -> list[str]:
    tests, places = known_tests(BASE, head)
    return [test.rpartition("::")[2] for test in negative.of_interest(tests, here, run("test_a", "test_b"), places)]


def test_new_and_changed_tests_are_of_interest() -> None:
    here = run("test_a", "test_b", "test_c[1]", "-test_d")
    more = {**EDITED, PATH: EDITED[PATH] + "\n\ndef test_c():\n    assert f(4) == 4\n"}
    assert interesting(more, here) == ["test_a", "test_c[1]"]
    assert interesting(BASE, run("test_a", "test_b")) == []
    assert interesting(BASE, run("pkg::TestA", "pkg::TestB")) == ["TestA", "TestB"]


def test_what_only_stands_beside_a_change_is_not() -> None:
    beside = {**BASE, PATH: "LIMIT = 3\n\n\n" + BASE[PATH]}
    assert interesting(beside, run("test_a", "test_b")) == []


def test_negative() -> None:
    ids = list(run("test_a", "test_b").passed)
    assert negative.judge([], run()).status == "idle"
    assert negative.judge(ids, run("-test_a", "!test_b")).status == "held"
    assert negative.judge(ids, run()).status == "held"
    one = negative.judge(ids, run("test_a", "-test_b"))
    assert (one.status, one.details) == ("broken", (f"{PATH}::test_a",))
    assert "all pass" in (negative.judge(ids, run("test_a", "test_b")).reason or "")


def lint(errors: int | None, *failures: str) -> StepResult:
    counts = {} if errors is None else {"errors": errors}
    return StepResult(name="lint", status="pass", counts=counts, failures=failures, reason=None)


def test_suppressions() -> None:
    clean, one, two = lint(0), lint(1, "a.py: F401 x"), lint(2, "a.py: F401 x", "b.py: F841 y")
    assert suppressions.judge(clean, clean, clean, clean).status == "held"
    assert suppressions.judge(clean, one, clean, one).status == "held"
    assert suppressions.judge(clean, one, clean, two).status == "held"
    found = suppressions.judge(clean, two, clean, one)
    assert (found.status, found.details) == ("broken", ("b.py: F841 y",))
    assert suppressions.judge(one, one, clean, clean).status == "held"
    assert suppressions.judge(clean, one, one, one).status == "broken"


@pytest.mark.parametrize("which", range(1, 4))
def test_a_linter_that_counted_nothing(which: int) -> None:
    results = [lint(0)] * 4
    results[which] = lint(None)
    assert suppressions.judge(*results).status == "open"
