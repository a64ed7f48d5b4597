"""What an application tells Ralph: where it is, which commands measure it, where its reports lie.

Spec: governance engine 2.2. A context gives facts and never rules: thresholds, patterns, verdicts and step
order belong to the policy (`context.loader` refuses them at any depth).
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ralph.record import field, record

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


@record(kw_only=True)
class Project:
    """`path` may begin with `~`; relative paths are taken from the current directory."""

    name: str
    """Shown in verdicts and evidence."""
    path: str
    """Where the project lies; for a context inside the repository write `.`."""
    language: Language
    """What the project is written in."""


@record(kw_only=True)
class Commands:
    """Shell lines, each run in the project's root. A required step without one could not be verified."""

    lint: str | None = None
    """The linter."""
    typecheck: str | None = None
    """The type checker."""
    test: str | None = None
    """The tests."""
    coverage: str | None = None
    """The tests, with a coverage report."""
    build: str | None = None
    """Optional; once given, it must end with exit code 0."""
    audit: str | None = None
    """Optional, as `build`."""
    complexity: str | None = None
    """Optional, as `build`."""
    duplication: str | None = None
    """Optional, as `build`."""
    mutation: str | None = None
    """Optional, as `build`."""

    def for_step(self, step: str) -> str | None:
        """The command of a step by the step's name (`tests` is the command `test`)."""
        value: str | None = getattr(self, "test" if step == "tests" else step)
        return value


@record(kw_only=True)
class Paths:
    """Where things lie, relative to the project's root. Reports named here are moved aside before a run."""

    source: list[str] = field(default_factory=list)
    """Folders of the code."""
    tests: list[str] = field(default_factory=list)
    """Folders of the tests."""
    coverage_report: str | None = None
    """What the coverage command writes; required for coverage."""
    test_report: str | None = None
    """What the test command writes, for runners that Ralph cannot ask itself: a file, or a folder of `*.xml`."""
    tsconfig: str | None = None
    """Recorded; not read in this version."""
    pyproject: str | None = None
    """Recorded; not read in this version."""


@record(kw_only=True)
class Tools:
    """Which tools the commands run, where the command's words do not tell (key `context` of the file)."""

    package_manager: str | None = None
    """Recorded."""
    test_framework: str | None = None
    """The tool behind a test command that does not name it, such as `make test`."""
    lint_tool: str | None = None
    """The tool behind a lint command that does not name it."""
    typecheck_tool: str | None = None
    """The tool behind a type checking command that does not name it."""

    def for_step(self, step: str) -> str | None:
        hints = {"lint": self.lint_tool, "typecheck": self.typecheck_tool}
        return self.test_framework if step in ("tests", "coverage") else hints.get(step)


@record(kw_only=True)
class AppContext:
    """An application's context, read strictly. `autonomy_level` may only be stricter than the contract's."""

    project: Project
    """What is measured."""
    commands: Commands
    """How it is measured."""
    paths: Paths = field(default_factory=Paths)
    """Where things lie."""
    context: Tools = field(default_factory=Tools)
    """Which tools the commands run."""
    autonomy_level: Literal["L1", "L2"] = "L1"
    """May only make the contract's level stricter: with `L1` a finding for review needs a person."""

    @classmethod
    def from_yaml(cls, path: Path) -> AppContext:
        """Read a context file. Raises ConfigError or PolicyOverrideError."""
        from ralph.context.loader import read_context

        return read_context(path)
