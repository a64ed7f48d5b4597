"""What an agent may use in each phase (spec: core concepts, the four phases; design decision 33).

Rules:

- `client` is the spec's table, by the names that Claude Code gives its tools. What is really open is `capabilities`,
  which every agent's client is held to: names are for people and prompts.
- Discovery writes below `specs/` and nowhere else. Planning writes no file at all: the plan is made with
  `ralph_add_task`, which checks each task, and the specs are what was agreed on. Validation looks and runs checks, and
  writes nothing: who validates must not repair.
- `ralph` are the tools of Ralph's own that the phase needs. Criteria are frozen when planning ends, so tasks are added
  in planning only. Who signals the end of building is told that it ends with its last task.
- The tables are constants. Nothing is added to them while a run goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ralph.loop.words import Phase
from ralph.permissions.capabilities import Capabilities
from ralph.record import record

SPECS = "specs"
"""The folder of the specifications, below the project's root."""

_LOOKING = ("Read", "Glob", "Grep")
_WEB = ("WebSearch", "WebFetch")
_ALWAYS = (
    *("ralph_get_state_summary", "ralph_get_plan_summary", "ralph_append_learning", "ralph_update_memory"),
    *("ralph_request_approval", "ralph_signal_phase_complete"),
)


@record(kw_only=True)
class PhaseTools:
    """`client`: the client's own tools, `ralph`: those that Ralph offers, `capabilities`: what is enforced."""

    client: tuple[str, ...]
    ralph: tuple[str, ...]
    capabilities: Capabilities


TOOLS: Mapping[Phase, PhaseTools] = MappingProxyType(
    {
        Phase.DISCOVERY: PhaseTools(
            client=(*_LOOKING, *_WEB, "Write", "Task", "AskUserQuestion"),
            ralph=_ALWAYS,
            capabilities=Capabilities(write=(SPECS,), shell=False),
        ),
        Phase.PLANNING: PhaseTools(
            client=(*_LOOKING, *_WEB, "Write", "Task", "ExitPlanMode"),
            ralph=("ralph_add_task", *_ALWAYS),
            capabilities=Capabilities(write=(), shell=False, ask=False),
        ),
        Phase.BUILDING: PhaseTools(
            client=(
                *("Read", "Write", "Edit", "Bash", "BashOutput", "KillBash", "Glob", "Grep", "Task", "TodoWrite"),
                *(*_WEB, "NotebookEdit"),
            ),
            ralph=(
                *("ralph_get_next_task", "ralph_mark_task_in_progress", "ralph_mark_task_complete"),
                *("ralph_mark_task_blocked", "ralph_increment_retry", "ralph_emit", "ralph_verify"),
                *_ALWAYS,
            ),
            capabilities=Capabilities(ask=False),
        ),
        Phase.VALIDATION: PhaseTools(
            client=(*_LOOKING, "Bash", "Task", "WebFetch"),
            ralph=("ralph_verify", *_ALWAYS),
            capabilities=Capabilities(write=(), ask=False),
        ),
    }
)
"""By phase. In planning `Write` stands in the spec's table for the plan alone, so no path is open to it."""

ORDER = tuple(Phase)


def following(phase: Phase) -> Phase | None:
    """The phase behind this one; None behind validation."""
    place = ORDER.index(phase) + 1
    return ORDER[place] if place < len(ORDER) else None


def previous(phase: Phase) -> Phase | None:
    """The phase before this one; None before discovery."""
    place = ORDER.index(phase)
    return ORDER[place - 1] if place else None
