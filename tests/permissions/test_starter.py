"""`ralph init` proposes a policy that loads and fits the project, and never writes over one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ralph.context.detect import detect
from ralph.permissions.loader import parse
from ralph.permissions.starter import starter, text_of
from tests.cli.command import ralph
from tests.project import repository

NODE = {
    "package.json": json.dumps({"scripts": {"test": "vitest run", "lint": "eslint .", "deploy": "x", "dev": "vite"}}),
    "src/a.ts": "",
    "tests/a.test.ts": "",
    "infra/main.tf": "",
    "migrations/1.sql": "",
    "dist/a.js": "",
    ".github/workflows/ci.yml": "",
}
PYTHON = {
    "pyproject.toml": '[project]\nname = "a"\n[tool.ruff]\n[tool.mypy]\n[tool.pytest]\n',
    "uv.lock": "",
    "src/a.py": "",
    "tests/test_a.py": "",
}


def proposed(files: dict[str, str]) -> dict[str, Any]:
    paths = frozenset(files)
    read = {name: text.encode() for name, text in files.items()}.get
    document = starter(paths, read, detect("a", paths, read))
    text = text_of(document)
    assert json.loads(text) == document
    parse(text.encode(), "ralph.policy.json")
    return document


def test_node() -> None:
    policy = proposed(NODE)
    assert policy["files"]["allowWrite"] == ["src", "tests", "docs", "specs"]
    assert policy["files"]["denyWrite"] == [".git", ".ralph", "node_modules", "dist"]
    assert policy["commands"]["allow"] == ["npm run lint", "npm test"]
    assert policy["commands"]["packs"] == ["readonly-tools"]
    assert policy["checks"] == {"required": ["test", "lint"], "rollbackOnFail": True}


@pytest.mark.parametrize(
    ("more", "writable"),
    [
        ({"words.py": ""}, ["."]),
        ({"main.go": ""}, ["."]),
        ({"setup.py": "", "conftest.py": ""}, ["src", "tests", "docs", "specs"]),
        ({"vite.config.ts": "", ".eslintrc.js": ""}, ["src", "tests", "docs", "specs"]),
    ],
    ids=["a module on top", "a program on top", "what configures tests", "what configures tools"],
)
def test_source_on_top_is_the_projects_own_work(more: dict[str, str], writable: list[str]) -> None:
    """No folder opens it, and an agent that may not write the program can do nothing."""
    assert proposed(PYTHON | more)["files"]["allowWrite"] == writable


@pytest.mark.parametrize(("lock", "test"), [("pnpm-lock.yaml", "pnpm test"), ("yarn.lock", "yarn test")])
def test_other_package_managers(lock: str, test: str) -> None:
    assert test in proposed(NODE | {lock: ""})["commands"]["allow"]


def test_python_with_uv() -> None:
    policy = proposed(PYTHON)
    assert policy["commands"]["allow"] == ["uv run ruff check .", "uv run mypy .", "uv run pytest"]
    assert policy["commands"]["packs"] == ["readonly-tools", "uv-python"]
    assert policy["checks"]["required"] == ["test", "lint", "typecheck"]
    assert policy["files"]["denyWrite"] == [".git", ".ralph", "dist", ".venv"]


def test_python_without_folders() -> None:
    policy = proposed({"shop.py": "", "test_shop.py": ""})
    assert policy["files"]["allowWrite"] == ["."]
    assert policy["commands"]["allow"] == ["pytest"]


@pytest.mark.parametrize("package", ["[]", "{", '{"scripts": []}', '{"scripts": {"test": 1, "build": " "}}', '"x"'])
def test_a_package_that_is_odd(package: str) -> None:
    assert proposed({"package.json": package})["mode"] == "delivery"


def test_folders_with_odd_names_are_left_out() -> None:
    files = {"src/a.py": "", "a b/x.py": "", "[x]/a.py": "", "a\u200b/x.py": "", ".hidden/x.py": "", "state/x": ""}
    assert proposed(files)["files"]["allowWrite"] == ["src", "docs", "specs"]


def test_init_writes_both_files_and_keeps_a_policy(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", PYTHON)
    policy = root / "ralph.policy.json"
    first = ralph("init", "--json", "-C", root).document
    assert first["written"] == "ralph-context.yaml"
    assert json.loads(policy.read_text()) == first["policy"]
    policy.write_text("mine")
    assert ralph("init", "--force", "--json", "-C", root).document["policy"] is None
    assert policy.read_text() == "mine"
    assert ralph("init", "-C", root).code == 3
    assert "ralph.policy.json is not JSON" in ralph("init", "--accept", "-C", root).err
    policy.unlink()
    again = ralph("init", "--json", "-C", root).document
    assert (again["written"], again["policy"]) == ("ralph.policy.json", first["policy"])
    accepted = ralph("init", "--accept", "--json", "-C", root).document
    assert accepted["policy"]["accepted"] == "ralph.policy.json"
    assert len(accepted["policy"]["sha256"]) == 64
