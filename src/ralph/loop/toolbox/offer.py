"""Which tools are offered: those of the phase at work, and all of them outside of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.loop.phases.tools import TOOLS
from ralph.loop.toolbox import asking, keeping, planning, speaking, tasks
from ralph.loop.toolbox.desk import Desk
from ralph.loop.words import Phase
from ralph.mcp.model import Tool


def tools(desk: Desk) -> tuple[Tool, ...]:
    """What an agent at this desk is offered. Made anew for each turn: what is counted is counted by turn."""
    groups = (tasks, planning, keeping, speaking, asking)
    made = [tool for group in groups for tool in group.made(desk)]
    return for_phase(desk.seat.phase, made) if desk.seat else tuple(made)


def for_phase(phase: Phase, made: Iterable[Tool]) -> tuple[Tool, ...]:
    """Those of them that the phase needs (`phases.tools`)."""
    return tuple(each for each in made if each.name in TOOLS[phase].ralph)
