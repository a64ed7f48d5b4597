"""`ralph run` with the real Claude Code, started both ways: from a wish to signed evidence, through every trouble."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import arcs, minds, small_project
from tests.clients.anthropic import scripted
from tests.clients.claude_turns import AGENTS
from tests.clients.harness import World, bare_world, claude
from tests.clients.runs import Person


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with bare_world(tmp_path) as made:
        yield made


def login(url: str) -> dict[str, str]:
    """All that a person set up: whom their client asks, and their key."""
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-ant-dummy-not-a-key", "CLAUDE_CODE_MAX_RETRIES": "0"}


def test_out_of_the_box(world: World) -> None:
    arcs.fresh(world)
    claude()
    mind = small_project.honest()
    with scripted(mind=minds.claude(mind, world.root)) as model:
        arcs.out_of_the_box(Person(world, login(model.url)), "claude", mind)
    assert model.others == []


@pytest.mark.parametrize("agent", AGENTS)
def test_through_everything(world: World, agent: str) -> None:
    arcs.governed(world, {})
    claude()
    mind = small_project.troubled()
    with scripted(mind=minds.claude(mind, world.root)) as model:
        person = Person(world, login(model.url))
        arcs.through_everything(person, agent, mind, r"\S*/claude\x00")
        told = [request.body["messages"] for request in model.requests]
    assert any("Denied by commands.deny: git push" in str(each) for each in told)
    assert model.others == []
