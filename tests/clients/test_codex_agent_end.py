"""The agent `codex` with the real client: how a turn ends, and that nothing of it is left then."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph import record
from ralph.agents.base import EndReason, Record, Started, ToolCall, ToolResult, Turn, TurnLimits
from ralph.agents.codex import Codex
from ralph.agents.reconcile import reconcile
from tests.clients.claude_turns import Played
from tests.clients.codex_turns import alive, play, shell, soon, turn
from tests.clients.harness import World, codex
from tests.clients.openai import Said, call, fail, say, scripted
from tests.clients.server import Refused

SLEEP = "bash tools/probe.sh"

REFUSALS: dict[str, tuple[list[Refused], EndReason]] = {
    "a rate limit": ([fail(429, "Rate limit reached.", "rate_limit_exceeded")], "rate_limited"),
    "a used up plan": ([fail(429, "The usage limit has been reached", "usage_limit_reached")], "rate_limited"),
    "no quota": ([fail(429, "You exceeded your current quota", "insufficient_quota")], "rate_limited"),
    "an overloaded provider": ([fail(503, "overloaded", "server_is_overloaded")] * 4, "rate_limited"),
    "a failing provider": ([fail(500, "boom", "server_error")] * 8, "api_error"),
    "a wrong key": ([fail(401, "Incorrect API key provided", "invalid_api_key")] * 4, "login"),
    "a request that is refused": ([fail(400, "bad thing", "invalid_request_error")], "api_error"),
    "a full window": ([fail(400, "It exceeds the context window.", "context_length_exceeded")], "context_full"),
}


@pytest.mark.parametrize(("refusals", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_what_the_provider_refuses(world: World, refusals: list[Refused], reason: EndReason) -> None:
    with scripted(*refusals) as model:
        played = play(turn(world, model.url))
    assert played.end.reason == reason, played.end
    assert played.end.detail
    assert alive(world) == []


def test_a_provider_that_comes_back(world: World) -> None:
    with scripted(fail(500, "boom", "server_error"), say("done")) as model:
        assert play(turn(world, model.url)).end.reason == "completed"


def test_nobody_answers(world: World) -> None:
    played = play(turn(world, "http://127.0.0.1:9/v1"))
    assert played.end.reason == "offline", played.end


def test_no_login(world: World) -> None:
    with scripted(say("done")) as model:
        made = turn(world, model.url)
        env = {name: value for name, value in made.env.items() if name != "SCRIPTED_KEY"}
        played = play(turn(world, model.url, 2, env=env))
    assert played.end.reason == "login", played.end


def test_a_session_that_nobody_knows(world: World) -> None:
    with scripted(say("done")) as model:
        played = play(turn(world, model.url, session="01a201ad-854b-7a32-ae9c-d25139e5b6a6"))
    assert played.end.reason == "error", played.end


def endless(world: World) -> None:
    world.write("tools/probe.sh", "sleep 60 & sleep 60\n")


def test_a_turn_is_interrupted_in_a_command(world: World) -> None:
    endless(world)
    stop = threading.Event()

    def seen(each: Record) -> None:
        if _is_call(each):
            soon(stop.set, 0.5)

    with scripted(shell(SLEEP), say("done")) as model:
        played = play(turn(world, model.url, stop=stop), seen)
    assert played.end.reason == "interrupted"
    assert played.seconds < 20
    assert alive(world) == []


def test_a_session_goes_on_after_an_interruption(world: World) -> None:
    endless(world)
    stop = threading.Event()
    with scripted(shell(SLEEP), say("never said")) as model:
        first = play(turn(world, model.url, stop=stop), lambda each: soon(stop.set) if _is_call(each) else None)
    with scripted(say("two")) as model:
        second = play(turn(world, model.url, 2, session=first.session))
    assert (first.end.reason, second.end.reason) == ("interrupted", "completed")
    assert second.session == first.session


def _is_call(each: Record) -> bool:
    return isinstance(each, ToolCall)


def test_time_is_up(world: World) -> None:
    endless(world)
    with scripted(shell(SLEEP), say("done")) as model:
        played = play(turn(world, model.url, limits=TurnLimits(runtime_s=3)))
    assert played.end.reason == "timeout"
    assert alive(world) == []


def test_a_model_that_falls_silent(world: World) -> None:
    def silent(body: dict[str, Any]) -> Said:
        time.sleep(30)
        return say("late")

    with scripted(silent) as model:
        made = turn(world, model.url, limits=TurnLimits(stall_s=2))
        assert made.court
        played = play(replace(made, court=record.replace(made.court, wait_s=0)))
    assert played.end.reason == "stalled", played.end


def test_the_tokens_are_used_up(world: World) -> None:
    """The limit is looked at after each call of the model: it is overshot by one."""
    with scripted(*[shell("ls src")] * 40, say("done")) as model:
        played = play(turn(world, model.url, limits=TurnLimits(tokens=500)))
        asked = len(model.requests)
    assert played.end.reason == "budget", played.end
    assert played.end.usage
    assert 500 <= played.end.usage.tokens <= 900
    assert asked < 15
    assert alive(world) == []


def test_the_client_is_killed(world: World) -> None:
    endless(world)

    def seen(each: Record) -> None:
        if _is_call(each):
            # What it has just forked has its command line, too, until it runs something else.
            found = min(int(each.split()[0]) for each in alive(world) if "\0exec\0--json" in each)
            soon(lambda: os.kill(found, signal.SIGKILL), 0.5)

    with scripted(shell(SLEEP), say("done")) as model:
        played = play(turn(world, model.url), seen)
        second = play(turn(world, model.url, 2, session=played.session))
    assert played.end.reason == "crashed", played.end
    assert "SIGKILL" in str(played.end.detail)
    assert second.end.reason == "completed", second.end
    assert alive(world) == []


def test_a_generator_that_is_closed_leaves_nothing(world: World) -> None:
    endless(world)
    with scripted(shell(SLEEP), say("done")) as model:
        records = Codex(program=Path(codex())).run(turn(world, model.url))
        for each in records:
            if _is_call(each):
                break
        records.close()  # type: ignore[attr-defined]
    assert alive(world) == []


def tampered(world: World, made: Turn, lines: str) -> Played:
    """A turn of a client whose home was changed after Ralph wrote it, by shell lines that stand before its start."""
    program = world.write("../wrapped", f'#!/bin/bash\n{lines}\nexec {codex()} "$@"\n')
    program.chmod(0o755)
    played = Played(list(Codex(program=program.resolve()).run(made)))
    assert alive(world) == []
    return played


def test_a_client_without_hooks_is_not_believed(world: World) -> None:
    with scripted(shell("ls src"), shell("touch src/more"), say("done")) as model:
        played = tampered(world, turn(world, model.url), 'rm "$CODEX_HOME/hooks.json"')
    assert played.end.reason == "ungoverned", played.end
    assert "did not call" in str(played.end.detail)


def test_a_client_without_hooks_that_did_nothing_is_not_believed_either(world: World) -> None:
    with scripted(say("done")) as model:
        played = tampered(world, turn(world, model.url), 'rm "$CODEX_HOME/hooks.json"')
    assert played.end.reason == "ungoverned", played.end


HOOKS = {
    "one that fails": "exit 1",
    "one that says nothing": "exit 0",
    "one that allows everything": (
        """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'"""
    ),
}


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_tool_that_ran_without_a_decision_ends_the_turn(world: World, hook: str) -> None:
    """Codex lets a tool run whose hook fails."""
    world.write("../hook.sh", f'case "$(cat)" in *PreToolUse*) {hook};; *) {{}};; esac\n')
    change = (
        "python3 - <<'END'\nimport json, os\nplace = os.environ['CODEX_HOME'] + '/hooks.json'\n"
        "hooks = json.load(open(place))\n"
        f"hooks['hooks']['PreToolUse'][0]['hooks'][0]['command'] = 'bash {world.home.parent}/hook.sh'\n"
        "json.dump(hooks, open(place, 'w'))\nEND"
    )
    with scripted(shell("touch src/ran"), *[shell("sleep 1; touch src/more")] * 9, say("done")) as model:
        played = tampered(world, turn(world, model.url), change)
        asked = len(model.requests)
    assert (world.root / "src" / "ran").exists()
    assert played.end.reason == "ungoverned", played.end
    assert "without a decision" in str(played.end.detail)
    assert asked < 8
    assert reconcile(played.records) != ()
    assert played.all(ToolResult)[0].ran


