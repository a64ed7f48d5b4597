"""`ralph run` with the real Codex CLI: from a wish to signed evidence, and through every trouble."""

from __future__ import annotations

from pathlib import Path

from tests.clients import arcs, minds, small_project
from tests.clients.harness import CODEX, World, codex
from tests.clients.openai import scripted
from tests.clients.runs import Person

PRICES = "agents:\n  ada: {kind: codex, prices: {input: 2, output: 10}}\n"

CLIENT = arcs.Client(process=r"\S*/codex\x00", spent_out="completed", unpriced=0)
"""Codex says after each call of the model what it used, and Ralph looks at the cost after the turn."""


def person(world: World, url: str) -> Person:
    """Who has Codex on the PATH, and its own settings in their home."""
    program = Path(codex())
    theirs = world.home / ".codex"
    theirs.mkdir()
    settings = CODEX.replace("URL", url).replace("stream_idle_timeout_ms = 5000", "stream_idle_timeout_ms = 60000")
    (theirs / "config.toml").write_text(settings)
    return Person(world, {"SCRIPTED_KEY": "sk-dummy-not-a-key"}, program.parent)


def test_out_of_the_box(bare_world: World) -> None:
    arcs.fresh(bare_world)
    mind = small_project.honest()
    with scripted(mind=minds.codex(mind, bare_world.root)) as model:
        arcs.out_of_the_box(person(bare_world, model.url), "codex", mind)
    assert model.others == []


def test_through_everything(bare_world: World) -> None:
    """By a name of the person's own, with prices: Codex does not say what it costs."""
    arcs.governed(bare_world, {"ralph.yml": PRICES})
    mind = small_project.troubled()
    with scripted(mind=minds.codex(mind, bare_world.root)) as model:
        arcs.through_everything(person(bare_world, model.url), "ada", mind, CLIENT)
        told = [request.body["input"] for request in model.requests]
    assert any("Denied by commands.deny: git push" in str(each) for each in told)
    assert model.others == []
