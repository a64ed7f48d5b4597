"""The tests that ran on the base, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ralph.controls.inventory import judge, unchanged
from ralph.steps.reports.tests import TestReport
from tests.controls.runs import PATH, known_tests, run

SOURCE = {"src/a.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"}
ADD = "def test_add():\n    assert add(1, 2) == 3\n"
SUB = "def test_sub():\n    assert sub(3, 2) == 1\n"
HEAD = "from a import add, sub\n\n\n"
BASE = {**SOURCE, PATH: HEAD + ADD + "\n\n" + SUB}

KEPT: dict[str, tuple[Mapping[str, str], TestReport, str]] = {
    "nothing happened": (BASE, run("test_add", "test_sub"), ""),
    "a test more": ({**BASE, PATH: BASE[PATH] + "\n\ndef test_more():\n    assert add(1, 1) == 2\n"},
                    run("test_add", "test_sub", "test_more"), ""),
    "another file": ({**SOURCE, PATH: HEAD + ADD, "tests/test_b.py": HEAD + SUB},
                     run("test_add", "tests/test_b.py::test_sub"), "runs in another file"),
    "another name": ({**SOURCE, PATH: HEAD + ADD + "\n\n" + SUB.replace("test_sub", "test_difference")},
                     run("test_add", "test_difference"), "runs as test_difference"),
    "wrapped in a class": (
        {**SOURCE, PATH: HEAD + ADD + "\n\nclass TestSub:\n    def test_sub(self):\n        assert sub(3, 2) == 1\n"},
        run("test_add", f"{PATH}::TestSub::test_sub"), "runs as TestSub > test_sub",
    ),
    "parameters": (
        {**SOURCE, PATH: HEAD.replace("from", "import pytest\nfrom") + ADD
         + "\n\n@pytest.mark.parametrize('a', [3, 4])\ndef test_sub(a):\n    assert sub(a, 2) == a - 2\n"},
        run("test_add", "test_sub[3]", "test_sub[4]"), "runs with parameters now",
    ),
    "two tests become one": (
        {**SOURCE, PATH: HEAD + "def test_both():\n    assert add(1, 2) == 3\n    assert sub(3, 2) == 1\n"},
        run("test_both"), "test_sub: its assertions stand in other tests",
    ),
    "what it tested is gone": (
        {"src/a.py": SOURCE["src/a.py"].partition("\n\n\ndef sub")[0] + "\n", PATH: HEAD.replace(", sub", "") + ADD},
        run("test_add"), "test_sub: what it tested is gone",
    ),
    "a new test is skipped": ({**BASE, PATH: BASE[PATH] + "\n\ndef test_more():\n    assert add(1, 1) == 2\n"},
                              run("test_add", "test_sub", "~test_more"), "test_more: new, and skipped"),
    "it fails": (BASE, run("test_add", "-test_sub"), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    head, now, told = KEPT[name]
    tests, places = known_tests(BASE, head)
    found = judge(run("test_add", "test_sub"), now, tests, places)
    assert found.status == "held", found
    assert found.reason == "2 tests of the base"
    assert told in "\n".join(found.details)
    assert bool(found.details) == bool(told)


LOST: dict[str, tuple[Mapping[str, str], TestReport]] = {
    "deselected": (BASE, run("test_add")),
    "skipped": (BASE, run("test_add", "~test_sub")),
    "deleted": ({**SOURCE, PATH: HEAD + ADD}, run("test_add")),
    "deleted with another more": (
        {**SOURCE, PATH: HEAD + ADD + "\n\ndef test_more():\n    assert add(1, 1) == 2\n"},
        run("test_add", "test_more"),
    ),
    "renamed and not run": (
        {**SOURCE, PATH: HEAD + ADD + "\n\n" + SUB.replace("test_sub", "test_difference")}, run("test_add"),
    ),
    "moved and not run": ({**SOURCE, PATH: HEAD + ADD, "tests/test_b.py": HEAD + SUB}, run("test_add")),
    "moved and skipped": (
        {**SOURCE, PATH: HEAD + ADD, "tests/test_b.py": HEAD + SUB}, run("test_add", "~tests/test_b.py::test_sub"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOST)
def test_lost(name: str) -> None:
    head, now = LOST[name]
    tests, places = known_tests(BASE, head)
    found = judge(run("test_add", "test_sub"), now, tests, places)
    assert found.status == "broken", found
    assert f"{PATH}::test_sub" in (found.reason or "")


def test_cases_are_counted() -> None:
    tests, places = known_tests(BASE, {**BASE, PATH: BASE[PATH] + "# edited\n"})
    before = run("test_x[1]", "test_x[2]")
    assert judge(before, run("test_x[1]", "test_x[3]"), tests, places).status == "held"
    assert judge(before, run("test_x[1]"), tests, places).status == "broken"
    assert judge(before, run("test_x"), tests, places).status == "broken"


def test_the_same_name_in_another_file_answers_for_one_test_only() -> None:
    tests, places = known_tests(BASE, BASE)
    before = run("tests/x.py::test_a", "tests/y.py::test_a", "tests/z.py::test_a")
    now = run("tests/x.py::test_a", "tests/new.py::test_a")
    found = judge(before, now, tests, places)
    assert (found.reason or "").startswith("1 test of the base did not run")


def test_ids_without_files() -> None:
    """A report of Go or of an unknown runner: moved tests are still found, others count as missing."""
    tests, places = known_tests(BASE, BASE)
    before = run("example.com/a::TestX", "example.com/a::TestY")
    assert judge(before, run("example.com/b::TestX", "example.com/a::TestY"), tests, places).status == "held"
    assert judge(before, run("example.com/a::TestX"), tests, places).status == "broken"


def test_unchanged_wants_the_same_ids() -> None:
    assert unchanged(run("a", "b"), run("b", "a")).status == "held"
    more = unchanged(run("a"), run("a", "b"))
    assert more.status == "broken"
    assert f"{PATH}::b: new" in more.details
    assert f"{PATH}::a: did not run" in unchanged(run("a", "b"), run("b", "~a")).details


def test_names_that_are_made_at_run_time() -> None:
    """They may be others in every run, of an untouched file as of one that Ralph cannot read."""
    tests, places = known_tests({"a.test.js": "1;\n"}, {"a.test.js": "1;\n"})
    before = run("a.test.js::at 10:01", "a.test.js::at 10:02", "a.test.js::always")
    assert (
        judge(before, run("a.test.js::at 11:01", "a.test.js::at 11:02", "a.test.js::always"), tests, places).status
        == "held"
    )
    assert judge(before, run("a.test.js::at 11:01", "a.test.js::always"), tests, places).status == "broken"
    assert judge(before, run("a.test.js::at 10:01", "a.test.js::at 10:02"), tests, places).status == "broken"


def test_a_name_that_stands_in_the_source_is_not_made_up_for() -> None:
    more = "\n\ndef test_x():\n    assert 1\n\n\ndef test_y():\n    assert 1\n"
    tests, places = known_tests(BASE, {**SOURCE, PATH: HEAD + ADD + more})
    found = judge(run("test_add", "test_sub"), run("test_add", "test_x", "test_y"), tests, places)
    assert found.status == "broken"
