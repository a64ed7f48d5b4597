"""Tools about what is known: where the run stands, notes for the next session, learnings for good."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

from ralph.loop.breaker import halts
from ralph.loop.memory import notes
from ralph.loop.saved import fresh
from ralph.loop.toolbox import schemas
from ralph.loop.toolbox.desk import Desk
from ralph.mcp.model import Tool

Given = Mapping[str, Any]


def made(desk: Desk) -> tuple[Tool, ...]:
    return (
        Tool(
            name="ralph_get_state_summary",
            description="Where the run stands, and what it has used so far.",
            schema=schemas.NOTHING,
            call=partial(_state, desk),
            reads=True,
        ),
        Tool(
            name="ralph_update_memory",
            description="Note where you are, for the next session. It is kept at once.",
            schema=schemas.arguments(
                "content",
                content=schemas.text("The note, in Markdown.", notes.LONGEST_NOTE),
                mode=schemas.choice("Add it, or begin anew; append if left out.", *get_args(notes.Mode)),
            ),
            call=partial(_remember, desk),
        ),
        Tool(
            name="ralph_append_learning",
            description="Note for good what the next agent should know about this project.",
            schema=schemas.arguments(
                "learning",
                learning=schemas.text("One thing that was learned.", notes.LONGEST_LEARNING),
                category=schemas.choice(
                    "What it is about; pattern if left out.", *(each.lower() for each in notes.CATEGORIES)
                ),
            ),
            call=partial(_learn, desk),
        ),
    )


def _state(desk: Desk, _given: Given) -> Given:
    state = desk.states.load_or_none() or fresh(desk.root, now=desk.now())
    breaker, seat = state.circuit_breaker, desk.seat
    halted = halts(breaker)
    phase = seat.phase if seat else state.current_phase
    return {
        "message": f"The phase is {phase}." + (f" The breaker is open: {halted}." if halted else ""),
        "phase": str(phase),
        "iteration": seat.turn.iteration if seat else state.iteration_count,
        "session_id": state.session_id,
        "total_cost_usd": state.total_cost_usd,
        "total_tokens_used": state.total_tokens_used,
        "session_cost_usd": state.session_cost_usd,
        "session_tokens_used": state.session_tokens_used,
        "tasks_completed_this_session": state.tasks_completed_this_session,
        "circuit_breaker": {
            "state": breaker.state,
            "failure_count": breaker.failure_count,
            "stagnation_count": breaker.stagnation_count,
        },
        "paused": state.paused,
        "should_halt": halted is not None,
        "halt_reason": halted,
    }


def _remember(desk: Desk, given: Given) -> Given:
    mode = given.get("mode", "append")
    length = notes.remember(desk.root, given["content"], mode, now=desk.now())
    return {"message": "It is kept, and shown in the next prompts.", "mode": mode, "length": length}


def _learn(desk: Desk, given: Given) -> Given:
    line = notes.learn(desk.root, given["learning"], given.get("category", "pattern"), now=desk.now())
    return {"message": "It is kept.", "line": line}
