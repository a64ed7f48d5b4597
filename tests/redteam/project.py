"""A tiny project, the broken change that an attack wants to sell as good, and the engine with and without rules."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ralph.context import AppContext
from ralph.context.schema import Commands, Language, Paths, Project, Tools
from ralph.contracts import AutonomyContract, StepExemption
from ralph.engine import RalphEngine
from ralph.engine.case import Case
from ralph.guardrails.model import Change
from ralph.verdict import Finding, StepResult, Verdict, VerdictType
from tests.engine.sample import BYTECODE, TOOLS, share_bytecode
from tests.project import git, link_packages, repository, write

Files = Mapping[str, str | None]

NOT_NEEDED = StepExemption(not_applicable="not what this is about")
CONTRACT = AutonomyContract(
    agent="redteam", version="1", steps={"lint": NOT_NEEDED, "typecheck": NOT_NEEDED, "coverage": NOT_NEEDED}
)


@dataclass(frozen=True, kw_only=True)
class Attack:
    """`files` make a broken change pass; `twin` is as honest as `files` is not, and of the same kind.

    `seen_by` is what finds it: measuring (`controls`), reading (`rules`: what runs is what the change says should run),
    or only a `person` whom a rule shows it to, since an honest change may look the same. `exit_code` is what the runner
    itself ends with: 0, or nobody would need a Ralph for the attack.
    """

    files: Files
    twin: Files
    base: Files = field(default_factory=dict)
    command: str | None = None
    seen_by: Literal["controls", "rules", "person"] = "controls"
    exit_code: int = 0


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

    def honest(self, root: Path, attack: Attack) -> Path:
        self.repository(root, attack)
        write(root, self.twin_of(attack))
        return root

    def twin_of(self, attack: Attack) -> Files:
        return {**self.good, **attack.twin}

    def repository(self, root: Path, attack: Attack) -> Path:
        """A new repository with the base that the attack needs."""
        share_bytecode(root)
        repository(root, self.files_of_the_base(attack))
        if self.packages:
            link_packages(root, self.packages)
        return root

    def files_of_the_base(self, attack: Attack) -> dict[str, str]:
        return {name: text for name, text in {**self.base, **attack.base}.items() if text is not None}

    def by_itself(self, root: Path, attack: Attack) -> int:
        """The exit code of the plain runner, with no Ralph around it."""
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "VITEST", "CI"))}
        environ |= {"PATH": TOOLS, "PYTHONPYCACHEPREFIX": str(BYTECODE), "GOCACHE": str(BYTECODE / "go")}
        command = ["bash", "-c", attack.command or self.command]
        return subprocess.run(command, cwd=root, env=environ, capture_output=True, check=False, timeout=300).returncode

    def verify(
        self, root: Path, attack: Attack, *, rules: bool = True, contract: AutonomyContract = CONTRACT
    ) -> Verdict:
        engine = RalphEngine if rules else WithoutRules
        return engine(
            repository=root, environ={**os.environ, "PATH": TOOLS}, policy="v2", step_timeout_s=300, jobs=4
        ).verify(self.context(root, attack.command), contract)

    def context(self, root: Path, command: str | None = None) -> AppContext:
        return AppContext(
            project=Project(name="target", path=str(root), language=self.language),
            commands=Commands(test=command or self.command),
            paths=Paths(source=["src"], tests=["tests"]),
            context=Tools(test_framework=self.runner),
        )


class Workshop:
    """Repositories by their base, used again and again: what the base gives is measured once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Path] = {}
        self._moments = itertools.count(1_700_000_000)

    def attacked(self, target: Target, attack: Attack) -> Path:
        return self._changed(target, attack, {**target.broken, **attack.files})

    def honest(self, target: Target, attack: Attack) -> Path:
        return self._changed(target, attack, target.twin_of(attack))

    def _changed(self, target: Target, attack: Attack, change: Files) -> Path:
        key = repr((target.command, target.files_of_the_base(attack)))
        if key not in self._made:
            self._made[key] = target.repository(self._folder / f"shop-{len(self._made)}", attack)
        root = self._made[key]
        share_bytecode(root)
        git(root, "reset", "-q", "--hard")
        git(root, "clean", "-fdq")
        write(root, change)
        moment = next(self._moments)  # byte code of another attack's file of the same size must not be taken for this
        for name in change:
            if (root / name).exists():
                os.utime(root / name, (moment, moment))
        return root


def is_caught(workshop: Workshop, target: Target, attack: Attack) -> Iterator[Verdict]:
    """The verdict with rules and controls together and, where a rule stopped that before anything ran, of the controls
    alone. That the runner itself is content is proved first."""
    root = workshop.attacked(target, attack)
    assert target.by_itself(root, attack) == attack.exit_code
    verdict = target.verify(root, attack)
    yield verdict
    if verdict.type is VerdictType.BLOCKED:
        yield target.verify(root, attack, rules=False)


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
