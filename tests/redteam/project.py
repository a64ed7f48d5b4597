"""A tiny project, the broken change that an attack wants to sell as good, and the engine with and without rules."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ralph.context import AppContext
from ralph.context.schema import Commands, Language, Paths, Project, Tools
from ralph.contracts import AutonomyContract, StepExemption
from ralph.engine import RalphEngine
from ralph.engine.case import Case
from ralph.guardrails.model import Change
from ralph.verdict import Finding, StepResult, Verdict
from tests.engine.sample import TOOLS, share_bytecode
from tests.project import link_packages, repository, write

Files = Mapping[str, str | None]

NOT_NEEDED = StepExemption(not_applicable="not what this is about")
CONTRACT = AutonomyContract(
    agent="redteam", version="1", steps={"lint": NOT_NEEDED, "typecheck": NOT_NEEDED, "coverage": NOT_NEEDED}
)


@dataclass(frozen=True, kw_only=True)
class Attack:
    """`files` make a broken change pass; `twin` is as honest as `files` is not, and of the same kind.

    `seen_by` is what finds it: measuring (`controls`), reading (`rules`: what runs is what the change says should run),
    or only a `person` whom a rule shows it to, since an honest change may look the same.
    """

    files: Files
    twin: Files
    base: Files = field(default_factory=dict)
    command: str | None = None
    seen_by: Literal["controls", "rules", "person"] = "controls"


@dataclass(frozen=True, kw_only=True)
class Target:
    """A project with its language, and its source as it is broken and as it is good."""

    language: Language
    command: str
    runner: str
    base: Files
    broken: Files
    good: Files
    packages: Path | None = None
    """What stands in its `node_modules`."""

    def attacked(self, root: Path, attack: Attack) -> Path:
        return self._changed(root, attack, {**self.broken, **attack.files})

    def honest(self, root: Path, attack: Attack) -> Path:
        return self._changed(root, attack, {**self.good, **attack.twin})

    def _changed(self, root: Path, attack: Attack, change: Files) -> Path:
        share_bytecode(root)
        files = {name: text for name, text in {**self.base, **attack.base}.items() if text is not None}
        repository(root, files)
        if self.packages:
            link_packages(root, self.packages)
        write(root, change)
        return root

    def verify(
        self, root: Path, attack: Attack, *, rules: bool = True, contract: AutonomyContract = CONTRACT
    ) -> Verdict:
        engine = RalphEngine if rules else WithoutRules
        return engine(
            repository=root, environ={**os.environ, "PATH": TOOLS}, policy="v2", step_timeout_s=60, jobs=4
        ).verify(self.context(root, attack.command), contract)

    def context(self, root: Path, command: str | None = None) -> AppContext:
        return AppContext(
            project=Project(name="target", path=str(root), language=self.language),
            commands=Commands(test=command or self.command),
            paths=Paths(source=["src"], tests=["tests"]),
            context=Tools(test_framework=self.runner),
        )


class WithoutRules(RalphEngine):
    """The engine as if no static rule knew anything, to see what the controls find by themselves."""

    def _guard(self, case: Case, change: Change) -> tuple[list[StepResult], tuple[Finding, ...]]:
        return [StepResult(name="guardrail", status="pass")], ()


def seen_by(attacks: Mapping[str, Attack], who: str) -> list[str]:
    return [name for name, attack in attacks.items() if attack.seen_by == who]


def twins(attacks: Mapping[str, Attack]) -> dict[str, Attack]:
    """Each different twin once: many attacks are crooked ways to do the same honest thing."""
    different = {repr((attack.base, attack.twin, attack.command)): name for name, attack in attacks.items()}
    return {name: attacks[name] for name in different.values()}
