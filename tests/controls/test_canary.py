"""Canaries: what is planted where, and what their outcome says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ralph.controls import canary
from ralph.controls.canary import NO_CODE, PASSED, SKIPPED, Odd, Planted, plant
from ralph.controls.canary_texts import Canaries, Names, canaries_for, is_test_file
from ralph.controls.ids import Places
from ralph.steps.reports.tests import TestReport
from ralph.syntax import parse
from tests.controls.runs import PATH, run

SOURCES = {
    "tests/test_a.py": "import pytest\n\n\ndef test_a():\n    assert 1",
    "tests/a_test.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n",
    "app/tests.py": "",
    "src/a.test.ts": 'import { expect, test } from "vitest";\n\ntest("a", () => {});\n',
    "src/__tests__/a.js": "test('a', () => {});\n",
    "src/a.spec.mjs": 'import { test } from "@jest/globals";\n',
    "src/b.test.cjs": 'const { test } = require("@jest/globals");\n',
    "pkg/a_test.go": 'package pkg\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
}
LANGUAGES = {
    "py": "python",
    "ts": "typescript",
    "js": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "go": "go",
}


@pytest.mark.parametrize("path", SOURCES)
def test_a_canary_is_sound_code_at_the_end_of_the_file(path: str) -> None:
    found = canaries_for(path, SOURCES[path], Names(Random(3)))
    assert found is not None
    whole = SOURCES[path] + found.text
    assert not parse(LANGUAGES[path.rpartition(".")[2]], whole.encode()).root_node.has_error
    assert len(found.passing) == len(found.failing) == 1
    assert all(name in whole for name in found.passing | found.failing)


@pytest.mark.parametrize(
    ("source", "functions", "methods"),
    [
        ("def test_a():\n    pass\n", True, False),
        ("class TestA:\n    def test_a(self):\n        pass\n", True, False),
        ("class TestA(unittest.TestCase):\n    def test_a(self):\n        pass\n", False, True),
        ("class TestA(TestCase):\n    pass\n\n\ndef test_b():\n    pass\n", True, True),
    ],
)
def test_written_as_the_files_own_tests(source: str, functions: bool, methods: bool) -> None:
    found = canaries_for("test_a.py", source, Names(Random(1)))
    assert found is not None
    assert ("\ndef test_" in found.text, "\n    def test_" in found.text) == (functions, methods)
    assert len(found.passing) == len(found.failing) == functions + methods


@pytest.mark.parametrize("path", ["src/a.py", "conftest.py", "tests/helpers.py", "src/a.ts", "README.md", "pkg/a.go"])
def test_no_canary_in_other_files(path: str) -> None:
    assert not is_test_file(path)
    assert canaries_for(path, "", Names(Random())) is None


def test_imports_of_a_script_are_its_own() -> None:
    def text(path: str) -> str:
        found = canaries_for(path, SOURCES[path], Names(Random(1)))
        assert found
        return found.text

    assert 'from "vitest"' in text("src/a.test.ts")
    assert 'from "@jest/globals"' in text("src/a.spec.mjs")
    assert 'require("@jest/globals")' in text("src/b.test.cjs")
    assert "import" not in text("src/__tests__/a.js")


def test_no_name_is_drawn_twice() -> None:
    names = Names(Random(5))
    drawn = [names.new("keeps_rows_once") for _ in range(2_000)]
    assert len(set(drawn)) == 2_000
    assert "keeps_rows_once" not in drawn


def test_planting(tmp_path: Path) -> None:
    """Changed files first; nothing is written through a link, and what is missing is left alone."""
    for n in range(60):
        (tmp_path / f"test_{n}.py").write_text("def test_a():\n    pass\n")
    outside = tmp_path / "outside.py"
    outside.write_text("x = 1\n")
    (tmp_path / "test_link.py").symlink_to(outside)
    names = [f"test_{n}.py" for n in range(60)] + ["test_link.py", "test_gone.py"]
    planted = plant(tmp_path, names, ["test_7.py", "test_link.py"], Random(2))
    assert len(planted) == canary.MOST_FILES
    assert planted[0].path == "test_7.py"
    assert outside.read_text() == "x = 1\n"
    for each in planted:
        assert (tmp_path / each.path).read_text() == "def test_a():\n    pass\n" + each.canaries.text


CANARIES = [Planted(PATH, Canaries("", frozenset({"test_good"}), frozenset({"test_bad"})))]
FINE = ("test_a", "test_good", "-test_bad")

ODD = {
    "as they should": (FINE, 1, set()),
    "by an error": (("test_good", "!test_bad"), 1, set()),
    "passed": (("test_good", "test_bad"), 0, {PASSED}),
    "skipped": (("test_good", "~test_bad"), 0, {SKIPPED}),
    "did not run": (("test_good",), 0, {"a test that must fail did not run"}),
    "fails": (("-test_good", "-test_bad"), 1, {"a test that must pass did not"}),
    "good one skipped": (("~test_good", "-test_bad"), 1, {"a test that must pass did not"}),
    "good one did not run": (("-test_bad",), 1, {"a test that must pass did not run"}),
    "no report": ((), 0, {"a test that must fail did not run", "a test that must pass did not run"}),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd(name: str) -> None:
    outcome, code, expected = ODD[name]
    found = canary.odd(CANARIES, run(*outcome), code, frozenset({PATH}))
    assert found == {Odd(PATH, what) for what in expected}


def test_an_exit_code_that_hides_a_failure_is_odd() -> None:
    assert canary.odd(CANARIES, run(*FINE), 0, frozenset({PATH})) == {Odd("", NO_CODE)}


def test_a_file_that_is_not_run_in_place_is_not_judged() -> None:
    places = Places([PATH, "tests/test_b.py"])
    planted = [*CANARIES, Planted("tests/test_b.py", CANARIES[0].canaries)]
    assert canary.files_judged(planted, run("test_a", "~tests/test_b.py::test_x"), places) == {PATH}
    assert canary.files_judged(planted, run("pkg::TestA"), places) == {PATH, "tests/test_b.py"}
    assert canary.odd(CANARIES, run("test_a"), 1, frozenset()) == set()


def test_canaries_are_told_from_the_projects_own() -> None:
    assert canary.without(CANARIES, run("test_a", "~test_s", *FINE)) == run("test_a", "~test_s", "test_a")
    assert canary.without([], TestReport()) == TestReport()
    assert canary.seen(CANARIES, run(*FINE), frozenset({PATH})) == 1
    assert canary.seen(CANARIES, run("test_a"), frozenset({PATH})) == 0


def test_what_passes_in_place_only() -> None:
    here, copy = run("test_a", "test_b", "test_c", "test_d", "-test_e"), run("test_a", "-test_b", "~test_c", "-test_e")
    assert canary.only_in_place(here, copy) == [f"{PATH}::test_{x}" for x in "bcd"]
