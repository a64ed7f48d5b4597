"""What Claude Code is answered before it uses a tool: by function, and over HTTP."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Decided, Turn
from ralph.agents.claude_hooks import hook_server
from ralph.agents.claude_law import Law, settings
from ralph.hook.model import Answer, Call
from ralph.permissions.capabilities import ALL, Capabilities


class Court:
    """Allows what it is told to, in another form."""

    def __init__(self, *, fails: Exception | None = None) -> None:
        self.fails = fails

    def answer(self, call: Call) -> Answer:
        if self.fails:
            raise self.fails
        allowed = call.arguments.get("command") != "rm"
        return Answer(allowed, "it is fine" if allowed else "it is not", {"command": "ticket"} if allowed else None)


def law(told: list[Decided], *, court: object = None, capabilities: Capabilities = ALL) -> Law:
    turn = Turn(prompt="", workdir=Path("/"), iteration=1, court=court, capabilities=capabilities)  # type: ignore[arg-type]
    return Law(turn, told.append, nullcontext)


def question(tool: str, number: object = "t1", **arguments: object) -> bytes:
    asked = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments, "cwd": "/project"}
    return json.dumps({**asked, "session_id": "s", "tool_use_id": number}).encode()


def decision(reply: bytes) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(reply)["hookSpecificOutput"]
    return said


def test_the_court_decides_and_may_put_something_else_in_its_place() -> None:
    told: list[Decided] = []
    reply = decision(law(told, court=Court()).answer(question("Bash", command="ls")))
    assert (reply["permissionDecision"], reply["updatedInput"]) == ("allow", {"command": "ticket"})
    assert told == [Decided(id="t1", tool="Bash", outcome="allow", reason="it is fine")]


def test_a_denial_carries_its_reason() -> None:
    told: list[Decided] = []
    one = law(told, court=Court())
    reply = decision(one.answer(question("Bash", command="rm")))
    assert (reply["permissionDecision"], reply["permissionDecisionReason"]) == ("deny", "it is not")
    assert one.allowed == set()


READING = Capabilities(write=(), shell=False, web=False, delegate=False)


@pytest.mark.parametrize(
    ("asked", "court", "capabilities", "reason"),
    [
        pytest.param(question("Bash", command="ls"), None, ALL, "Nobody decides", id="no court"),
        pytest.param(question("Bash", command="ls"), Court(), READING, "not offered", id="no capability"),
        pytest.param(question("Skill", skill="x"), Court(), ALL, "not offered", id="a tool nobody offered"),
        pytest.param(question("AskUserQuestion"), Court(), ALL, "not offered", id="a question to nobody"),
        pytest.param(question("mcp__other__x"), Court(), ALL, "not offered", id="a server of somebody else's"),
        pytest.param(question("Agent", isolation="worktree"), Court(), ALL, "isolation", id="a worktree of its own"),
        pytest.param(question("Bash", number=None, command="ls"), Court(), ALL, "no id", id="no id"),
        pytest.param(b"{", Court(), ALL, "not JSON", id="no JSON"),
        pytest.param(b"[]", Court(), ALL, "no JSON object", id="no object"),
        pytest.param(b'{"hook_event_name": "Stop"}', Court(), ALL, "PreToolUse alone", id="another event"),
        pytest.param(question("Bash", command="ls"), Court(fails=ValueError("x")), ALL, "ValueError", id="a defect"),
        pytest.param(question("Bash", command="ls"), Court(fails=MemoryError()), ALL, "MemoryError", id="no memory"),
    ],
)
def test_everything_else_is_denied_and_recorded(asked: bytes, court: object, capabilities: Any, reason: str) -> None:
    told: list[Decided] = []
    one = law(told, court=court, capabilities=capabilities)
    reply = decision(one.answer(asked))
    assert reply["permissionDecision"] == "deny"
    assert reason in reply["permissionDecisionReason"]
    assert [each.outcome for each in told] == ["deny"]
    assert one.allowed == set()


def test_ralph_s_own_tools_need_no_court() -> None:
    told: list[Decided] = []
    assert decision(law(told).answer(question("mcp__ralph__ralph_emit")))["permissionDecision"] == "allow"
    assert told[0].tool == "mcp__ralph__ralph_emit"


def asked(url: str, token: str, body: bytes = question("Bash", command="ls"), path: str = "") -> bytes:
    request = urllib.request.Request(url + path, body, {"Authorization": f"Bearer {token}"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as reply:
        said: bytes = reply.read()
    return said


def test_many_ask_at_once_over_http() -> None:
    """Nobody waits for somebody else's answer: here all of them wait for each other."""
    everybody = threading.Barrier(12, timeout=120)

    class Meeting(Court):
        def answer(self, call: Call) -> Answer:
            everybody.wait()
            return super().answer(call)

    told: list[Decided] = []
    one = law(told, court=Meeting())
    with hook_server(one.answer) as server, ThreadPoolExecutor(12) as pool:
        bodies = [question("Bash", f"t{number}", command="ls") for number in range(12)]
        replies = list(pool.map(lambda body: asked(server.url, server.token, body), bodies))
    assert {decision(reply)["permissionDecision"] for reply in replies} == {"allow"}
    assert one.allowed == {f"t{number}" for number in range(12)}


@pytest.mark.parametrize(("token", "path"), [("wrong", ""), ("", ""), (None, "/else")])
def test_who_does_not_know_the_token_gets_no_answer(token: str | None, path: str) -> None:
    told: list[Decided] = []
    with hook_server(law(told).answer) as server, pytest.raises(urllib.error.HTTPError, match="401") as caught:
        asked(server.url, server.token if token is None else token, path=path)
    caught.value.close()
    assert told == []


def test_the_client_is_told_to_take_no_answer_for_a_denial() -> None:
    (entry,) = json.loads(settings("http://127.0.0.1:1/hook", "token"))["hooks"]["PreToolUse"]
    (hook,) = entry["hooks"]
    assert (entry["matcher"], hook["onFailure"]) == ("*", "block")
    assert hook["timeout"] > 3600
