"""From a call of a tool to an answer: every action of it is decided, a person is asked where one must be.

Rules (design decisions 22 and 24):

- One denied action denies the call. Whatever needs a person is asked before anything is allowed, and the approvals are
  used up only when all of them are there.
- What a person suggests instead, or the rule's own alternative, is part of the reason that the agent reads.
- A denial and a question are recorded before they are answered; who cannot record must not go on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ralph.hook.calls import SEARCHES, actions
from ralph.hook.model import Answer, Call
from ralph.permissions import narrowing
from ralph.permissions.decide import decide
from ralph.permissions.model import Action, Decision, Outcome, Permissions, ReadPath
from ralph.permissions.place import Place
from ralph.record import record

if TYPE_CHECKING:
    from ralph.approvals.model import Answer as PersonsAnswer
    from ralph.approvals.model import Request

Judged = tuple[Action, Decision]


@record(kw_only=True)
class Court:
    """What a call is judged by. `wait_s`: how long the client waits for a person at most."""

    permissions: Permissions
    place: Place
    wait_s: float

    @property
    def root(self) -> Path:
        return Path(self.place.root)


@record
class Ruling:
    """The answer, and the decisions it follows from."""

    answer: Answer
    decisions: tuple[Decision, ...] = ()


def judge(call: Call, court: Court) -> Ruling:
    """The answer to a call. Raises RalphError and anything else that goes wrong: the door denies then."""
    if taken := narrowing.tool(call.tool, court.permissions):
        return Ruling(Answer(False, sentence(taken.reason, taken.rule, None)))
    wanted = actions(call)
    if not wanted:
        return Ruling(Answer(True, f"{call.tool} acts only inside the client."))
    judged = [(action, _decide(action, call, court)) for action in wanted]
    decisions = tuple(decision for _, decision in judged)
    if denied := [each for each in judged if each[1].outcome is Outcome.DENY]:
        return Ruling(_deny(call, court, denied), decisions)
    if asking := [each for each in judged if each[1].outcome is Outcome.APPROVE]:
        return Ruling(_ask(call, court, asking), decisions)
    return Ruling(Answer(True, decisions[0].reason), decisions)


def _decide(action: Action, call: Call, court: Court) -> Decision:
    decision = decide(action, court.permissions, court.place)
    if call.tool not in SEARCHES or not isinstance(action, ReadPath) or decision.outcome is not Outcome.ALLOW:
        return decision
    folder = court.place.files.resolve(os.path.join(call.cwd, action.path))  # noqa: PTH118 - no Path: it is text
    if not court.place.files.is_directory(folder):
        return decision
    below = os.path.relpath(folder, court.place.root)
    for rule in court.permissions.files.deny_read:
        if may_hold(below, rule):
            return Decision(
                outcome=Outcome.DENY,
                rule=f"files.denyRead: {rule}",
                reason=f"a search through {action.path} would show what may not be read",
                alternative="search with `grep -rn` in the shell, where those files cannot be read",
            )
    return decision


def may_hold(folder: str, rule: str) -> bool:
    """Whether something that a rule names may lie below `folder`; both are relative to the project."""
    wanted = [part for part in rule.casefold().split("/") if part not in ("", ".")]
    above = [part for part in folder.casefold().split("/") if part not in ("", ".")]
    for part, of_rule in zip(above, wanted, strict=False):
        if any(sign in of_rule for sign in "*?[{"):
            return True
        if part != of_rule:
            return False
    return len(wanted) > len(above)


def _deny(call: Call, court: Court, denied: Sequence[Judged]) -> Answer:
    _record(call, court, denied)
    decision = denied[0][1]
    return Answer(False, sentence(decision.reason, decision.rule, decision.alternative))


def _record(call: Call, court: Court, judged: Sequence[Judged]) -> None:
    from ralph.approvals.decisions import record_violation
    from ralph.system.clock import now

    level = _level()
    for action, decision in judged:
        record_violation(
            court.root, action, decision, now=now(), agent=call.client, session=call.session, sandbox_level=level
        )


def _ask(call: Call, court: Court, asking: Sequence[Judged]) -> Answer:
    """Ask a person about every one of the actions, and use the approvals up when all are there."""
    from ralph.approvals.queue import Queue

    _record(call, court, asking)
    queue = Queue(court.root)
    until = time.monotonic() + court.wait_s
    approved: list[Request] = []
    for action, decision in asking:
        request = queue.ask(
            action, decision, court.permissions, agent=call.client, session=call.session, detail=_detail(call)
        )
        answer = queue.wait(request, max(0.0, until - time.monotonic()))
        if not answer.approved:
            return Answer(False, _refusal(request, answer, decision))
        approved.append(request)
    for request in approved:
        queue.consume(request, sandbox_level=_level())
    return Answer(True, f"A person approved it ({', '.join(request.id for request in approved)}).")


def _level() -> str:
    """The level of this machine; it is attacked anew only where nothing is known of it."""
    from ralph.permissions.sandbox.remembered import remembered

    if known := remembered():
        return known
    from ralph.permissions.sandbox.probe import enforced_level

    return str(enforced_level())


def _refusal(request: Request, answer: PersonsAnswer, decision: Decision) -> str:
    told = sentence(f"{answer.decision}: {answer.reason or decision.reason}", decision.rule, answer.text or None)
    if answer.decision == "unanswered":
        return f"{told} The question stays open as {request.id}; ask again later, or do something else meanwhile."
    return told


def _detail(call: Call) -> str:
    """What the tool was given, for the person who decides."""
    return "\n".join(f"{name}: {value}" for name, value in call.arguments.items())


def sentence(reason: str, rule: str, alternative: str | None) -> str:
    """A denial as the agent reads it."""
    told = f"Denied by {rule}: {reason.rstrip('.')}."
    return f"{told} Instead: {alternative.rstrip('.')}." if alternative else told
