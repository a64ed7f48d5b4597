"""`ralph run` with the real Claude Code, started both ways: from a wish to signed evidence, through every trouble."""

from __future__ import annotations

import pytest

from tests.clients import arcs, minds, small_project
from tests.clients.anthropic import scripted
from tests.clients.claude_turns import AGENTS
from tests.clients.harness import World, claude
from tests.clients.runs import Person

CLIENT = arcs.Client(process=r"\S*/claude\x00", spent_out="budget", unpriced=2)
"""Claude Code says what a turn cost when it is over, and ends it at its limit."""


def login(url: str) -> dict[str, str]:
    """All that a person set up: whom their client asks, and their key."""
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-ant-dummy-not-a-key", "CLAUDE_CODE_MAX_RETRIES": "0"}


def test_out_of_the_box(bare_world: World) -> None:
    arcs.fresh(bare_world)
    claude()
    mind = small_project.honest()
    with scripted(mind=minds.claude(mind, bare_world.root)) as model:
        arcs.out_of_the_box(Person(bare_world, login(model.url)), "claude", mind)
    assert model.others == []


@pytest.mark.parametrize("agent", AGENTS)
def test_through_everything(bare_world: World, agent: str) -> None:
    arcs.governed(bare_world, {})
    claude()
    mind = small_project.troubled()
    with scripted(mind=minds.claude(mind, bare_world.root)) as model:
        person = Person(bare_world, login(model.url))
        arcs.through_everything(person, agent, mind, CLIENT)
        told = [request.body["messages"] for request in model.requests]
    assert any("Denied by commands.deny: git push" in str(each) for each in told)
    assert model.others == []
