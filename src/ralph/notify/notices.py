"""What people are told of: a pure function of a run's log (before, after) and of the questions that are open.

Rules:

- A notice's id follows from the line that it is about (or from the question's id), so that whoever looks again after a
  crash makes the same notice again, and it is sent once.
- What an agent wrote is written out and cut short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ralph.approvals.model import Request
from ralph.config.notify import NotifyEvent
from ralph.loop import budget, effects
from ralph.loop.journal import Moment
from ralph.loop.moves import counted
from ralph.loop.state import State
from ralph.record import field, record
from ralph.system.text import visible

LONGEST = 500


@record(kw_only=True)
class Notice:
    """One message, before it is known who gets it. `at` is RFC 3339 UTC."""

    id: str
    event: NotifyEvent
    at: str
    title: str
    text: str
    data: Mapping[str, object] = field(default_factory=dict)


def between(before: State | None, now: Moment) -> list[Notice]:
    """What a line of the log gives rise to. `before` is the state that it found, None at the first."""
    if before is None:
        return []
    after = now.state
    found = [*_asked(before, after), *_trouble(before, after), *_budget(before, after), *_ended(before, after)]
    return [
        Notice(
            id=f"{after.run}.{now.number}.{event}.{place}",
            event=event,
            at=now.time,
            title=title,
            text=short(text),
            data={
                "run": after.run,
                "iteration": after.iteration,
                "task": after.work.task if after.work else None,
                "end": after.end,
                "cost_usd": round(after.total.cost_usd, 4),
            },
        )
        for place, (event, title, text) in enumerate(found)
    ]


def request(asked: Request) -> Notice:
    """An agent wants to do something that a person has to approve."""
    return Notice(
        id=f"approval.{asked.id}",
        event="approval",
        at=asked.asked_at,
        title="Ralph: approval asked",
        text=short(f"{asked.agent} asks for {asked.action.kind} {asked.action.text} ({', '.join(asked.classes)})"),
        data={"request": asked.id, "expires_at": asked.expires_at, "classes": list(asked.classes)},
    )


def short(text: str) -> str:
    shown = visible(text[: LONGEST + 1], keep="\n")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


Told = Iterator[tuple[NotifyEvent, str, str]]


def _asked(before: State, after: State) -> Told:
    asking = after.awaiting
    if isinstance(asking, effects.AskHuman) and not isinstance(before.awaiting, effects.AskHuman):
        yield "approval", "Ralph: a person is asked", asking.question


def _trouble(before: State, after: State) -> Told:
    if after.verdict == "BLOCKED" and after.verdict_run != before.verdict_run:
        yield "blocked", "Ralph: BLOCKED", f"The verdict {after.verdict_run} is BLOCKED."
    if new := [task for task in after.blocked if task not in before.blocked]:
        yield "blocked", "Ralph: tasks are blocked", f"Blocked: {', '.join(new)}."
    if after.breaker.state == "open" and before.breaker.state != "open":
        yield "breaker", "Ralph: the breaker is open", after.breaker.halted_by or "open"


def _budget(before: State, after: State) -> Told:
    known = {_limit(each) for each in _nearing(before)}
    for each in _nearing(after):
        if _limit(each) not in known:
            yield "budget", "Ralph: 80 % of a limit is used", each


def _ended(before: State, after: State) -> Told:
    if after.status == "ended" and before.status != "ended":
        yield "ended", f"Ralph: the run ended: {after.end}", after.why or after.prompt or str(after.end)


def _nearing(state: State) -> tuple[str, ...]:
    return budget.nearing(state.settings.limits, state.last, state.session.spent, counted(state))


def _limit(told: str) -> tuple[str, str]:
    """Which limit `budget` speaks of, whatever the figures."""
    name, _, rest = told.partition(":")
    return name, rest.rpartition("$")[2].partition(" ")[2] if name == "cost_limit" else ""
