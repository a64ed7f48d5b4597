"""Real ruff, mypy and pytest: what each step makes of each state of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.workshop import Workshop

CLEAN = {
    "src/a.py": "def double(x: int) -> int:\n    return 2 * x\n",
    "tests/test_a.py": "from src.a import double\n\n\ndef test_double() -> None:\n    assert double(2) == 4\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
}
UNUSED = {**CLEAN, "src/b.py": "import os\n"}
ILL_TYPED = {**CLEAN, "src/b.py": 'X: int = "a"\n'}
BROKEN_SYNTAX = {**CLEAN, "src/b.py": "def (:\n"}
FAILING = {**CLEAN, "tests/test_b.py": "def test_b():\n    assert 0\n"}
SKIPPING = {"tests/test_b.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_b(): ...\n"}

LINT = {
    "clean": (CLEAN, "ruff check .", "pass", None),
    "an error": (UNUSED, "ruff check .", "fail", "lint: 1 error (first: src/b.py: F401 `os` imported but unused)"),
    "an error of syntax": (BROKEN_SYNTAX, "ruff check .", "fail", "errors (first: src/b.py: invalid-syntax"),
    "hidden by an option": (UNUSED, "ruff check --exit-zero .", "fail", "though the command ended with exit code 0"),
    "hidden by the shell": (UNUSED, "ruff check . || true", "fail", "though the command ended with exit code 0"),
    "hidden by a later command": (UNUSED, "ruff check .; ruff check tests", "fail", "lint: 1 error"),
    "in another format": (UNUSED, "ruff check . --output-format=github -q", "fail", "lint: 1 error"),
    "no file": (CLEAN, "mkdir -p e && ruff check -q e", "error", "lint: ruff found no file to check"),
    "a path that is missing": (CLEAN, "ruff check nowhere", "error", "lint: ruff could not read nowhere"),
    "a missing tool": (CLEAN, "no-such-linter .", "error", "lint: no-such-linter: command not found (exit 127)"),
    "a broken configuration": (
        {**CLEAN, "ruff.toml": "nonsense = 1\n"},
        "ruff check .",
        "error",
        "lint: ruff wrote no report",
    ),
    "another part fails": (CLEAN, "ruff check . && python -c 'exit(1)'", "fail", "another part of the command failed"),
    "it disagrees": (CLEAN, "ruff check . && false", "fail", "another part of the command failed"),
    "no tool at all": (CLEAN, "echo fine", "error", "the command runs no tool (echo fine)"),
    "a tool killed": (CLEAN, "sh -c 'kill -9 $$'", "error", "SIGKILL"),
    "an unknown tool, content": (CLEAN, "python -c 'pass'", "pass", None),
    "an unknown tool, not content": (
        CLEAN,
        "python -c 'import sys; print(\"src/a.py:3:1: too bad\"); sys.exit(1)'",
        "fail",
        "lint: the command failed (first: src/a.py: too bad)",
    ),
}


@pytest.mark.parametrize("case", LINT)
def test_lint(tmp_path: Path, case: str) -> None:
    files, command, status, reason = LINT[case]
    result = Workshop.at(tmp_path, files).run("lint", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason
    assert status != "error" or (result.reason or "").startswith("could not verify: lint: ")


def test_what_a_lint_result_holds(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, UNUSED)
    result = workshop.run("lint", "ruff check .")
    assert result.counts == {"errors": 1, "files": 4}
    assert result.failures == ("src/b.py: F401 `os` imported but unused",)
    assert (result.exit_code, result.report, result.log) == (1, "steps/lint/ruff.json", "steps/lint/output.log")
    assert (workshop.evidence / "steps/lint/ruff.json").is_file()
    assert (workshop.evidence / "steps/lint/output.log").is_file()
    assert result.command == "ruff check ."


TYPES = {
    "clean": (CLEAN, "mypy --no-error-summary src", "pass", None),
    "an error": (ILL_TYPED, "mypy src", "fail", "typecheck: 1 error (first: src/b.py: assignment Incompatible types"),
    "an error of syntax": (BROKEN_SYNTAX, "mypy src", "fail", "error"),
    "hidden by the shell": (ILL_TYPED, "mypy src || true", "fail", "though the command ended with exit code 0"),
    "as JSON": (ILL_TYPED, "mypy src --output json", "fail", "typecheck: 1 error"),
    "no file": (CLEAN, "mkdir -p e && mypy e", "error", "mypy could not check anything"),
    "a path that is missing": (CLEAN, "mypy nowhere", "error", "mypy could not check anything"),
    "output thrown away": (CLEAN, "mypy src > /dev/null", "error", "did not say how many files"),
}


@pytest.mark.parametrize("case", TYPES)
def test_typecheck(tmp_path: Path, case: str) -> None:
    files, command, status, reason = TYPES[case]
    result = Workshop.at(tmp_path, files).run("typecheck", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


TESTS = {
    "passing": (CLEAN, "pytest -q", None, "pass", None),
    "failing": (FAILING, "pytest", None, "fail", "tests: 1 of 2 failed: tests/test_b.py::test_b"),
    "hidden by the shell": (FAILING, "pytest || true", None, "fail", "though the command ended with exit code 0"),
    "one of two runs": (FAILING, "pytest tests/test_b.py; pytest tests/test_a.py", None, "fail", "1 of 2 failed"),
    "a module that cannot be imported": (
        {**CLEAN, "tests/test_b.py": "import nowhere\n"},
        "pytest",
        None,
        "fail",
        "tests: 1 of 1 failed: tests/test_b.py",
    ),
    "an exit code changed by a hook": (
        {**FAILING, "conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"},
        "pytest",
        None,
        "fail",
        "though the command ended with exit code 0",
    ),
    "no test": ({"a.py": ""}, "pytest", None, "error", "tests: no test ran (exit code 5"),
    "only skipped tests": (SKIPPING, "pytest", None, "error", "tests: no test ran, 1 were skipped"),
    "collected, not run": (CLEAN, "pytest --collect-only", None, "error", "no test ran"),
    "an exit before the report": (
        {**CLEAN, "conftest.py": "import os\n\n\ndef pytest_sessionstart():\n    os._exit(0)\n"},
        "pytest",
        None,
        "error",
        "the test runner wrote no report",
    ),
    "a module in the place of pytest": (
        {**CLEAN, "pytest.py": "print('1 passed')\n"},
        "python -m pytest",
        None,
        "error",
        "the test runner wrote no report",
    ),
    "behind another program": (FAILING, "sh -c 'pytest || true'", "pytest", "fail", "1 of 2 failed"),
    "the report written over": (
        FAILING,
        "sh -c 'pytest tests/test_b.py; pytest tests/test_a.py'",
        "pytest",
        "error",
        "it ran more than once",
    ),
    "a runner that nobody knows": (CLEAN, "python -c 'pass'", None, "error", "name a JUnit XML file"),
    "nothing": (CLEAN, "true", "pytest", "error", "the test runner wrote no report"),
    "a threshold not met": (
        CLEAN,
        "pytest --cov=nowhere --cov-fail-under=9",
        None,
        "error",
        "report disagree (exit code 1",
    ),
}


@pytest.mark.parametrize("case", TESTS)
def test_tests(tmp_path: Path, case: str) -> None:
    files, command, hint, status, reason = TESTS[case]
    result = Workshop.at(tmp_path, files).run("tests", command, hint=hint)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


def test_pytest_is_asked_again_whatever_lies_in_the_tree(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {**FAILING, "setup.cfg": "[tool:pytest]\naddopts = --junitxml=mine.xml\n"})
    result = workshop.run("tests", "pytest -q", report="mine.xml")
    assert (result.status, result.report) == ("fail", "steps/tests/junit.xml")


@pytest.mark.parametrize(("command", "hint"), [("pytest", None), ("sh -c pytest", "pytest")], ids=["named", "hidden"])
def test_a_place_with_an_odd_name_changes_nothing(tmp_path: Path, command: str, hint: str | None) -> None:
    place = tmp_path / 'it\'s a "place"'
    place.mkdir()
    result = Workshop.at(place, CLEAN).run("tests", command, hint=hint)
    assert (result.status, result.counts["tests"]) == ("pass", 1), result.reason


COVERAGE = "pytest -q --cov=src --cov-report=json"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ("", "pass", None),
        ("def unused(x):\n    x += 1\n    return x\n", "fail", "coverage: 60.0 % of lines is below 80 %"),
    ],
    ids=["covered", "not covered"],
)
def test_coverage(tmp_path: Path, body: str, status: str, reason: str | None) -> None:
    files = {**CLEAN, "src/a.py": CLEAN["src/a.py"] + body}
    workshop = Workshop.at(tmp_path, files)
    result = workshop.run("coverage", COVERAGE, report="coverage.json")
    assert (result.status, result.reason) == (status, reason)
    assert not (workshop.root / "coverage.json").exists(), "the tree is left as it was"
    assert not (workshop.root / ".coverage").exists()
    assert not list(workshop.root.rglob("__pycache__"))
