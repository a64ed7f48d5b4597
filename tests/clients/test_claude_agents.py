"""The agents `claude` and `claude-cli` with the real client: what a turn gives, and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ralph.agents.base import Started, Text, ToolCall, Usage
from ralph.mcp.model import Tool, ToolError
from tests.clients.anthropic import call, say, scripted
from tests.clients.claude_turns import AGENTS, alive, play, turn
from tests.clients.harness import World

pytestmark = pytest.mark.parametrize("name", AGENTS)


def bash(command: str) -> tuple[str, dict[str, Any]]:
    return "Bash", {"command": command, "description": "a command"}


def add(arguments: Any) -> dict[str, Any]:
    if arguments["number"] < 0:
        raise ToolError("Only numbers that are not negative can be added.")
    return {"message": "Added.", "sum": arguments["number"] + 1}


ADD = Tool(
    name="ralph_add",
    description="Adds one.",
    schema={
        "type": "object",
        "properties": {"number": {"type": "integer"}},
        "required": ["number"],
        "additionalProperties": False,
    },
    call=add,
)


TASK = {"description": "a part", "prompt": "Do your part.", "subagent_type": "general-purpose"}


def spent(usage: Usage | None) -> Usage:
    """With its cost to the cent of a cent."""
    assert usage is not None
    return replace(usage, cost_usd=None if usage.cost_usd is None else round(usage.cost_usd, 4))


def test_what_the_court_denies_does_not_happen_and_the_model_reads_why(world: World, name: str) -> None:
    """Four calls at once. The project's own settings, with a hook and permissions, are not read."""
    world.write("tools/probe.sh", "echo ran > src/ran.txt\nenv\n")
    hook = {"type": "command", "command": f"touch {world.root}/src/hooked"}
    own = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}, "permissions": {"allow": ["Bash"]}}
    world.write(".claude/settings.json", json.dumps(own))
    new = world.root / "src" / "new.txt"
    calls = call(
        bash("bash tools/probe.sh"),
        bash("touch outside.txt"),
        ("Write", {"file_path": str(new), "content": "x"}),
        ("Read", {"file_path": str(world.root / ".env")}),
    )
    with scripted(calls, say("done")) as model:
        played = play(name, turn(world, model.url))
        told = model.results()
    assert played.end.reason == "completed"
    assert (world.root / "src" / "ran.txt").read_text() == "ran\n"
    assert not (world.root / "outside.txt").exists()
    assert new.read_text() == "x"
    assert not (world.root / "src" / "hooked").exists()
    assert [each.outcome for each in (played.decision_on("Bash", 0), played.decision_on("Bash", 1))] == [
        "allow",
        "deny",
    ]
    assert "RALPH_SANDBOX" in played.result_of("Bash", 0).output
    assert "sk-ant-dummy" not in json.dumps(told)
    assert "very-secret" not in json.dumps(told)
    assert "files.allowWrite" in played.result_of("Bash", 1).output
    assert "files.allowWrite" in json.dumps(told)
    assert not played.result_of("Bash", 1).ran
    assert played.result_of("Write").ok
    assert not played.result_of("Read").ran
    started = played.all(Started)[0]
    assert started.model == "claude-sonnet-5"
    assert started.version
    assert Text("done") in played.records
    assert played.all(ToolCall)[1].target == "touch outside.txt"
    assert alive(world) == []


def test_tools_of_ralph_and_a_second_turn(world: World, name: str) -> None:
    """Strict schemas, errors and data reach the model; then the conversation goes on, and is paid for once."""
    calls = call(
        ("mcp__ralph__ralph_add", {"number": 1}),
        ("mcp__ralph__ralph_add", {"number": -1}),
        ("mcp__ralph__ralph_add", {"number": "one"}),
        ("mcp__ralph__ralph_add", {"number": 1, "more": 1}),
        ("Nothing", {}),
        ("Bash", {"cmd": "ls"}),
    )
    with scripted(calls, say("one"), say("two")) as model:
        first = play(name, turn(world, model.url, 1, tools=(ADD,)))
        offered = {each["name"]: each["input_schema"] for each in model.requests[0].body["tools"]}
        results = model.results()
        second = play(name, turn(world, model.url, 2, tools=(ADD,), session=first.session, prompt="go on"))
        told = model.told()
    assert offered["mcp__ralph__ralph_add"]["additionalProperties"] is False
    assert offered["mcp__ralph__ralph_add"]["required"] == ["number"]
    assert json.loads(results[0]) == {"message": "Added.", "sum": 2}
    assert "not negative" in results[1]
    assert "'number' must be a whole number" in results[2]
    assert "more" in results[3]
    assert not first.result_of("Nothing").ran
    assert not first.result_of("Bash").ran
    assert first.decision_on("mcp__ralph__ralph_add").outcome == "allow"
    assert second.end.reason == "completed"
    assert second.session == first.session
    assert "one" in told
    assert "go on" in told
    assert spent(first.end.usage) == Usage(
        input_tokens=200, output_tokens=40, cost_usd=0.0008, context_tokens=100, context_window=1_000_000, model_calls=2
    )  # fmt: skip
    assert spent(second.end.usage) == Usage(
        input_tokens=100, output_tokens=20, cost_usd=0.0004, context_tokens=100, context_window=1_000_000, model_calls=1
    )  # fmt: skip
    assert alive(world) == []


def test_a_subagent_is_governed_like_the_agent(world: World, name: str) -> None:
    """It works while the agent waits, in the same folder, and is paid for with it."""
    inner = call(bash("touch outside.txt"), ("Read", {"file_path": str(world.root / "src" / "a.txt")}))
    script = {
        "a worktree of its own": call(("Agent", {**TASK, "isolation": "worktree"})),
        "delegates": call(("Agent", TASK)),
        "acts": inner,
        "reports": say("it is done by half"),
        "ends": say("done"),
    }
    with scripted(*script.values()) as model:
        played = play(name, turn(world, model.url))
        told = model.told()
    assert played.end.reason == "completed"
    assert not played.result_of("Agent", 0).ran
    assert played.result_of("Agent", 1).ok
    assert played.decision_on("Bash").outcome == "deny"
    assert played.result_of("Read").ok
    assert "it is done by half" in told
    assert [each.text for each in played.all(Text)] == ["done"]
    assert played.end.usage is not None
    assert played.end.usage.input_tokens == 5 * 100
    assert not (world.root / "outside.txt").exists()
    assert world.git("worktree", "list").count("\n") == 0
