"""What an application tells Ralph: where it is, which commands measure it, where its reports lie.

Spec: governance engine 2.2. A context gives facts and never rules: thresholds, patterns, verdicts and step
order belong to the policy (`context.loader` refuses them at any depth).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Language = Literal[
    "python",
    "typescript",
    "javascript",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "ruby",
    "php",
    "cpp",
    "shell",
    "other",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """`path` may begin with `~`; relative paths are taken from the current directory."""

    name: str
    path: str
    language: Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Shell lines, each run in the project's root. A required step without one could not be verified."""

    lint: str | None = None
    typecheck: str | None = None
    test: str | None = None
    coverage: str | None = None
    build: str | None = None
    audit: str | None = None
    complexity: str | None = None
    duplication: str | None = None
    mutation: str | None = None

    def for_step(self, step: str) -> str | None:
        """The command of a step by the step's name (`tests` is the command `test`)."""
        value: str | None = getattr(self, "test" if step == "tests" else step)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where things lie, relative to the project's root. Reports named here are moved aside before a run."""

    source: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    coverage_report: str | None = None
    test_report: str | None = None
    tsconfig: str | None = None
    pyproject: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Which tools the commands run, where the command's words do not tell (key `context` of the file)."""

    package_manager: str | None = None
    test_framework: str | None = None
    lint_tool: str | None = None
    typecheck_tool: str | None = None

    def for_step(self, step: str) -> str | None:
        hints = {"lint": self.lint_tool, "typecheck": self.typecheck_tool}
        return self.test_framework if step in ("tests", "coverage") else hints.get(step)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """An application's context, read strictly. `autonomy_level` may only be stricter than the contract's."""

    project: Project
    commands: Commands
    paths: Paths = field(default_factory=Paths)
    context: Tools = field(default_factory=Tools)
    autonomy_level: Literal["L1", "L2"] = "L1"

    @classmethod
    def from_yaml(cls, path: Path) -> AppContext:
        """Read a context file. Raises ConfigError or PolicyOverrideError."""
        from ralph.context.loader import read_context

        return read_context(path)
