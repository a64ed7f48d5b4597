"""`ralph` on the samples as a user runs it: with an adapter, and on a project that has no context of Ralph's yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engine.projects import JEST, PYTHON, VITEST, Project, append
from tests.engine.sample import TOOLS
from tests.project import commit, git
from tests.steps.workshop import needs_node


def ralph(root: Path, *args: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON document of a command, run in the project by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "ralph", *args, "--json"],
        cwd=root,
        env={**os.environ, "PATH": TOOLS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@needs_node
def test_an_adapter_judges_the_project_that_it_is_pointed_at(tmp_path: Path) -> None:
    root = VITEST.base(tmp_path / "karematch", {"ralph-context.yaml": None})
    append(root, {VITEST.source: VITEST.unused.format(name="os")})
    code, verdict = ralph(tmp_path, "verify", "--adapter", "karematch", "-C", str(root), "--fail-fast")
    assert (code, verdict["type"], verdict["failed_step"], verdict["project"]) == (1, "FAIL", "lint", "karematch")
    assert (verdict["lint_errors"], verdict["test_count"]) == (1, None)


@pytest.mark.parametrize(
    "project",
    [
        pytest.param(PYTHON, id="pytest"),
        pytest.param(VITEST, id="vitest", marks=needs_node),
        pytest.param(JEST, id="jest", marks=needs_node),
    ],
)
def test_the_context_that_init_writes_works(tmp_path: Path, project: Project) -> None:
    root = project.base(tmp_path / "project", {"ralph-context.yaml": None, ".gitignore": "node_modules\n"})
    code, written = ralph(root, "init")
    assert (code, written["missing"]) == (0, {})
    commit(root, {})
    code, verdict = ralph(root, "verify")
    assert (code, verdict["type"]) == (0, "PASS"), verdict["failure_reason"]
    assert verdict["coverage_percent"] == 100.0
    assert git(root, "status", "--porcelain") == ""
    code, again = ralph(root, "verify")
    assert (code, again["type"], again["reused_from"]) == (0, "PASS", verdict["run_id"])
