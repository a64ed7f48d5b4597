"""The order of the phases, and what each opens (spec: core concepts, the four phases)."""

from __future__ import annotations

import pytest

from ralph.loop.phases.tools import ORDER, TOOLS, following, previous
from ralph.loop.words import Phase
from ralph.permissions.capabilities import Capabilities

TABLES = {
    Phase.DISCOVERY: "Read Glob Grep WebSearch WebFetch Write Task AskUserQuestion",
    Phase.PLANNING: "Read Glob Grep WebSearch WebFetch Write Task ExitPlanMode",
    Phase.BUILDING: (
        "Read Write Edit Bash BashOutput KillBash Glob Grep Task TodoWrite WebSearch WebFetch NotebookEdit"
    ),
    Phase.VALIDATION: "Read Glob Grep Bash Task WebFetch",
}
OPEN = {
    Phase.DISCOVERY: Capabilities(write=("specs",), shell=False),
    Phase.PLANNING: Capabilities(write=(), shell=False, ask=False),
    Phase.BUILDING: Capabilities(ask=False),
    Phase.VALIDATION: Capabilities(write=(), ask=False),
}


def test_the_phases_follow_each_other() -> None:
    assert ORDER == ("discovery", "planning", "building", "validation")
    assert [following(phase) for phase in ORDER] == [*ORDER[1:], None]
    assert [previous(phase) for phase in ORDER] == [None, *ORDER[:-1]]


@pytest.mark.parametrize("phase", Phase)
def test_the_tables_are_those_of_the_specification(phase: Phase) -> None:
    assert sorted(TOOLS[phase].client) == sorted(TABLES[phase].split())
    assert TOOLS[phase].capabilities == OPEN[phase]


@pytest.mark.parametrize("phase", Phase)
def test_asking_is_for_discovery_alone(phase: Phase) -> None:
    """Building denies AskUserQuestion, and so does every phase whose table does not name it."""
    assert TOOLS[phase].capabilities.ask == ("AskUserQuestion" in TOOLS[phase].client) == (phase is Phase.DISCOVERY)


def test_tasks_are_added_in_planning_and_claimed_in_building() -> None:
    assert [phase for phase in Phase if "ralph_add_task" in TOOLS[phase].ralph] == [Phase.PLANNING]
    assert [phase for phase in Phase if "ralph_mark_task_complete" in TOOLS[phase].ralph] == [Phase.BUILDING]
    assert all("ralph_signal_phase_complete" in TOOLS[phase].ralph for phase in Phase)


def test_the_tables_cannot_grow() -> None:
    """The table of tools was a global list that became longer by fourteen names with every iteration."""
    with pytest.raises(TypeError):
        TOOLS[Phase.BUILDING] = TOOLS[Phase.PLANNING]  # type: ignore[index]
    for phase in Phase:
        assert isinstance(TOOLS[phase].client, tuple)
        assert isinstance(TOOLS[phase].ralph, tuple)


@pytest.mark.parametrize("word", ["", "Building", "validate", "done", "discovery complete"])
def test_what_is_no_phase_is_an_error(word: str) -> None:
    with pytest.raises(ValueError):
        Phase(word)
