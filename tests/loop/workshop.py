"""A place where runs of the loop can be watched: a real repository, a real runner, and any agent."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ralph.agents.base import Agent, Record
from ralph.agents.scripted import ScriptedAgent
from ralph.context import AppContext
from ralph.contracts import load as load_contract
from ralph.events import log
from ralph.events.door import Evidence, Rules
from ralph.events.model import Event
from ralph.hats.loader import load as load_preset
from ralph.hats.model import Topology
from ralph.hook.court import POLICY
from ralph.loop import journal
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.control import hold
from ralph.loop.inputs import Begun, Input, Settings
from ralph.loop.journal import Journal
from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.published import Published
from ralph.loop.runner import Runner
from ralph.loop.saved import StateStore
from ralph.loop.site import Site
from ralph.loop.state import State
from ralph.loop.words import Phase
from ralph.permissions.loader import parse
from ralph.permissions.sandbox.probe import enforced_level
from ralph.system.git import open_repository
from ralph.system.places import EXCLUDED
from ralph.verdict import StepResult

RUN = "20260101T000000000Z-000000000000"
LAW: Mapping[str, Any] = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["."], "denyRead": [], "denyWrite": [".git"]},
    "commands": {"allow": ["bash", "python -m pytest"], "deny": ["sudo"], "packs": ["readonly-tools", "readonly-git"]},
    "approval": {"requiredFor": [], "requireReason": True},
    "checks": {"required": [], "rollbackOnFail": True},
}
TASK = Task(id="one", description="Do it.")


@dataclass
class Watcher:
    """Remembers what it saw."""

    inputs: list[Input] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    def moved(self, given: Input | None, state: State) -> None:
        self.inputs += [given] if given else []

    def record(self, record: Record) -> None:
        self.records.append(record)

    def measured(self, step: str, result: StepResult | None) -> None:
        """Steps are not looked at."""

    def told(self) -> list[str]:
        """What the agent was told, turn by turn."""
        return [line for each in self.inputs for line in getattr(each, "told", ())]


@dataclass
class Workshop:
    """A run at `root`. `play` gives the agent by its name, `settings` what holds in the run."""

    root: Path
    play: Callable[[str], Agent]
    topology: Topology = field(default_factory=lambda: load_preset("builder"))
    evidence: Evidence = "claimed"
    context: AppContext | None = None
    law: Mapping[str, Any] = field(default_factory=lambda: LAW)
    settings: Settings = field(
        default_factory=lambda: Settings(limits=Limits(iterations=60), breaker=BreakerSettings())
    )
    prompt: str = "Do it."
    view: Watcher = field(default_factory=Watcher)
    site_with: Mapping[str, Any] = field(default_factory=dict)

    def plan(self, *tasks: Task) -> ImplementationPlan:
        return PlanStore(self.root).change(lambda plan: transitions.add(plan, *tasks))

    @property
    def tasks(self) -> dict[str, Task]:
        return {task.id: task for task in PlanStore(self.root).load().tasks}

    @property
    def site(self) -> Site:
        repo = open_repository(self.root)
        repo.exclude(EXCLUDED)
        folder = repo.root / journal.RUNS / RUN
        folder.mkdir(parents=True, exist_ok=True)
        document = json.dumps(dict(self.law)).encode()
        (folder / POLICY).write_bytes(document)
        permissions = parse(document, "the policy of the test")
        made = Site(
            repo=repo,
            folder=folder,
            permissions=permissions,
            contract=load_contract("feature"),
            topology=self.topology,
            rules=Rules(hats=self.topology.hats, evidence=self.evidence),
            agents=self.play,
            view=self.view,
            level=enforced_level(),
            published=Published(repo.root, self.topology.hats),
            plan=PlanStore(repo.root),
            saved=StateStore(repo.root),
            context=self.context,
            env=environment(),
            preset=self.topology.name != "builder",
            wait_s=0.2,
        )
        return replace(made, **self.site_with)

    def begin(self, phase: Phase = Phase.BUILDING, **more: Any) -> State:
        """A new run, to its end."""
        site = self.site
        begun = Begun(
            run=RUN,
            prompt=self.prompt,
            phase=phase,
            agent="scripted",
            settings=self.settings,
            base=site.repo.head(),
            tree=site.tree(),
            plan=site.plan_version(),
            **more,
        )
        return self._run(site, journal.begin(site.root, begun, site.now()))

    def go_on(self, *first: Input) -> State:
        """The run that was cut off or has ended, to its end; `first` is written into its log before."""
        site = self.site
        found = journal.read(site.folder)
        for given in first:
            found.add(given, site.now())
        return self._run(site, found)

    def _run(self, site: Site, found: Journal) -> State:
        with hold(site.root, RUN) as alive:
            return Runner(site=site, journal=found, alive=alive).run()

    @property
    def published(self) -> list[Event]:
        """The events of hats and of Ralph's answers to them."""
        events, _ = log.read(self.root / log.LOG)
        return [event for event in events if not event.topic.startswith("loop.")]


def environment() -> dict[str, str]:
    """This test's own, with the tools beside this interpreter first."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def scripted(*turns: Sequence[tuple[str, Any]]) -> Callable[[str], Agent]:
    """The same agent for everybody, with a turn for each iteration."""
    agent = ScriptedAgent("scripted", tuple(tuple(turn) for turn in turns))
    return lambda name: agent


def claim(topic: str, payload: str = "") -> tuple[tuple[str, Any], ...]:
    return (("claim", {"topic": topic, "payload": payload}),)


def tool(name: str, **arguments: Any) -> tuple[str, Any]:
    return ("tool", {"name": name, "arguments": arguments})
