"""What a project's files say about how it is measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from ralph.context.detect import Detected, detect


def detected(files: Mapping[str, str]) -> Detected:
    return detect("thing", frozenset(files), lambda name: files[name].encode() if name in files else None)


def package(**fields: Any) -> str:
    return json.dumps({"name": "shop", **fields})


PYTHON = {
    "pyproject.toml": "[project]\nname='shop'\n[tool.ruff]\n[tool.mypy]\n[x]\ndev=['pytest','pytest-cov']",
    "src/shop/__init__.py": "",
    "tests/test_a.py": "",
}
VITEST = {
    "package.json": package(
        devDependencies=dict.fromkeys(["eslint", "typescript", "vitest", "@vitest/coverage-v8"], "*")
    ),
    "tsconfig.json": "{}",
    "src/a.ts": "",
}


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        pytest.param(
            PYTHON,
            {
                "lint": "ruff check .",
                "typecheck": "mypy .",
                "test": "pytest",
                "coverage": "pytest --cov=src --cov-report=json",
            },
            id="ruff, mypy, pytest",
        ),
        pytest.param(
            {**PYTHON, "uv.lock": ""},
            {
                "lint": "uv run ruff check .",
                "typecheck": "uv run mypy .",
                "test": "uv run pytest",
                "coverage": "uv run pytest --cov=src --cov-report=json",
            },
            id="uv",
        ),
        pytest.param({"shop/__init__.py": "", "test_shop.py": ""}, {"test": "pytest"}, id="bare Python"),
        pytest.param(
            {"setup.cfg": "", ".flake8": "", "pyrightconfig.json": "", "tests/test_a.py": ""},
            {"lint": "flake8", "typecheck": "pyright", "test": "pytest"},
            id="flake8, pyright",
        ),
        pytest.param(
            VITEST,
            {
                "lint": "npx --no-install eslint .",
                "typecheck": "npx --no-install tsc --noEmit",
                "test": "npx --no-install vitest run",
                "coverage": "npx --no-install vitest run --coverage.enabled --coverage.reporter=lcovonly",
            },
            id="vitest, no scripts",
        ),
        pytest.param(
            {
                "package.json": package(
                    scripts={"lint": "eslint .", "type-check": "tsc", "test": "jest"}, devDependencies={"jest": "*"}
                ),
                "pnpm-lock.yaml": "",
            },
            {
                "lint": "pnpm run lint",
                "typecheck": "pnpm run type-check",
                "test": "pnpm test",
                "coverage": "pnpm exec jest --coverage --coverageReporters=lcovonly",
            },
            id="jest, own scripts, pnpm",
        ),
        pytest.param(
            {
                "package.json": package(
                    scripts={"test": "jest --ci"},
                    devDependencies={"vitest": "*", "@vitest/coverage-v8": "*", "jest": "*"},
                ),
            },
            {"test": "npm test", "coverage": "npx --no-install jest --coverage --coverageReporters=lcovonly"},
            id="two runners, and the script starts one",
        ),
        pytest.param(
            {"package.json": package(scripts={"test": 'echo "Error: no test specified" && exit 1'})},
            {},
            id="npm's placeholder is no test command",
        ),
        pytest.param({"main.go": ""}, {}, id="an unknown kind of project"),
    ],
)
def test_commands(files: Mapping[str, str], commands: Mapping[str, str]) -> None:
    found = detected(files)
    steps = ("lint", "typecheck", "test", "coverage")
    assert {key: value for key in steps if (value := getattr(found.context.commands, key))} == commands
    assert set(found.missing) == {"tests" if key == "test" else key for key in steps if key not in commands}


def test_the_rest_of_a_context() -> None:
    context = detected(PYTHON).context
    assert (context.project.name, context.project.language) == ("shop", "python")
    assert context.paths.source == ["src/"]
    assert context.paths.tests == ["tests/"]
    assert context.paths.coverage_report == "coverage.json"
    assert context.context.test_framework == "pytest"
    assert detected(VITEST).context.project.language == "typescript"
    assert detected({"a/b.py": ""}).context.project.name == "thing"


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json"])
def test_a_broken_project_file_is_not_the_detectors_problem(name: str) -> None:
    assert detected({name: "{[", "a.py": ""}).context.project.name == "thing"
