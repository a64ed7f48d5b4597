"""Desks at which an agent's tools are tried: a project with a plan, and a turn in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ralph.events import inbox, tokens
from ralph.events.door import Emission, Evidence, Rules
from ralph.hats.model import Hat
from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task
from ralph.loop.saved import StateStore
from ralph.loop.toolbox import Desk, Seat, tools
from ralph.loop.toolbox.desk import Ask, Verify
from ralph.loop.words import Phase
from ralph.mcp.answer import Answer, answer

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EVIDENCE = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
BUILDER = Hat(
    id="builder",
    name="Builder",
    triggers=("build.task", "build.blocked"),
    publishes=("build.done", "escalate.human"),
)


@dataclass(frozen=True)
class Situation:
    """A project, and what its agent may do in it."""

    desk: Desk

    @property
    def plan(self) -> PlanStore:
        return PlanStore(self.desk.root)

    def status(self, task_id: str) -> str:
        return str(transitions.find(self.plan.load(), task_id).status)

    def call(self, name: str, /, **arguments: Any) -> Answer:
        """As an agent calls it: one of the tools that are offered here."""
        reported: list[str] = []
        told = answer(tools(self.desk), name, arguments, reported.append)
        assert not reported
        return told

    def done(self, name: str, /, **arguments: Any) -> Mapping[str, Any]:
        told = self.call(name, **arguments)
        assert told.data is not None, told.text
        return told.data

    def refused(self, name: str, /, **arguments: Any) -> str:
        """The refusal, which changed no file of the project and posted nothing."""
        before = self.files()
        told = self.call(name, **arguments)
        assert told.refused, told.text
        assert self.files() == before
        return told.text

    def posted(self) -> list[tuple[str, str, str | None]]:
        """Topic, payload and tool of what stands in the inbox of the turn."""
        return [(each.topic, each.payload, each.tool) for each in self.emissions()]

    def emissions(self) -> list[Emission]:
        assert self.desk.seat is not None
        found, _ = inbox.collect(self.desk.seat.folder, self.desk.seat.turn)
        return [each for each in found if isinstance(each, Emission)]

    def files(self) -> dict[Path, bytes]:
        """Everything below the project and its inbox; locks apart."""
        found = {path: path.read_bytes() for path in self.desk.root.parent.rglob("*") if path.is_file()}
        return {path: data for path, data in found.items() if path.suffix != ".lock"}


def situation(
    folder: Path,
    *tasks: Task,
    at_work: str | None = None,
    phase: Phase | None = None,
    evidence: Evidence = "measured",
    verify: Verify | None = None,
    ask: Ask | None = None,
) -> Situation:
    """A project with these tasks. With `at_work` or `phase` there is a turn in it."""
    root = folder / "project"
    root.mkdir()
    plan = PlanStore(root, now=lambda: NOW)
    if tasks:
        plan.change(lambda plan: replace(plan, tasks=tasks))
    if at_work:
        plan.change(lambda plan: transitions.start(plan, at_work))
    seat = None
    if at_work or phase:
        seat = seated(folder / "inbox", at_work, phase or Phase.BUILDING, evidence)
    desk = Desk(root=root, plan=plan, states=StateStore(root), seat=seat, verify=verify, ask=ask, now=lambda: NOW)
    return Situation(desk)


def seated(folder: Path, task: str | None, phase: Phase, evidence: Evidence = "measured") -> Seat:
    token, seal = tokens.mint(7)
    turn = inbox.Turn(iteration=7, hat="builder" if task else None, agent="scripted", task=task)
    rules = Rules(hats=(BUILDER,), evidence=evidence, seal=seal)
    inbox.open_turn(folder, turn, rules, token)
    return Seat(turn=turn, rules=rules, phase=phase, folder=folder, token=token)


def task(task_id: str, **fields: Any) -> Task:
    return Task(**{"id": task_id, "description": f"Do {task_id}.", **fields})
