"""How the files of a language end: what its tools look at, whatever else the project is written in."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.config.node import names
from ralph.guardrails.languages import language_of

PY = (".py", ".pyi")
JS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte")
LOOKED_AT_BY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        names(
            "ruff flake8 pylint mypy dmypy pyright basedpyright pyre ty pyrefly bandit black isort autopep8 yapf"
            " vulture pytest py.test coverage nose2 ward mutmut radon xenon pydocstyle pyupgrade autoflake interrogate"
        ),
        PY,
    ),
    **dict.fromkeys(
        names("eslint xo standard oxlint tslint jest vitest mocha ava tap c8 nyc tsc ts-unused-exports knip"), JS
    ),
    **dict.fromkeys(names("golangci-lint revive staticcheck gosec"), (".go",)),
    **dict.fromkeys(names("rubocop standardrb reek brakeman"), (".rb", ".erb")),
    **dict.fromkeys(names("phpstan psalm phpunit phpcs"), (".php",)),
}
"""By the names of programs; of others nobody knows here."""


def is_foreign(path: str, suffixes: tuple[str, ...]) -> bool:
    """A source file of another language than that of the files with these endings."""
    return not path.endswith(suffixes) and language_of(path) is not None
