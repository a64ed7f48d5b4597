"""The plugin folder in the real Claude Code: it governs, and brings Ralph's tools and commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import ralph
from tests.clients.anthropic import call, say, scripted
from tests.clients.harness import POLICY, World, ended

STATE = "mcp__plugin_ralph_ralph__ralph_get_state_summary"
PLUGIN = Path(__file__).parents[2] / "integrations" / "claude-code"


@pytest.fixture
def plugged(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A world in which nothing but the plugin knows of Ralph, which is on the PATH."""
    path = f"{Path(sys.executable).parent}:{world.environment['PATH']}"
    monkeypatch.setattr(World, "environment", property(lambda self: {**before(self), "PATH": path}))
    return world


before: Any = World.environment.fget  # type: ignore[attr-defined]


def test_it_governs_and_brings_tools(plugged: World) -> None:
    plugged.commit_policy({**POLICY, "commands": {**POLICY["commands"], "allow": [STATE]}})
    actions = [
        ("Bash", {"command": "git push", "description": "a command"}),
        (STATE, {}),
    ]
    with scripted(*(call(each) for each in actions), say("done")) as model:
        started = plugged.start_claude(model.url, "--plugin-dir", str(PLUGIN), governed=False)
        said = [json.loads(line) for line in ended(started).splitlines()]
        pushed, state = model.results()
    assert "not allowed by the policy in delivery mode" in pushed
    (opening,) = [each for each in said if each.get("subtype") == "init"]
    assert {"ralph:verify", "ralph:status"} <= set(opening["slash_commands"])
    assert [each["name"] for each in opening["mcp_servers"]] == ["plugin:ralph:ralph"]
    assert json.loads(state)["phase"] == "discovery"


def test_without_ralph_nothing_runs(world: World) -> None:
    """The client would let a tool run whose hook is not found."""
    with scripted(call(("Bash", {"command": "touch src/a", "description": "a command"})), say("done")) as model:
        ended(world.start_claude(model.url, "--plugin-dir", str(PLUGIN), governed=False))
        (told,) = model.results()
    assert not (world.root / "src" / "a").exists()
    assert "ralph" in told


def test_it_is_of_this_version() -> None:
    assert json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())["version"] == ralph.__version__
