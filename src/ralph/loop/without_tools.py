"""What agents without Ralph's tools say by events: `phase.done "SUMMARY"` and `plan.task '{JSON}'`.

Rules (decisions 19, 33): they are the same calls as `ralph_signal_phase_complete` and `ralph_add_task`, checked by the
same functions when the turn is over; what is refused is told in the next prompt. Adding a task that stands there
already, word for word, is no error: a measuring that was cut off is done again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ralph.events import tokens
from ralph.loop.judging import SIGNAL, Posted
from ralph.loop.words import Phase
from ralph.mcp.answer import answer
from ralph.mcp.model import Tool
from ralph.record import replace

PHASE_DONE, PLAN_TASK = "phase.done", "plan.task"
"""Topics that are no events outside of building."""


def spoken(phase: Phase, posted: Sequence[Posted], add_task: Tool, told: list[str]) -> list[Posted]:
    """The rest of what was posted, with a phase that is said to be complete as the tool would say it."""
    if phase is Phase.BUILDING:
        return list(posted)
    left = []
    for each in posted:
        emission = each.emission
        if emission.tool is None and emission.topic == PHASE_DONE:
            left.append(replace(each, emission=replace(emission, tool=SIGNAL)))
        elif emission.tool is None and emission.topic == PLAN_TASK and phase is Phase.PLANNING:
            told += [f"plan.task: {why}" for why in _added(each, add_task)]
        else:
            left.append(each)
    return left


def _added(posted: Posted, add_task: Tool) -> list[str]:
    """Add a task; what is wrong with it."""
    if why := tokens.objection(posted.emission.token, posted.seal):
        return [why]
    try:
        arguments = json.loads(posted.emission.payload)
    except ValueError as error:
        return [f"the payload is not JSON ({error})"]
    if not isinstance(arguments, dict):
        return ["the payload must be a JSON object"]
    said = answer([add_task], add_task.name, arguments)
    return [said.text] if said.refused else []
