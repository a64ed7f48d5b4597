"""Configuration of any shape, however senseless, is compared without an error; equal trees never differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ralph.guardrails.config import v1_tampering, weakened
from ralph.guardrails.config.command_files import shellwords
from ralph.guardrails.config.node import names
from tests.guardrails.memory import change

KEYS = names(
    "tool mypy ruff lint coverage run report pytest ini_options pyright compilerOptions strict extends "
    "test thresholds lines coverageThreshold global rules overrides files ignores module linters enable "
    "disable jobs steps run with uses env script scripts jest projects fail_under omit source select "
    "ignore per-file-ignores status project default target lints clippy executionEnvironments includes "
    "linter eslintConfig repos hooks args id inherit_from Exclude plugins 100 default"
)
VALUES = st.sampled_from(
    ["", "off", "error", "90", "auto", "*", "src/**", "./tsconfig.json", "pytest --cov-fail-under=9", "$(", "a: b"]
)
SCALARS = st.none() | st.booleans() | st.integers(-5, 200) | st.floats(allow_nan=False, allow_infinity=False) | VALUES
DATA: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=14,
)
FILES = names(
    "package.json tsconfig.json jest.config.json .eslintrc.json biome.json .golangci.yml codecov.yml "
    ".rubocop.yml .nycrc .github/workflows/ci.yml .gitlab-ci.yml .pre-commit-config.yaml "
    "pyrightconfig.json eslint-suppressions.json eslint.config.mjs vitest.config.ts next.config.js "
    "bandit.yaml .golangci.json phpstan.neon detekt.yml"
)


def text(path: str, data: Any) -> str:
    written = json.dumps(data)
    return f"export default {written};" if path.endswith((".mjs", ".ts", ".js")) else written


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(FILES), DATA, DATA)
def test_any_two_configurations_can_be_compared(path: str, before: Any, after: Any) -> None:
    tree = {"src/a.py": "", "src/a.ts": ""}
    changed = change({**tree, path: text(path, before)}, {**tree, path: text(path, after)})
    assert all(hit.rule and hit.path for hit in [*weakened(changed), *v1_tampering(changed)])


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(FILES), DATA)
@example(".eslintrc.json", [{"module": None, "ignores": False}, {}])
@example(".eslintrc.json", [{"files": None, "ignores": True}, {"ignores": [0]}])
@example(".eslintrc.json", [{"files": "src/**", "rules": {}}, {"files": "src/**", "ignores": "src/a.ts", "rules": {}}])
def test_formatting_never_counts(path: str, data: Any) -> None:
    before = {"src/a.ts": "", path: text(path, data)}
    after = {"src/a.ts": "", path: text(path, data) + "\n"}
    assert [hit.rule for hit in weakened(change(before, after))] == []


@pytest.mark.parametrize("place", ["check.sh", "Makefile", ".github/workflows/ci.yml", "package.json"])
def test_no_character_of_a_shell_line_ends_the_process(place: str) -> None:
    """The grammar's scanner crashes at a brace before the last character of all, were it given both."""
    line = f"pytest {{{chr(0x10FFFF)} --ignore=\u00fcber"
    holders = {
        "check.sh": "#!/bin/sh\n{}\n",
        "Makefile": "test:\n\t{}\n",
        ".github/workflows/ci.yml": "jobs:\n  t:\n    steps:\n      - run: |\n          {}\n",
        "package.json": '{{"scripts": {{"test": "{}"}}}}',
    }
    assert isinstance(list(weakened(change({}, {place: holders[place].format(line)}))), list)


def test_words_beyond_ascii_are_read_as_they_are() -> None:
    (command,) = shellwords.commands("pytest --ignore='\u00fcber/\u4e2d' \U0001f600 __main__", {})
    assert command.words == ("pytest", "--ignore=\u00fcber/\u4e2d", "\U0001f600", "__main__")