def test_a_server_of_ralph_s_that_is_gone(world: World) -> None:
    """Without its tools an agent could complete nothing, so it is not let go on."""
    with scripted(say("done")) as model:
        address = '^mcp_servers.ralph.url = .*#mcp_servers.ralph.url = "http://127.0.0.1:9/mcp"'
        change = f"""sed -i 's#{address}#' "$CODEX_HOME/config.toml" """
        played = tampered(world, turn(world, model.url), change)
        assert not model.requests
    assert played.end.reason == "ungoverned", played.end


def test_a_program_that_is_not_codex(world: World) -> None:
    made = turn(world, "http://127.0.0.1:9/v1")
    assert list(Codex(program=Path("/nowhere/codex")).run(made))[-1].reason == "error"  # type: ignore[union-attr]
    bare = turn(world, "http://127.0.0.1:9/v1", 2, env={"PATH": str(world.root / "src")})
    assert "npm install" in str(list(Codex().run(bare))[-1])
    assert "court" in str(list(Codex().run(turn(world, "x", 3, court=None)))[-1])


def test_records_of_a_session_come_before_its_calls(world: World) -> None:
    with scripted(call("exec_command", {"cmd": "ls src"}), say("done")) as model:
        played = play(turn(world, model.url))
    kinds = [type(each).__name__ for each in played.records]
    assert kinds[0] == Started.__name__
    assert kinds[-1] == "End"
