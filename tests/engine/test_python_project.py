"""The engine on a Python project with real ruff, mypy, pytest and coverage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.matrix import Case, assert_blocked, check, common
from tests.engine.projects import PYTHON

CASES = {
    **common(PYTHON),
    "a failure hidden by exit 0": Case(
        append={PYTHON.tests: PYTHON.failing("wrong")},
        commands={"test": "pytest -q --exitfirst; exit 0"},
        only=["tests"],
        kind="FAIL",
        step="tests",
        reason="though the command ended with exit code 0",
    ),
    "six files without a contract's limit": Case(
        files={f"notes/{n}.md": "line\n" for n in range(6)},
        only=["lint"],
        kind="FAIL",
        step="thresholds",
        reason="6 files changed",
    ),
    "a test more in a refactoring": Case(
        append={PYTHON.tests: PYTHON.passing("more")},
        contract="refactor",
        only=["tests"],
        kind="FAIL",
        step="tests",
        reason="the tests of the base",
    ),
    "started as a module": Case(commands={"test": "python -m pytest -q"}, only=["tests"], kind="PASS"),
}


@pytest.mark.parametrize("name", CASES)
def test_verdicts(tmp_path: Path, name: str) -> None:
    check(PYTHON, PYTHON.base(tmp_path / "calc"), CASES[name])


SOURCE, TESTS = PYTHON.source, PYTHON.tests

GUARDRAILS = {
    "type: ignore": (Case(append={SOURCE: "\nx: int = ''  # type: ignore\n"}, kind="BLOCKED"), "Type ignore"),
    "noqa": (Case(append={SOURCE: "\nimport os  # noqa\n"}, kind="BLOCKED"), "Noqa"),
    "pytest skip": (
        Case(edit={TESTS: ("def test_mean", "@pytest.mark.skip\ndef test_mean")}, kind="BLOCKED"),
        "Skipped tests",
    ),
    "coverage floor lowered": (Case(edit={"pyproject.toml": ("= 80", "= 79")}, kind="BLOCKED"), "threshold"),
}


@pytest.mark.parametrize("policy", ["v1", "v2"])
@pytest.mark.parametrize("name", GUARDRAILS)
def test_what_the_policies_forbid(tmp_path: Path, name: str, policy: str) -> None:
    case, reason = GUARDRAILS[name]
    assert_blocked(PYTHON.base(tmp_path / "calc"), case, policy, reason)
