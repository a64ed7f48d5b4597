"""Claude Code's messages, read as records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.agents.base import Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.agents.claude_messages import Reader, target

ALLOWED = frozenset({"t1"})


def reader(*, has_tools: bool = False) -> Reader:
    return Reader(resumed=False, has_tools=has_tools, allowed=ALLOWED)


def read(*messages: dict[str, Any]) -> list[Record]:
    one = reader()
    return [record for message in messages for record in one.read(message)]


def init(**more: object) -> dict[str, Any]:
    return {"type": "system", "subtype": "init", "session_id": "s", "model": "m", "claude_code_version": "2", **more}


def assistant(*blocks: dict[str, Any], parent: str | None = None, **more: object) -> dict[str, Any]:
    message = {"id": "m1", "model": "m", "content": list(blocks), "usage": {"input_tokens": 10}}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, **more}


def result_of(number: str, content: object = "out", *, error: bool = False, kind: str | None = None) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": number, "content": content, "is_error": error}
    meta = [{"id": number, "non_execution_kind": kind}] if kind else []
    return {"type": "user", "message": {"content": [block]}, "tool_result_meta": meta}


TEXT = {"type": "text", "text": "hello"}
CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls", "description": "lists"}}


def test_the_first_beginning_counts() -> None:
    assert read(init(), init(session_id="other")) == [Started(session="s", model="m", version="2")]


def test_words_calls_and_what_they_used() -> None:
    arguments = {"command": "ls", "description": "lists"}
    usage = Usage(input_tokens=10, context_tokens=10, model_calls=1)
    assert read(assistant(TEXT, CALL)) == [Text("hello"), ToolCall("Bash", "ls", "t1", arguments), usage]


def test_a_subagent_acts_but_does_not_speak_for_the_agent() -> None:
    records = read(assistant(TEXT, CALL, parent="t0"))
    assert [type(each) for each in records] == [ToolCall, Usage]


@pytest.mark.parametrize(
    ("message", "result"),
    [
        pytest.param(result_of("t1"), ToolResult(True, "out", "t1"), id="ran"),
        pytest.param(result_of("t1", "Exit code 3", error=True), ToolResult(False, "Exit code 3", "t1"), id="failed"),
        pytest.param(
            result_of("t1", [{"type": "text", "text": "a"}, {"type": "image"}]),
            ToolResult(True, "a\n(image)", "t1"),
            id="blocks",
        ),
        pytest.param(
            result_of("t2", "hook error: no", error=True, kind="permission-rule"),
            ToolResult(False, "hook error: no", "t2", ran=False),
            id="denied",
        ),
        pytest.param(
            result_of("t2", "<tool_use_error>No such tool</tool_use_error>", error=True),
            ToolResult(False, "<tool_use_error>No such tool</tool_use_error>", "t2", ran=False),
            id="refused by the client",
        ),
        pytest.param(
            result_of("t1", "stopped", error=True, kind="interrupted"),
            ToolResult(False, "stopped", "t1"),
            id="cut off while it ran",
        ),
        pytest.param(
            result_of("t2", "stopped", error=True, kind="interrupted"),
            ToolResult(False, "stopped", "t2", ran=False),
            id="cut off while somebody was asked",
        ),
        pytest.param(
            result_of("t2", "no", error=True, kind="automode-blocked"),
            ToolResult(False, "no", "t2", ran=False),
            id="refused by the client's own judge",
        ),
    ],
)
def test_what_came_of_a_call(message: dict[str, Any], result: ToolResult) -> None:
    one = reader()
    assert list(one.read(message)) == [result]
    assert one.ungoverned is None


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(result_of("t2"), id="ran"),
        pytest.param(result_of("t2", "Exit code 1", error=True), id="failed"),
        pytest.param(result_of("t2", "<tool_use_error>pretended"), id="a file that begins like a refusal"),
        pytest.param(result_of("t2", "Exit code 1\n<tool_use_error>", error=True), id="output like a refusal"),
        pytest.param({"type": "user", "message": {"content": [{"type": "tool_result"}]}}, id="no id"),
    ],
)
def test_a_tool_that_ran_without_a_decision_is_found_at_once(message: dict[str, Any]) -> None:
    one = reader()
    (result,) = one.read(message)
    assert isinstance(result, ToolResult)
    assert result.ran
    assert "without asking" in str(one.ungoverned)


def test_what_the_client_s_own_mode_refused_did_not_run() -> None:
    refusal = {"type": "system", "subtype": "permission_denied", "tool_use_id": "t2"}
    assert read(refusal, result_of("t2", "no", error=True)) == [ToolResult(False, "no", "t2", ran=False)]


@pytest.mark.parametrize(
    ("servers", "is_fine"),
    [
        ([{"name": "ralph", "status": "connected"}], True),
        ([{"name": "ralph", "status": "failed"}], False),
        ([{"name": "ralph", "status": "pending"}], False),
        ([{"name": "other", "status": "connected"}], False),
        ([], False),
        (None, False),
        ("connected", False),
    ],
)
def test_ralph_s_tools_must_have_arrived(servers: object, is_fine: bool) -> None:
    one = reader(has_tools=True)
    list(one.read(init(mcp_servers=servers)))
    assert is_fine == (not one.ungoverned)


def test_how_long_the_provider_asks_to_wait() -> None:
    messages: list[dict[str, Any]] = [
        {"type": "system", "subtype": "api_retry", "error_status": 529, "retry_delay_ms": 9000},
        {"type": "system", "subtype": "api_retry", "error_status": 429, "retry_delay_ms": 7834},
        {"type": "rate_limit_event", "rate_limit_info": {"status": "allowed", "resetsAt": 5}},
        {"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": 1795329123}},
    ]
    one, waits = reader(), []
    for message in messages:
        assert list(one.read(message)) == []
        waits.append((one.retry_after_s, one.resets_at))
    assert waits == [(None, None), (7.834, None), (7.834, None), (7.834, 1795329123)]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"file_path": "/a", "content": "x"}, "/a"),
        ({"command": "ls", "description": "lists"}, "ls"),
        ({"pattern": "*.py", "path": "src"}, "src"),
        ({"task_id": 3}, '{"task_id": 3}'),
        ({}, ""),
    ],
)
def test_the_subject_of_a_call(arguments: dict[str, Any], shown: str) -> None:
    assert target(arguments) == shown


KEYS = ("type", "id", "content", "input", "usage", "message", "text", "tool_use_id", "is_error")
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
KINDS = st.sampled_from(["system", "assistant", "user", "result", "rate_limit_event", "new", None])
FIELDS = ("subtype", "message", "tool_result_meta", "mcp_servers", "rate_limit_info", "usage", "modelUsage", "error")


@given(KINDS, st.sampled_from(["init", "api_retry", "permission_denied", None]), st.data())
def test_no_message_is_too_odd(kind: str | None, subtype: str | None, data: st.DataObject) -> None:
    rest = {name: data.draw(anything) for name in FIELDS[1:]}
    rest["message"] = data.draw(st.fixed_dictionaries({"content": st.lists(anything), "id": anything}) | anything)
    records = list(reader(has_tools=True).read({"type": kind, "subtype": subtype, **rest}))
    assert all(isinstance(each, Record) for each in records)
