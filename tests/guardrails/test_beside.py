"""What stands beside the tree: ignored files that checks read, files that git is told not to look at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ralph.guardrails.change import beside, read_change
from ralph.guardrails.model import Beside
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.record import replace
from ralph.system.git import open_repository
from ralph.system.tree import snapshot
from tests.guardrails.memory import change
from tests.project import git, repository

BASE = {"src/a.py": "x = 1\n", ".gitignore": "dist/\nlocal*.py\n"}


def rules(after: Mapping[str, str], **around: tuple[str, ...]) -> list[tuple[str, str]]:
    subject = replace(change(BASE, {**BASE, **after}), beside=Beside(**around))
    return [(each.rule, each.path) for each in scan(subject, registry.load("v1")) if each.rule.startswith("tree.")]


@pytest.mark.parametrize(
    "path", ["conftest.py", "tests/conftest.py", "pytest.ini", "sitecustomize.py", "dev.pth", "vitest.config.ts"]
)
def test_an_ignored_file_that_decides_about_checks_blocks(path: str) -> None:
    assert rules({}, ignored=(path,)) == [("tree.ignored-source", path)]


@pytest.mark.parametrize(
    "path", [".env", "local_settings.py", "dist/", "node_modules/x/conftest.py", ".venv/lib/a.pth", "src/_version.py"]
)
def test_other_ignored_files_are_the_projects_matter(path: str) -> None:
    assert rules({}, ignored=(path,)) == []


def test_a_source_file_that_the_change_hides_blocks() -> None:
    hidden = {".gitignore": f"{BASE['.gitignore']}src/secret_*.py\n"}
    assert rules(hidden, ignored=("src/secret_a.py",)) == [("tree.ignored-source", "src/secret_a.py")]
    assert rules(hidden, ignored=("src/local_a.py", "notes.txt")) == []


def test_a_changed_file_that_git_does_not_look_at_blocks() -> None:
    assert rules({"src/a.py": "x = 2\n"}, unwatched=("src/a.py",)) == [("tree.unwatched", "src/a.py")]
    assert rules({}, unwatched=("src/a.py",)) == []


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_the_bits_of_a_real_index_are_seen(tmp_path: Path, bit: str) -> None:
    root = repository(tmp_path / "project", {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    git(root, "update-index", bit, "a.py")
    (root / "a.py").write_text("x = 2\n")
    repo = open_repository(root)
    taken = snapshot(repo, tmp_path / "shadow")
    assert taken.unwatched == ("a.py",)
    subject = read_change(repo, repo.tree_of(repo.head() or ""), taken.tree, beside(taken))
    assert "tree.unwatched" in [finding.rule for finding in scan(subject, registry.load("v1"))]
