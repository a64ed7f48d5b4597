"""The hook formats of Claude Code and Codex, which are the same but for a few names.

Rules (research: agent clients, 1.4, 1.5 and 2):

- An answer is JSON with exit code 0, or one sentence on standard error with exit code 2. Both clients run the tool on
  exit code 0 with anything that is no JSON, so that one never happens.
- Claude Code is asked about `PreToolUse` alone; any other event is refused. Codex's other events are let through: they
  come after the fact, and the first of them proves that the hook is installed.
- What the client says of where it works is trusted for `cwd` alone; which project that is, is not read from the input:
  Codex lets the model name the folder.
"""

from __future__ import annotations

import json
from typing import Any

from ralph.hook.model import Answer, Call, RefusedError

CLIENTS = ("claude", "codex")


def read(data: bytes, client: str) -> Call | None:
    """The call that the client asks about; None for an event that needs no answer. Raises RefusedError."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        raise RefusedError("What the client sent is not JSON, so nothing is allowed.") from None
    if not isinstance(event, dict):
        raise RefusedError("What the client sent is no JSON object, so nothing is allowed.")
    name = event.get("hook_event_name")
    if name != "PreToolUse":
        if client == "codex" and isinstance(name, str):
            return None
        raise RefusedError(
            f"Ralph answers PreToolUse alone, and this is {_shown(name)}: correct the client's settings."
        )
    tool, arguments, cwd = event.get("tool_name"), event.get("tool_input"), event.get("cwd")
    if not isinstance(tool, str) or not tool:
        raise RefusedError("The client named no tool, so nothing is allowed.")
    if not isinstance(arguments, dict):
        raise RefusedError(f"The client gave no arguments of {_shown(tool)}, so it is not allowed.")
    if not isinstance(cwd, str) or not cwd.startswith("/") or "\0" in cwd:
        raise RefusedError("The client did not say in which folder it works, so nothing is allowed.")
    session, number = _text(event, "session_id"), _text(event, "tool_use_id")
    return Call(tool=tool, arguments=arguments, cwd=cwd, session=session, client=client, id=number)


def _text(event: dict[str, Any], name: str) -> str:
    """A name that the client gives; empty if it gives none."""
    value = event.get(name)
    return value if isinstance(value, str) else ""


def write(answer: Answer) -> bytes:
    """The answer as the client reads it."""
    decision: dict[str, Any] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow" if answer.allowed else "deny",
        "permissionDecisionReason": answer.reason,
    }
    if answer.allowed and answer.arguments is not None:
        decision["updatedInput"] = dict(answer.arguments)
    return json.dumps({"hookSpecificOutput": decision}).encode("ascii") + b"\n"


def _shown(value: object) -> str:
    return ascii(value)[:60]
