"""Where a run takes place: the project, its law, and the rooms that keep its things. Fixed while the run is at work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

from ralph.agents.base import Agent, Record
from ralph.context import AppContext
from ralph.contracts import AutonomyContract, Limits
from ralph.engine import RalphEngine
from ralph.events.door import Evidence, Rules
from ralph.exceptions.excusing import excuses
from ralph.hats.model import Topology
from ralph.loop.inputs import Input
from ralph.loop.plan.files import PlanStore
from ralph.loop.published import Published
from ralph.loop.saved import StateStore
from ralph.loop.state import State
from ralph.permissions.model import Permissions
from ralph.permissions.sandbox.model import Level
from ralph.record import field, record, replace
from ralph.steps.environment import clean_environment
from ralph.system import clock
from ralph.system.git import Repository
from ralph.system.places import bytecode_dir, shadow_dir
from ralph.system.tree import snapshot
from ralph.verdict import StepResult

UNLIMITED = 2**31


class View(Protocol):
    """Who watches. Nothing that a view does changes the run."""

    def moved(self, given: Input | None, state: State) -> None: ...
    def record(self, record: Record) -> None: ...
    def measured(self, step: str, result: StepResult | None) -> None: ...


@record(kw_only=True)
class Site:
    """`agents` gives an agent by its name. Without a `context` nothing is measured but tasks' own criteria."""

    repo: Repository
    folder: Path
    permissions: Permissions
    contract: AutonomyContract
    topology: Topology
    rules: Rules
    agents: Callable[[str], Agent]
    view: View
    level: Level
    published: Published
    plan: PlanStore
    saved: StateStore
    context: AppContext | None = None
    accepted: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    preset: bool = False
    """Hats that a person asked for; without, the phase's own words guide the one builder there is."""
    attended: bool = False
    wait_s: float = 50.0
    """How long an agent's call waits for a person's approval."""
    now: Callable[[], datetime] = clock.now

    @property
    def root(self) -> Path:
        return self.repo.root

    @property
    def evidence(self) -> Evidence:
        return self.rules.evidence

    def plan_version(self) -> str:
        """A digest of what the tasks are, "" without a plan. How far they are is Ralph's own doing."""
        plan = self.plan.load_or_none()
        if plan is None:
            return ""
        told = [
            (task.id, task.description, task.priority, task.dependencies, task.verification_criteria, task.spec_files)
            for task in plan.tasks
        ]
        return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def step_env(self) -> Mapping[str, str]:
        """The environment of what Ralph runs itself beside the engine's steps."""
        return clean_environment(self.env, root=self.root, scratch=self.folder, bytecode=bytecode_dir(self.root))

    def tree(self) -> str:
        """The tree of the working copy as it is now. Raises RepositoryError."""
        return snapshot(self.repo, shadow_dir(self.root)).tree

    def engine(self, base: str | None) -> RalphEngine:
        """The engine, for a change since `base`."""
        return RalphEngine(
            repository=self.root,
            base=base,
            accepted=self.accepted,
            exceptions=excuses(self.root),
            checks=self.checks,
            environ=self.env,
            progress=self.view.measured,
        )

    def whole(self) -> AutonomyContract:
        """The contract for all of a run's work: each task kept to its size, so that all of them together need not."""
        return replace(self.contract, limits=Limits(lines_added=UNLIMITED, files_changed=UNLIMITED))
