"""A project with a queue of approvals: an agent asks, a person answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from ralph.approvals.answering import Desk
from ralph.approvals.model import Answer, Decision, Entry, Request
from ralph.approvals.queue import Queue
from ralph.permissions.model import (
    Action,
    ApprovalClass,
    ApprovalRules,
    CheckRules,
    CommandRules,
    FileRules,
    Outcome,
    Permissions,
    RunCommand,
)
from ralph.permissions.model import Decision as Judgement
from ralph.record import replace

POLICY = Permissions(
    version=1,
    mode="delivery",
    files=FileRules(),
    commands=CommandRules(),
    approval=ApprovalRules(required_for=frozenset(ApprovalClass)),
    checks=CheckRules(),
    digest="ab" * 32,
)
LENIENT = replace(POLICY, approval=replace(POLICY.approval, require_reason=False))
INSTALL = RunCommand("npm install left-pad")
JUDGEMENT = Judgement(
    outcome=Outcome.APPROVE,
    rule="approval.requiredFor: dependency_changes",
    reason="it adds a dependency",
    classes=(ApprovalClass.DEPENDENCY,),
    alternative="use what is installed",
)
START = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class Situation:
    """One project; `agent()` gives another process of an agent, as it were."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.clock = Clock()
        self.queue = self.agent()
        self.desk = Desk(root, {}, now=self.clock)

    @property
    def folder(self) -> Path:
        return self.root / ".ralph" / "approvals"

    def agent(self) -> Queue:
        return Queue(self.root, now=self.clock)

    def ask(
        self, action: Action = INSTALL, policy: Permissions = POLICY, *, queue: Queue | None = None, session: str = "s1"
    ) -> Request:
        return (queue or self.queue).ask(action, JUDGEMENT, policy, agent="claude", session=session)

    def decide(self, request: Request, decision: Decision = Decision.APPROVED, text: str = "") -> Answer:
        seen = self.desk.find(request.id).request
        assert seen is not None
        return self.desk.answer(seen, decision, reason="needed", text=text)

    def entry(self, request: Request) -> Entry:
        return self.desk.find(request.id)

    def file(self, request: Request, kind: str) -> Path:
        return self.folder / f"{request.id}.{kind}.json"
