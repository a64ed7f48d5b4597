"""The words of approvals as records (design decisions 24 and 27; spec: policy engine, human on the loop).

Everything here is data. Times are RFC 3339 UTC with milliseconds, so that what is signed is what is shown.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from ralph.permissions.model import Action, ReadPath, RunCommand, WritePath
from ralph.record import record
from ralph.system.clock import rfc3339

CLOCK_STEP = timedelta(minutes=5)
"""How far a clock that was set back may lie before the moment of asking; further, and the request counts as expired."""


@record(kw_only=True)
class Shown:
    """An action as a person is shown it, and as it is hashed: the line, the path or the tool in `text`."""

    kind: Literal["command", "read", "write", "tool"]
    text: str
    cwd: str | None = None
    subject: str | None = None
    """What a tool is used on."""
    content_digest: str | None = None
    deletes: bool = False


@record(kw_only=True)
class Request:
    """A question to a person. `digest` (see `wire`) names every byte of it, `action_hash` what would be done."""

    id: str
    root: str
    action: Shown
    action_hash: str
    policy_digest: str
    classes: tuple[str, ...]
    rule: str
    reason: str
    alternative: str | None
    agent: str
    session: str
    asked_at: str
    expires_at: str
    requires_reason: bool
    detail: str = ""
    """What helps a person decide: the change to a file, the bodies of scripts. Never part of the action."""

    def is_open_at(self, now: datetime) -> bool:
        """False once it has expired, and by a clock that lies well before the moment of asking."""
        return moment(self.asked_at) - CLOCK_STEP <= now < moment(self.expires_at)


class Decision(StrEnum):
    """What became of a request. Only APPROVED lets anything happen."""

    APPROVED = "approved"
    REJECTED = "rejected"
    SUGGESTED = "suggested"
    """Rejected, with a safer alternative for the agent."""
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    UNANSWERED = "unanswered"
    """Nobody decided within the time that the asker could wait. The request stays open for the next attempt."""


PERSONS = (Decision.APPROVED, Decision.REJECTED, Decision.SUGGESTED)
"""The decisions that a person makes, and signs."""


@record(kw_only=True)
class Answer:
    """A decision and its rationale. `text` is the safer alternative; without a person `who` and `keyid` are None."""

    decision: Decision
    reason: str
    text: str = ""
    who: str | None = None
    keyid: str | None = None
    decided_at: str | None = None

    @property
    def approved(self) -> bool:
        return self.decision is Decision.APPROVED


class Status(StrEnum):
    """Where a request stands, for a list."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUGGESTED = "suggested"
    USED = "used"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    DAMAGED = "damaged"
    """A file of it was changed by somebody else than Ralph; it approves nothing."""


@record(kw_only=True)
class Entry:
    """One request of the queue: `request` is None if it cannot be read, `problem` says why it is damaged."""

    id: str
    status: Status
    request: Request | None
    answer: Answer | None = None
    problem: str | None = None
    waiting: bool = False
    """An agent waits for the answer at this moment."""


def shown(action: Action) -> Shown:
    """An action in the form in which it is shown and hashed."""
    match action:
        case RunCommand():
            return Shown(kind="command", text=action.text, cwd=action.cwd)
        case ReadPath():
            return Shown(kind="read", text=action.path, cwd=action.cwd)
        case WritePath():
            return Shown(
                kind="write",
                text=action.path,
                cwd=action.cwd,
                content_digest=action.content_digest,
                deletes=action.deletes,
            )
        case _:
            return Shown(kind="tool", text=action.name, subject=action.detail)


def moment(text: str) -> datetime:
    """The time that `rfc3339` wrote. Raises ValueError."""
    time = datetime.fromisoformat(text)
    if rfc3339(time) != text or not text.endswith("Z"):
        raise ValueError(f"{text!r} is no time in UTC with milliseconds")
    return time
