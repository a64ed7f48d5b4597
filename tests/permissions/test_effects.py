"""What a run really did is read from the trees before and after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.permissions.effects import Effects, PathChange, classified, effects_between
from ralph.permissions.manifests import dependencies_changed
from ralph.permissions.model import ApprovalClass
from ralph.system.git import open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot
from tests.permissions.policies import permissions
from tests.project import repository, write

DESTRUCTIVE, DEPENDENCY, PRODUCTION = ApprovalClass
PACKAGE = json.dumps({"name": "a", "scripts": {"test": "jest"}, "dependencies": {"left-pad": "1"}})
BASE = {"a.txt": "one\n", "b.txt": "two\n", "package.json": PACKAGE, "infra/x.tf": "x\n", ".gitignore": "made\n"}


def effects(root: Path, changes: Mapping[str, str | None]) -> Effects:
    repo = open_repository(repository(root, BASE))
    before = snapshot(repo, shadow_dir(root)).tree
    write(root, changes)
    return effects_between(repo, before, snapshot(repo, shadow_dir(root)).tree, permissions())


def test_nothing_done(tmp_path: Path) -> None:
    assert effects(tmp_path / "r", {}) == Effects(by_policy={})
    assert Effects(by_policy={}).classes == frozenset()


def test_what_was_there_and_is_gone_or_empty_was_destroyed(tmp_path: Path) -> None:
    done = effects(tmp_path / "r", {"a.txt": None, "b.txt": "", "new.txt": "", "made": "x"})
    assert (done.deleted, done.emptied, done.changed) == (("a.txt",), ("b.txt",), 3)
    assert done.by_class == {DESTRUCTIVE: ("a.txt", "b.txt")}


def test_production_is_changed_in_any_way(tmp_path: Path) -> None:
    done = effects(tmp_path / "r", {"infra/x.tf": None, "Dockerfile": "FROM x\n"})
    assert done.by_class == {DESTRUCTIVE: ("infra/x.tf",), PRODUCTION: ("Dockerfile", "infra/x.tf")}


def test_a_manifest_counts_by_its_content(tmp_path: Path) -> None:
    package = json.loads(PACKAGE)
    package["scripts"]["lint"] = "eslint ."
    assert effects(tmp_path / "one", {"package.json": json.dumps(package, indent=2)}).classes == frozenset()
    package["dependencies"]["evil"] = "1"
    assert effects(tmp_path / "two", {"package.json": json.dumps(package)}).by_class == {DEPENDENCY: ("package.json",)}


PYPROJECT = '[project]\nname = "a"\ndependencies = ["x"]\n[tool.ruff]\nline-length = 100\n'
CARGO = '[package]\nname = "a"\n[dependencies]\nx = "1"\n'

MANIFESTS: dict[str, tuple[str, Any, Any, bool]] = {
    "order of keys": (
        "package.json",
        {"dependencies": {"a": "1", "b": "1"}},
        {"dependencies": {"b": "1", "a": "1"}},
        False,
    ),
    "version": ("package.json", {"dependencies": {"a": "1"}}, {"dependencies": {"a": "2"}}, True),
    "development": ("package.json", {}, {"devDependencies": {"a": "1"}}, True),
    "nothing to depend on": ("package.json", {}, {"devDependencies": {}}, False),
    "override": ("package.json", {}, {"overrides": {"a": "evil"}}, True),
    "installation hook": ("package.json", {}, {"scripts": {"postinstall": "evil"}}, True),
    "package manager": ("package.json", {}, {"packageManager": "pnpm@9"}, True),
    "script": ("package.json", {}, {"scripts": {"test": "x"}}, False),
    "nested file": ("packages/a/package.json", {}, {"dependencies": {"a": "1"}}, True),
    "not readable": ("package.json", "{}", "{", True),
    "no object": ("package.json", "{}", "[]", True),
    "new, without any": ("package.json", None, {"name": "a"}, False),
    "removed, with some": ("package.json", {"dependencies": {"a": "1"}}, None, True),
    "settings": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("100", "120"), False),
    "requirement": ("pyproject.toml", PYPROJECT, PYPROJECT.replace('["x"]', '["x", "y"]'), True),
    "group": ("pyproject.toml", PYPROJECT, PYPROJECT + '[dependency-groups]\ndev = ["y"]\n', True),
    "build": ("pyproject.toml", PYPROJECT, PYPROJECT + '[build-system]\nrequires = ["y"]\n', True),
    "index": ("pyproject.toml", PYPROJECT, PYPROJECT + '[[tool.uv.index]]\nurl = "x"\n', True),
    "poetry": ("pyproject.toml", PYPROJECT, PYPROJECT + '[tool.poetry.dependencies]\ny = "1"\n', True),
    "not TOML": ("pyproject.toml", PYPROJECT, "[", True),
    "crate": ("Cargo.toml", CARGO, CARGO.replace('"1"', '"2"'), True),
    "crate's name": ("Cargo.toml", CARGO, CARGO.replace('"a"', '"b"'), False),
    "lock": ("uv.lock", "a", "a\n", True),
}


@pytest.mark.parametrize(("path", "before", "after", "changed"), MANIFESTS.values(), ids=MANIFESTS)
def test_what_changes_dependencies(path: str, before: Any, after: Any, changed: bool) -> None:
    assert dependencies_changed(path, _bytes(before), _bytes(after)) is changed


def _bytes(content: Any) -> bytes | None:
    if content is None:
        return None
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def test_paths_of_the_policy_count() -> None:
    rules = permissions("approval.paths", {"destructive_ops": ["data"]})
    done = classified([PathChange("data/x", b"1", b"2"), PathChange("other", b"1", b"2")], rules)
    assert done.by_class == {DESTRUCTIVE: ("data/x",)}


def test_a_file_of_blanks_is_empty_and_one_that_was_empty_was_not_emptied() -> None:
    changes = [PathChange("a", b"x", b" \n"), PathChange("b", b"", b"\n"), PathChange("c", None, b"")]
    assert classified(changes, permissions()).emptied == ("a",)
