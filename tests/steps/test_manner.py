"""Tools that are asked to run in another manner than their command says, for controls."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.steps.arming import arm
from ralph.steps.tools.recipe import AS_WRITTEN, Kind, Manner

ON, FIRST, ALL = Manner(to_the_end=True), Manner(to_the_first=True), Manner(unsuppressed=True)
FILES = Manner(to_the_end=True, only=("tests/a b_test.py", "tests/c_test.py"))

LINES: list[tuple[str, Kind, Manner, str]] = [
    ("pytest -q", "tests", ON, " --maxfail=0"),
    ("pytest -x | tee log", "tests", ON, " --maxfail=0 | tee log"),
    ("uv run pytest tests", "tests", FIRST, " --maxfail=1"),
    ("pytest", "tests", FILES, " --maxfail=0 'tests/a b_test.py' tests/c_test.py"),
    ("npx vitest run", "tests", ON, " --bail=0"),
    ("npx jest", "tests", FILES, " --bail=0 --runTestsByPath 'tests/a b_test.py' tests/c_test.py"),
    ("ruff check .", "diagnostics", ALL, " --ignore-noqa"),
    ("eslint .", "diagnostics", ALL, " --no-inline-config"),
]


@pytest.mark.parametrize(("line", "kind", "manner", "added"), LINES)
def test_arguments(tmp_path: Path, line: str, kind: Kind, manner: Manner, added: str) -> None:
    armed = arm(line, kind=kind, hint=None, root=tmp_path, reports=tmp_path, manner=manner)
    assert armed.line.endswith(added)
    assert added.split()[0] not in arm(line, kind=kind, hint=None, root=tmp_path, reports=tmp_path).line


def test_behind_make(tmp_path: Path) -> None:
    armed = arm("make test", kind="tests", hint="pytest", root=tmp_path, reports=tmp_path, manner=FILES)
    assert armed.line == "make test"
    assert armed.env["PYTEST_ADDOPTS"].endswith(" --maxfail=0 'tests/a b_test.py' tests/c_test.py")


def test_as_written_adds_nothing(tmp_path: Path) -> None:
    plain, written = (
        arm("make test", kind="tests", hint="pytest", root=tmp_path, reports=tmp_path, **more)
        for more in ({}, {"manner": AS_WRITTEN})
    )
    assert plain == written
    assert plain.env["PYTEST_ADDOPTS"].endswith("junit_family=xunit1")
