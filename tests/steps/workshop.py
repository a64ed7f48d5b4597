"""A small project to run real steps in, and the one function that runs them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ralph.permissions.sandbox.probe import enforced_level
from ralph.steps.base import Requirement, Workplace
from ralph.steps.environment import clean_environment
from ralph.steps.run import run_step
from ralph.steps.sandbox import Sandbox
from ralph.verdict import StepResult

REPOSITORY = Path(__file__).parents[2]
NODE_MODULES = REPOSITORY / "tests" / "node" / "node_modules"
needs_node = pytest.mark.skipif(not NODE_MODULES.is_dir(), reason="run `npm ci --ignore-scripts` in tests/node")


@dataclass(frozen=True)
class Workshop:
    """A project directory whose steps see the tools that run this test."""

    root: Path
    outside: Path
    timeout_s: float = 60.0
    path: tuple[str, ...] = field(default=(str(Path(sys.executable).parent),))

    @classmethod
    def at(cls, tmp_path: Path, files: dict[str, str], *, node: bool = False) -> Workshop:
        root = tmp_path / "project"
        for name, content in files.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        root.mkdir(exist_ok=True)
        if node:
            (root / "node_modules").symlink_to(NODE_MODULES)
        return cls(root=root, outside=tmp_path / "outside")

    @property
    def evidence(self) -> Path:
        return self.outside / "evidence"

    def run(
        self,
        name: str,
        command: str | None,
        *,
        hint: str | None = None,
        report: str | None = None,
        keep: tuple[str, ...] = (),
        requirement: Requirement = Requirement(),  # noqa: B008
        timeout_s: float | None = None,
    ) -> StepResult:
        scratch = self.outside / "scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        started_with = {**os.environ, "PATH": ":".join([*self.path, os.environ["PATH"]])}
        # One place for byte code, as in real use: each test compiling pytest anew would take seconds.
        bytecode = REPOSITORY / ".pytest_cache" / "steps-bytecode"
        return run_step(
            name,
            command,
            workplace=Workplace(
                root=self.root,
                evidence=self.evidence,
                aside=self.outside / "aside",
                env=clean_environment(started_with, root=self.root, scratch=scratch, bytecode=bytecode),
                sandbox=Sandbox(level=enforced_level(), writable=(scratch, bytecode), readable=(REPOSITORY,)),
                timeout_s=timeout_s or self.timeout_s,
            ),
            tool_hint=hint,
            report_path=report,
            keep=keep,
            requirement=requirement,
        )
