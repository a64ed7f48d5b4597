"""How an agent asks a person ahead of an action (design decisions 22 and 24).

Rules: the permissions are asked first; what is allowed needs nobody, and what is denied gets nobody. An answer is
waited for only for a little while, and used up by whoever runs the command: `approvals.queue` hands it over. What would
be written is shown to a person only when it is written, so nothing is asked about a path before.
"""

from __future__ import annotations

from pathlib import Path

from ralph.approvals.model import Answer, Decision, Request
from ralph.approvals.queue import AHEAD, Queue
from ralph.loop.toolbox.desk import Approval, Ask
from ralph.mcp.model import ToolError
from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Action, Outcome, Permissions, RunCommand
from ralph.permissions.model import Decision as Judged

WAIT_S = 20.0


def asker(root: Path, permissions: Permissions, *, agent: str, wait_s: float = WAIT_S) -> Ask:
    """For `Desk.ask`. `agent` is who asks, as a person is shown it."""

    def ask(action: Action, reason: str) -> Approval:
        judged = decide(action, permissions, here(root))
        if judged.outcome is Outcome.ALLOW:
            return Approval(state="not needed", message="It is allowed: do it. Nobody has to be asked.")
        if judged.outcome is Outcome.DENY:
            raise ToolError(_denied(judged))
        if not isinstance(action, RunCommand):
            return Approval(state="on use", message="Do it now: a person is asked as you do it, and shown the content.")
        queue = Queue(root)
        request = queue.ask(action, judged, permissions, agent=agent, session=AHEAD, detail=f"reason: {reason}")
        answer = queue.wait(request, wait_s)
        queue.leave(request)
        return Approval(state=answer.decision.value, message=_told(request, answer), request=request.id)

    return ask


def _denied(judged: Judged) -> str:
    instead = f" Instead: {judged.alternative.rstrip('.')}." if judged.alternative else ""
    return f"It is denied by {judged.rule}, and no approval changes that: {judged.reason.rstrip('.')}.{instead}"


def _told(request: Request, answer: Answer) -> str:
    if answer.decision is Decision.APPROVED:
        return "A person approved it: run exactly this command. The approval counts once."
    if answer.decision is Decision.UNANSWERED:
        return (
            f"Nobody has answered yet, and the question stays open as {request.id}. Do something else meanwhile; then "
            "ask again, or just run the command."
        )
    return f"It is {answer.decision}: {(answer.text or answer.reason).rstrip('.')}."
