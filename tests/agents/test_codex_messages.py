"""What Codex says and writes down, line by line, and the records that come of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.agents.base import Decided, EndReason, Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.agents.codex_ends import reason_of, wait_of
from ralph.agents.codex_messages import Reader
from ralph.agents.reconcile import reconcile
from ralph.hook.docket import Noted

TICKET = "/usr/bin/python -EP -m ralph exec --ticket /p/.ralph/tickets/1.json"


def said(reader: Reader, **event: Any) -> list[Record]:
    return list(reader.said(json.dumps(event).encode()))


def kept(reader: Reader, kind: str, **payload: Any) -> list[Record]:
    return list(reader.kept(json.dumps({"type": kind, "payload": payload}).encode()))


def decided(reader: Reader, number: str, outcome: str = "allow", tool: str = "Bash") -> list[Record]:
    noted = Noted(id=number, tool=tool, outcome="allow" if outcome == "allow" else "deny", reason="so", time="t")
    return list(reader.decided([noted]))


def asked(reader: Reader, number: str = "c1", name: str = "exec_command", **more: Any) -> list[Record]:
    more = {"arguments": json.dumps({"cmd": "ls"}), **more}
    return kept(reader, "response_item", type="function_call", name=name, call_id=number, **more)


def answered(reader: Reader, output: Any, number: str = "c1") -> list[Record]:
    return kept(reader, "response_item", type="function_call_output", call_id=number, output=output)


def executed(reader: Reader, number: str = "c1", **more: Any) -> list[Record]:
    item = {"type": "CommandExecution", "id": number, "command": ["/bin/bash", "-lc", TICKET], "exit_code": 0, **more}
    return kept(reader, "event_msg", type="item_completed", item={"aggregated_output": "out", **item})


def test_a_command_that_was_allowed() -> None:
    reader = Reader()
    records = [*asked(reader), *decided(reader, "c1"), *executed(reader), *answered(reader, "Chunk ID: 1")]
    assert records == [
        ToolCall("Bash", "ls", "c1", {"cmd": "ls"}),
        Decided(id="c1", tool="Bash", outcome="allow", reason="so"),
        ToolResult(True, "out", "c1"),
    ]
    assert reader.trouble is None
    assert reconcile(records) == ()


def test_a_command_that_was_denied() -> None:
    reader = Reader()
    records = [*asked(reader), *decided(reader, "c1", "deny")]
    records += answered(reader, "Command blocked by PreToolUse hook: so. Command: ls")
    assert records[-1] == ToolResult(False, "Command blocked by PreToolUse hook: so. Command: ls", "c1", ran=False)
    assert reader.trouble is None
    assert reconcile(records) == ()


REFUSED = {
    "no such tool": ("nothing", "unsupported call: nothing"),
    "arguments of another shape": ("exec_command", "failed to parse function arguments: missing field `cmd`"),
    "a request for more rights": ("exec_command", "approval policy is Never; reject command"),
    "a question": ("request_user_input", "request_user_input is unavailable in Default mode"),
}


@pytest.mark.parametrize(("name", "output"), REFUSED.values(), ids=REFUSED)
def test_what_codex_refuses_by_itself_did_not_run(name: str, output: str) -> None:
    reader = Reader()
    records = [*asked(reader, name=name), *answered(reader, output)]
    assert records[-1] == ToolResult(False, output, "c1", ran=False)
    assert reader.trouble is None
    assert reconcile(records) == ()


def test_a_command_that_goes_on_has_one_result() -> None:
    """`write_stdin` looks at it again; it is no call of its own, and its output is in the command's own entry."""
    reader = Reader()
    records = [*asked(reader), *decided(reader, "c1"), *answered(reader, "Process running with session ID 7")]
    assert len(records) == 2
    assert asked(reader, "c2", "write_stdin") == []
    assert executed(reader, exit_code=3) == [ToolResult(False, "out", "c1")]
    assert answered(reader, "Process exited with code 3", "c2") == []


def test_tools_of_servers_and_patches() -> None:
    reader = Reader()
    asked(reader, "c1", "ralph_add", namespace="mcp__ralph", arguments='{"number": 1}')
    decided(reader, "c1", tool="mcp__ralph__ralph_add")
    assert reader.calls == {"c1": "mcp__ralph__ralph_add"}
    result = {"content": [{"type": "text", "text": "two"}], "isError": False}
    item = {"type": "McpToolCall", "id": "c1", "status": "completed", "result": result}
    assert kept(reader, "event_msg", type="item_completed", item=item) == [ToolResult(True, "two", "c1")]
    kept(reader, "response_item", type="custom_tool_call", name="apply_patch", call_id="c2", input="*** Begin Patch")
    decided(reader, "c2", tool="apply_patch")
    patched = {"type": "FileChange", "id": "c2", "status": "completed", "changes": {"a": 1}}
    (done,) = kept(reader, "event_msg", type="item_completed", item=patched)
    assert isinstance(done, ToolResult)
    assert done.ok
    assert reader.trouble is None


def test_a_tool_without_an_entry_of_its_own() -> None:
    reader = Reader()
    asked(reader, name="view_image", arguments='{"path": "a.png"}')
    decided(reader, "c1", tool="view_image")
    assert answered(reader, [{"type": "input_image"}, {"text": "a picture"}]) == [ToolResult(True, "a picture", "c1")]
    assert reader.trouble is None


