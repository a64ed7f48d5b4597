"""The agent `codex` with the real client: what a turn gives, and what a phase takes away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ralph.agents.base import Decided, Started, Text, ToolCall, ToolResult, Usage
from ralph.mcp.model import Tool, ToolError
from ralph.permissions.capabilities import Capabilities
from tests.clients.codex_turns import RUN, alive, patch, play, shell, turn
from tests.clients.harness import World
from tests.clients.openai import call, say, scripted, tool

DISCOVERY = Capabilities(name="discovery", write=("specs",), shell=False)


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


def test_what_the_court_denies_does_not_happen_and_the_model_reads_why(world: World) -> None:
    world.write("tools/probe.sh", "echo ran > src/ran.txt\ncat .env\nenv\n")
    calls = [
        shell("bash tools/probe.sh"),
        shell("touch outside.txt"),
        patch("*** Add File: src/new.txt", "+new"),
        patch("*** Add File: tools.txt", "+new"),
        call("view_image", {"path": str(world.root / ".env")}),
        call("nothing", {}),
        shell("grep -q nothing src/a.txt"),
    ]
    with scripted(*calls, say("done")) as model:
        played = play(turn(world, model.url))
        told = model.results()
    assert played.end.reason == "completed", played.end
    assert (world.root / "src" / "ran.txt").read_text() == "ran\n"
    assert (world.root / "src" / "new.txt").read_text() == "new\n"
    assert not (world.root / "outside.txt").exists()
    assert not (world.root / "tools.txt").exists()
    results = played.all(ToolResult)
    assert [(each.ok, each.ran) for each in results] == [
        (True, True),
        (False, False),
        (True, True),
        (False, False),
        (False, False),
        (False, False),
        (False, True),
    ]
    assert "RALPH_SANDBOX" in results[0].output
    assert "sk-dummy" not in json.dumps(told)
    assert "very-secret" not in json.dumps(told)
    assert "files.allowWrite" in told[1]
    assert [each.outcome for each in played.all(Decided)] == ["allow", "deny", "allow", "deny", "deny", "allow"]
    assert played.all(ToolCall)[1].target == "touch outside.txt"
    assert played.all(Started)[0].session
    assert Text("done") in played.records
    assert alive(world) == []


def test_tools_of_ralph_and_a_second_turn(world: World) -> None:
    calls = [tool("ralph_add", {"number": 1}), tool("ralph_add", {"number": -1})]
    with scripted(*calls, say("one"), shell("ls src"), say("two")) as model:
        first = play(turn(world, model.url, 1, tools=(ADD,)))
        results = model.results()
        second = play(turn(world, model.url, 2, tools=(ADD,), session=first.session, prompt="go on" * 50_000))
        told = model.requests[-1].body["input"]
    assert first.end.reason == second.end.reason == "completed", (first.end, second.end)
    assert '"sum":2' in results[0]
    assert "not negative" in results[1]
    assert [each.ok for each in first.all(ToolResult)] == [True, False]
    assert first.all(Decided)[0].tool == "mcp__ralph__ralph_add"
    assert second.session == first.session
    assert "go ongo on" in json.dumps(told)
    assert '"one"' in json.dumps(told)
    assert len(second.all(ToolCall)) == len(second.all(ToolResult)) == 1
    assert first.end.usage == Usage(
        input_tokens=300, output_tokens=60, context_tokens=100, context_window=258400, model_calls=3
    )
    assert second.end.usage
    assert (second.end.usage.input_tokens, second.end.usage.model_calls) == (200, 2)


def test_a_phase_without_a_shell(world: World) -> None:
    """Codex reads by commands and writes by patches: those that only read run, and a patch reaches the own folder."""
    world.write("tools/probe.sh", "echo ran > src/ran.txt\n")
    calls = [
        shell("cat src/a.txt && grep -rn a src"),
        shell("bash tools/probe.sh"),
        shell("echo x > specs/x.md"),
        patch("*** Add File: specs/x.md", "+# X"),
        patch("*** Update File: src/a.txt", "@@", "-a", "+b"),
    ]
    with scripted(*calls, say("done")) as model:
        played = play(turn(world, model.url, capabilities=DISCOVERY, tools=(ADD,)))
        told = model.results()
        offered = {each.get("name") for each in model.requests[0].body["tools"]}
    assert played.end.reason == "completed", played.end
    assert [each.ran for each in played.all(ToolResult)] == [True, False, False, True, False]
    assert "src/a.txt:1:a" in told[0]
    assert "discovery" in told[1]
    assert not (world.root / "src" / "ran.txt").exists()
    assert (world.root / "src" / "a.txt").read_text() == "a\n"
    assert (world.root / "specs" / "x.md").read_text() == "# X\n"
    assert "multi_agent_v1" not in offered


def test_where_nothing_may_be_read_no_shell_is_offered(world: World) -> None:
    with scripted(shell("ls src"), say("done")) as model:
        played = play(turn(world, model.url, capabilities=Capabilities(read=False, shell=False), tools=(ADD,)))
        offered = {each.get("name") for each in model.requests[0].body["tools"]}
    assert "exec_command" not in offered
    assert not played.all(ToolResult)[0].ran


def test_nothing_of_the_project_s_or_the_person_s_settings_takes_part(world: World) -> None:
    """Hooks and servers of theirs would run outside of every sandbox."""
    touch = {"type": "command", "command": f"touch {world.root}/src/hooked"}
    hooks = json.dumps({"hooks": {"SessionStart": [{"matcher": "*", "hooks": [touch]}]}})
    server = f'[mcp_servers.other]\ncommand = "touch"\nargs = ["{world.root}/src/served"]\n'
    world.write(".codex/hooks.json", hooks)
    world.write(".codex/config.toml", server)
    with scripted(say("done")) as model:
        made = turn(world, model.url)
        theirs = world.home / ".codex"
        (theirs / "hooks.json").write_text(hooks)
        with (theirs / "config.toml").open("a") as file:
            file.write(server)
        before = _content(theirs)
        assert play(made).end.reason == "completed"
    assert not (world.root / "src" / "hooked").exists()
    assert not (world.root / "src" / "served").exists()
    assert _content(theirs) == before


def test_the_turn_s_own_variables_reach_its_commands(world: World) -> None:
    """Codex keeps what sounds like a secret from commands, and the turn's token sounds like one."""
    world.write("tools/probe.sh", "env\n")
    inbox = world.home.parent / "inbox"
    inbox.mkdir()
    with scripted(shell("bash tools/probe.sh"), say("done")) as model:
        made = turn(world, model.url)
        env = {**made.env, "RALPH_RUN": str(inbox), "RALPH_TOKEN": "the-token"}
        played = play(turn(world, model.url, 2, env=env))
    (result,) = played.all(ToolResult)
    assert "RALPH_TOKEN=the-token" in result.output
    assert "SCRIPTED_KEY" not in result.output
    assert "RALPH_MCP_TOKEN" not in result.output
    assert "RALPH_TURN" not in result.output


def test_the_login_is_the_person_s_own(world: World) -> None:
    with scripted(say("done")) as model:
        made = turn(world, model.url)
        (world.home / ".codex" / "auth.json").write_text('{"OPENAI_API_KEY": "sk-dummy"}')
        play(made)
    link = world.root / RUN / "codex" / "auth.json"
    assert link.is_symlink()
    assert Path(link).resolve() == world.home / ".codex" / "auth.json"


def _content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
