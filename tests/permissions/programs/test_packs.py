"""The built-in packs: which calls they allow, which they deny, and what they propose instead."""

from __future__ import annotations

import pytest

from ralph.permissions.model import Pack
from ralph.permissions.programs.model import Use
from ralph.permissions.programs.packs import PackRule, pack_rule
from ralph.permissions.programs.registry import reader_of
from tests.permissions.programs.lines import use_of


def ruled(pack: Pack, line: str, under: str | None = None) -> PackRule | None:
    name = line.split()[0]
    return pack_rule(pack, name, use_of(line) if reader_of(name) else Use(), under)


def outcome(rule: PackRule | None) -> str | None:
    return rule.outcome if rule else None


@pytest.mark.parametrize("action", ["status -s", "log -1", "diff HEAD", "show", "ls-files", "blame a", "branch -vv"])
def test_readonly_git_allows_reading(action: str) -> None:
    assert outcome(ruled("readonly-git", f"git {action}")) == "allow"


GIT_DENIED = (
    "commit -m x, push, pull, merge x, rebase x, checkout x, reset, stash, cherry-pick x, revert x, branch -D x,"
    " branch -d x, branch x, grep x, tag, stash list, diff --output=x, log --textconv, update-ref x y, foo"
)


@pytest.mark.parametrize("action", GIT_DENIED.split(", "))
def test_readonly_git_denies_everything_else_with_a_way_out(action: str) -> None:
    rule = ruled("readonly-git", f"git {action.strip()}")
    assert outcome(rule) == "deny"
    assert rule is not None
    assert rule.reason
    assert rule.alternative


@pytest.mark.parametrize("line", ["ls", "git --version", "npm test"])
def test_readonly_git_says_nothing_of_other_things(line: str) -> None:
    assert ruled("readonly-git", line) is None


INSTEAD = {
    "pip install x": "uv add PACKAGE",
    "pip3.12 uninstall x": "uv remove PACKAGE",
    "pip freeze": "uv lock",
    "python -m pip install x": "uv add PACKAGE",
    "python3 -Im pip install x": "uv add PACKAGE",
    "python3.12 -mpip install x": "uv add PACKAGE",
    "uv pip install x": "uv add PACKAGE",
    "poetry add x": "uv add PACKAGE",
    "poetry -C src add x": "uv add PACKAGE",
    "pipenv install": "uv sync, or uv add PACKAGE for a new one",
    "pytest -q": "uv run pytest",
    "py.test": "uv run pytest",
    "python -m pytest": "uv run pytest",
}


@pytest.mark.parametrize(("line", "instead"), INSTEAD.items(), ids=INSTEAD)
def test_uv_python_names_the_command_to_use(line: str, instead: str) -> None:
    rule = ruled("uv-python", line)
    assert rule is not None
    assert (rule.outcome, rule.alternative) == ("deny", instead)


UV_DENIED = (
    "conda install x, conda create -n x, mamba install x, micromamba install x, conda env create -f e, pdm add x,"
    " hatch env create, rye sync, virtualenv x, python -m venv x, python -mvenv x, python -m virtualenv x,"
    " python -m ensurepip, pipx install x, easy_install x, uv venv, uvx ruff, uv tool run x, uv run --with x pytest,"
    " poetry run pytest, python -m uv pip install x"
)


@pytest.mark.parametrize("line", UV_DENIED.split(", "))
def test_uv_python_denies_other_ways_to_packages_and_environments(line: str) -> None:
    rule = ruled("uv-python", line.strip())
    assert rule is not None
    assert rule.outcome == "deny"
    assert rule.alternative


@pytest.mark.parametrize("line", ["uv run pytest", "uv run -m pytest -q", "uv run -- mypy ."])
def test_uv_run_is_allowed(line: str) -> None:
    assert outcome(ruled("uv-python", line)) == "allow"


@pytest.mark.parametrize("line", ["pytest", "python -m pytest"])
def test_tests_are_fine_inside_the_environment(line: str) -> None:
    assert ruled("uv-python", line, "uv run") is None


def test_being_inside_does_not_make_pip_fine() -> None:
    assert outcome(ruled("uv-python", "pip install x", "uv run")) == "deny"


@pytest.mark.parametrize("line", ["uv add x", "uv sync", "python a.py", "ruff check .", "git log"])
def test_uv_python_says_nothing_of_other_things(line: str) -> None:
    assert ruled("uv-python", line) is None


@pytest.mark.parametrize(
    ("line", "expected"), [("git log", "allow"), ("npm ls", "allow"), ("git push", None), ("npm i", None)]
)
def test_readonly_tools_allows_what_only_reads(line: str, expected: str | None) -> None:
    assert outcome(ruled("readonly-tools", line)) == expected
