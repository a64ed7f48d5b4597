"""The steps that `ralph.policy.json` demands are part of the verdict (design decision 26)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ralph
from tests.permissions.policies import having
from tests.project import commit, repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "project", {"a.py": "x = 1\n"})


def steps(root: Path) -> list[str]:
    answer = json.loads(ralph("verify", "-C", root, "--json").out)
    return [step["name"] for step in answer["steps"]]


def test_a_committed_policy_adds_its_checks(root: Path) -> None:
    assert "build" not in steps(root)
    commit(root, {"ralph.policy.json": json.dumps(having("checks.required", ["test", "build"]))})
    assert "build" in steps(root)


def test_a_policy_that_nobody_accepted_adds_nothing(root: Path) -> None:
    (root / "ralph.policy.json").write_text(json.dumps(having("checks.required", ["build"])))
    assert "build" not in steps(root)