TROUBLE = {
    "a command without a decision": lambda reader: executed(reader),
    "a command that was denied": lambda reader: [*decided(reader, "c1", "deny"), *executed(reader)],
    "a command as the model wrote it": lambda reader: [
        *decided(reader, "c1"),
        *executed(reader, command=["/bin/bash", "-lc", "ls"]),
    ],
    "a command that says nothing of itself": lambda reader: [*decided(reader, "c1"), *executed(reader, command=None)],
    "an entry of a kind that nobody knows": lambda reader: kept(
        reader, "event_msg", type="item_completed", item={"type": "New", "id": "c1"}
    ),
}


@pytest.mark.parametrize("happens", TROUBLE.values(), ids=TROUBLE)
def test_what_may_not_be(happens: Any) -> None:
    reader = Reader()
    asked(reader)
    happens(reader)
    assert reader.trouble


def test_a_result_of_a_denied_tool_without_an_entry_is_trouble() -> None:
    reader = Reader()
    asked(reader, name="view_image")
    decided(reader, "c1", "deny", "view_image")
    answered(reader, "a picture")
    assert reader.trouble


def test_what_was_executed_and_not_written_down() -> None:
    reader = Reader()
    said(reader, type="item.completed", item={"id": "item_1", "type": "command_execution", "status": "completed"})
    said(reader, type="turn.completed", usage={})
    reader.ended()
    assert reader.trouble


def test_the_beginning_the_words_and_the_end() -> None:
    reader = Reader("a-model")
    assert said(reader, type="thread.started", thread_id="t-1") == [Started(session="t-1", model="a-model")]
    assert said(reader, type="item.completed", item={"type": "agent_message", "text": "hello"}) == [Text("hello")]
    assert said(reader, type="item.completed", item={"type": "error", "message": "a warning"}) == []
    assert reader.failure is None
    said(reader, type="error", message="Reconnecting... 1/5")
    said(reader, type="turn.completed", usage={"input_tokens": 9})
    assert reader.completed
    reader.ended()
    assert reader.trouble is None


def test_usage_is_that_of_the_turn_with_the_cache_parted_from_the_rest() -> None:
    reader = Reader()
    figures = {"input_tokens": 100, "cached_input_tokens": 60, "cache_write_input_tokens": 10, "output_tokens": 5}
    twice = {name: 2 * count for name, count in figures.items()}
    thread = {name: 9 * count for name, count in figures.items()}
    record = {"usage": figures, "thread_token_usage": thread}
    kept(reader, "token_usage_record", turn_token_usage=figures, **record)
    kept(reader, "event_msg", type="token_count", info={"model_context_window": 1000})
    (usage,) = kept(reader, "token_usage_record", turn_token_usage=twice, **record)
    assert usage == Usage(
        input_tokens=60,
        output_tokens=10,
        cache_read_tokens=120,
        cache_write_tokens=20,
        context_tokens=100,
        context_window=1000,
        model_calls=2,
    )
    said(reader, type="turn.completed", usage=thread)
    assert reader.usage == usage


_KEYS = st.sampled_from(
    [
        "type",
        "payload",
        "item",
        "id",
        "call_id",
        "name",
        "arguments",
        "usage",
        "info",
        "error",
        "message",
        "output",
        "command",
    ]
)
_WORDS = st.sampled_from(
    [
        "item.completed",
        "response_item",
        "function_call",
        "function_call_output",
        "event_msg",
        "item_completed",
        "turn.failed",
        "token_usage_record",
        "token_count",
        "CommandExecution",
        "McpToolCall",
        "agent_message",
    ]
)
_PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | _WORDS
_VALUES = st.recursive(
    _PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5), max_leaves=12
)


@given(st.binary(max_size=80) | _VALUES.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_said_no_reader_falls(line: bytes) -> None:
    reader = Reader()
    list(reader.said(line))
    list(reader.kept(line))
    reader.ended()


REASONS: dict[str, EndReason] = {
    "exceeded retry limit, last status: 429 Too Many Requests": "rate_limited",
    "You’ve hit your usage limit. Try again later.": "rate_limited",
    "Quota exceeded. Check your plan and billing details.": "rate_limited",
    "Selected model is at capacity. Please try a different model.": "rate_limited",
    "We’re currently experiencing high demand, which may cause temporary errors.": "api_error",
    "unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:1/v1/responses": "login",
    "unexpected status 403 Forbidden: Country not supported": "login",
    "Missing environment variable: `OPENAI_API_KEY`.": "login",
    "Your access token could not be refreshed. Please log out and sign in again.": "login",
    "Codex ran out of room in the model's context window. Start a new thread.": "context_full",
    "Connection failed: error sending request": "offline",
    "stream disconnected before completion: stream closed before response.completed": "offline",
    "stream disconnected before completion: idle timeout waiting for SSE": "offline",
    "unexpected status 502 Bad Gateway": "api_error",
    '{"error": {"message": "bad thing", "type": "invalid_request_error"}}': "api_error",
    "Error: Model provider `none` not found": "error",
    "something that nobody heard of": "api_error",
}


@pytest.mark.parametrize(("message", "reason"), REASONS.items(), ids=REASONS)
def test_the_kind_of_trouble(message: str, reason: EndReason) -> None:
    assert reason_of(message) == reason


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please try again in 1.5s.", 1.5),
        ("try again in 20 s", 20),
        ("Try again in 300ms", 0.3),
        ("retry after 2m", 120),
        ("Try again later.", None),
    ],
)
def test_how_long_to_wait(message: str, seconds: float | None) -> None:
    assert wait_of(message) == seconds
