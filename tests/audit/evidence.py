"""Verdicts that are quick to come by, for tests of what is kept of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ralph.context import AppContext, Commands, Project
from ralph.contracts import AutonomyContract, StepExemption
from ralph.engine import RalphEngine
from ralph.verdict import Verdict
from tests.project import repository, write

CONTEXT = AppContext(project=Project(name="words", path=".", language="other"), commands=Commands())
CONTRACT = AutonomyContract(
    agent="words",
    version="1",
    steps={name: StepExemption(not_applicable="only words") for name in ("lint", "typecheck", "tests", "coverage")},
)


def words(root: Path, **changed: str) -> Path:
    """A repository of words, with uncommitted changes on top."""
    repository(root, {"a.md": "one\n", "b.py": "x = 1\n"})
    write(root, {name.replace("_", "."): text for name, text in changed.items()})
    return root


def verdict(root: Path, **options: Any) -> Verdict:
    return RalphEngine(repository=root, **options).verify(CONTEXT, CONTRACT)
