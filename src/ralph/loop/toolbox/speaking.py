"""Tools with which an agent says something: events, and that a phase is complete."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from ralph.events.door import LARGEST_PAYLOAD
from ralph.loop.judging import SIGNAL
from ralph.loop.toolbox import schemas
from ralph.loop.toolbox.desk import Desk
from ralph.loop.without_tools import PHASE_DONE
from ralph.loop.words import Phase
from ralph.mcp.model import Tool, ToolError

EMIT = "ralph_emit"
_LONGEST_SUMMARY = 10_000
_LONGEST_ITEM = 1_000

Given = Mapping[str, Any]


def made(desk: Desk) -> tuple[Tool, ...]:
    return (
        Tool(
            name=EMIT,
            description="Publish an event. You are told at once how it reads; Ralph decides when your turn ends.",
            schema=schemas.arguments(
                "topic",
                topic=schemas.TOPIC,
                payload=schemas.free("What you say about it, such as `tests: pass, lint: pass`.", LARGEST_PAYLOAD),
            ),
            call=partial(_emit, desk),
        ),
        Tool(
            name=SIGNAL,
            description="Say that this phase is complete. Ralph checks that when your turn ends.",
            schema=schemas.arguments(
                "summary",
                phase=schemas.choice("The phase you are in.", *Phase),
                summary=schemas.text("What was done, and what a reader must know.", _LONGEST_SUMMARY),
                artifacts=schemas.texts("Paths of what the phase made.", _LONGEST_ITEM),
                issues=schemas.texts("Problems that you found and that remain.", _LONGEST_ITEM),
                passed={"type": "boolean", "description": "In validation: whether you found it good."},
            ),
            call=partial(_signal, desk),
        ),
    )


def _emit(desk: Desk, given: Given) -> Given:
    return desk.seated(EMIT).publish(given["topic"], given.get("payload", ""))


def _signal(desk: Desk, given: Given) -> Given:
    seat = desk.seated(SIGNAL)
    named = given.get("phase", seat.phase)
    if named != seat.phase:
        raise ToolError(f"This is {seat.phase}, not {named}: only the phase at work can be signalled complete.")
    if seat.turn.task is not None:
        raise ToolError(
            f"The task {seat.turn.task!r} is at work; building ends by itself when no task is open. Claim the task "
            "with `ralph_mark_task_complete`."
        )
    said = {
        "phase": str(seat.phase),
        "summary": given["summary"],
        "artifacts": _list(given.get("artifacts", ())),
        "issues": _list(given.get("issues", ())),
        **({"passed": given["passed"]} if "passed" in given else {}),
    }
    seat.say(PHASE_DONE, json.dumps(said), SIGNAL)
    told = f"Ralph checks whether {seat.phase} is complete when your turn ends: end it now."
    return {"message": told, "status": "claimed", **said}


def _list(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
