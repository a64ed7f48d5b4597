"""Tools with which an agent asks: for a measurement before it claims, and for a person's approval."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

from ralph.loop.toolbox import schemas
from ralph.loop.toolbox.desk import Desk
from ralph.mcp.model import Tool, ToolError
from ralph.permissions.model import Action, RunCommand, WritePath
from ralph.verdict import Verdict

VERIFY, APPROVAL = "ralph_verify", "ralph_request_approval"
MOST_VERIFICATIONS = 5
MOST_QUESTIONS = 20
MOST_FINDINGS = 20
_LONGEST_COMMAND = 20_000
_LONGEST_PATH = 4_096

Given = Mapping[str, Any]


def made(desk: Desk) -> tuple[Tool, ...]:
    return (
        Tool(
            name=VERIFY,
            description=(
                "Have Ralph's checks run on the files as they are now. It changes nothing and completes nothing; "
                f"at most {MOST_VERIFICATIONS} times a turn."
            ),
            schema=schemas.NOTHING,
            call=partial(_verify, desk, _Quota(MOST_VERIFICATIONS), threading.Lock()),
        ),
        Tool(
            name=APPROVAL,
            description="Ask a person ahead for a command, or a path to write, that needs one. Then do it yourself.",
            schema=schemas.arguments(
                "reason",
                command=schemas.text("The shell line, exactly as you will run it.", _LONGEST_COMMAND),
                path=schemas.text("The file that you want to write.", _LONGEST_PATH),
                reason=schemas.REASON,
            ),
            call=partial(_approval, desk, _Quota(MOST_QUESTIONS)),
        ),
    )


class _Quota:
    """So many times in a turn, whichever threads ask."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._changing = threading.Lock()

    def take(self, refusal: str) -> int:
        """How often it may be taken after this. Raises ToolError with `refusal` if none is left."""
        with self._changing:
            if not self._left:
                raise ToolError(refusal)
            self._left -= 1
            return self._left


def _verify(desk: Desk, quota: _Quota, running: threading.Lock, _given: Given) -> Given:
    if desk.verify is None:
        raise ToolError("There is nothing to measure with: the project has no context; `ralph init` proposes one.")
    if not running.acquire(blocking=False):
        raise ToolError("The checks are running already: wait for their result.")
    try:
        left = quota.take(f"The checks ran {MOST_VERIFICATIONS} times in this turn: claim the task, or end your turn.")
        verdict = desk.verify()
    finally:
        running.release()
    return {
        "message": _told(verdict),
        "verdict": str(verdict.type),
        "failed_step": verdict.failed_step,
        "failure_reason": verdict.failure_reason,
        "steps": [{"name": each.name, "status": each.status, "reason": each.reason} for each in verdict.steps],
        "findings": [
            {"rule": each.rule, "severity": each.severity, "path": each.path, "line": each.line, "reason": each.reason}
            for each in verdict.findings[:MOST_FINDINGS]
        ],
        "more_findings": max(0, len(verdict.findings) - MOST_FINDINGS),
        "regressions": list(verdict.regressions[:MOST_FINDINGS]),
        "pre_existing": list(verdict.pre_existing[:MOST_FINDINGS]),
        "test_count": verdict.test_count,
        "coverage_percent": verdict.coverage_percent,
        "calls_left": left,
    }


def _told(verdict: Verdict) -> str:
    if verdict.is_terminal_pass():
        return "PASS: everything that Ralph measures holds on the files as they are now."
    return f"{verdict.type} at {verdict.failed_step}: {verdict.failure_reason}"


def _approval(desk: Desk, quota: _Quota, given: Given) -> Given:
    if ("command" in given) == ("path" in given):
        raise ToolError(f"{APPROVAL} takes either a `command` or a `path`: nobody was asked.")
    if desk.ask is None:
        raise ToolError("Nobody can be asked here: the project has no permissions that a person accepted.")
    root = str(desk.root)
    action: Action = RunCommand(given["command"], root) if "command" in given else WritePath(given["path"], root)
    quota.take(f"You asked {MOST_QUESTIONS} times in this turn: go on without, or end your turn.")
    answer = desk.ask(action, given["reason"])
    return {"message": answer.message, "state": answer.state, "request": answer.request}
