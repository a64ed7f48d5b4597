"""What the tools work with: the project's stores, and the agent's turn where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ralph.events import emitting, inbox, tokens
from ralph.events.door import Rules
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task, TaskStatus
from ralph.loop.plan.transitions import find
from ralph.loop.saved import StateStore
from ralph.loop.words import Phase
from ralph.mcp.model import ToolError
from ralph.permissions.model import Action
from ralph.record import field, record
from ralph.system import clock
from ralph.verdict import Verdict


@record(kw_only=True)
class Seat:
    """An agent's turn as Ralph knows it: its inbox and token, and the rules by which `ralph emit` reads a claim."""

    turn: inbox.Turn
    rules: Rules
    phase: Phase
    folder: Path
    token: str = field(repr=False)

    @classmethod
    def of(cls, environ: Mapping[str, str], phase: Phase) -> Seat:
        """The turn that this environment belongs to; `phase` if it has no task. Raises UsageError outside of one."""
        folder, card = inbox.card(environ)
        token = environ.get(tokens.VARIABLE, "")
        here = Phase.BUILDING if card.turn.task else phase
        return cls(turn=card.turn, rules=card.rules, phase=here, folder=folder, token=token)

    def publish(self, topic: str, payload: str, tool: str | None = None) -> Mapping[str, Any]:
        """Post an event; what the door says of it at once. Raises ToolError if it refuses it.

        `tool` marks a claim that was made by calling it.
        """
        said = emitting.publish(self.folder, self.turn, self.rules, topic, payload, self.token, tool)
        if said["outcome"] == "refused":
            raise ToolError(said["message"])
        return said

    def say(self, topic: str, payload: str, tool: str) -> None:
        """Post a word about the task or the phase, which is no event. Raises ToolError if the turn is not this one."""
        if why := tokens.objection(self.token, self.rules.seal):
            raise ToolError(f"{tool} was refused: {why}.")
        inbox.post(self.folder, topic, payload, self.token, tool)


@record(kw_only=True)
class Approval:
    """What came of asking a person. `state` `not needed` and `refused` are Ralph's own answers."""

    state: Literal["not needed", "approved", "rejected", "suggested", "unanswered", "expired", "withdrawn", "on use"]
    message: str
    request: str | None = None


Verify = Callable[[], Verdict]
Ask = Callable[[Action, str], Approval]


@record(kw_only=True)
class Desk:
    """`seat` is None outside of a turn. `verify` measures the tree as it is, `ask` puts an action before a person;
    None where nobody can."""

    root: Path
    plan: PlanStore
    states: StateStore
    seat: Seat | None = None
    verify: Verify | None = None
    ask: Ask | None = None
    now: Callable[[], datetime] = clock.now

    def seated(self, tool: str) -> Seat:
        """Raises ToolError outside of a turn."""
        if self.seat is None:
            raise ToolError(f"{tool} speaks for an agent in a turn of `ralph run`, and this is none: nothing was done.")
        return self.seat

    def selected(self, task_id: str, tool: str) -> tuple[Seat, Task]:
        """The turn, and the task if it is the one that was selected for it. Raises ToolError, PlanError."""
        seat = self.seated(tool)
        task = find(self.plan.load(), task_id)
        if seat.turn.task is None:
            raise ToolError(f"No task was selected for this turn ({seat.phase}), so there is none to speak for.")
        if task_id != seat.turn.task:
            raise ToolError(
                f"Ralph selects the tasks, and this turn is for {seat.turn.task!r}, not for {task_id!r}: work on that."
            )
        return seat, task

    def at_work(self, task_id: str, tool: str) -> Seat:
        """The turn, if the task is the one at work in it. Raises ToolError, PlanError."""
        seat, task = self.selected(task_id, tool)
        if task.status is not TaskStatus.IN_PROGRESS:
            raise ToolError(
                f"The task {task_id!r} is {task.status}, not in progress: there is nothing to say about it."
            )
        return seat
