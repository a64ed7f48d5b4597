"""From a call to what the agent is told; whatever happens, it is told something, and never what is Ralph's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ralph.errors import StorageError
from ralph.mcp.answer import answer
from ralph.mcp.model import Tool, ToolError

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer", "maximum": 9}},
    "additionalProperties": False,
}


def told(call: Any, arguments: Mapping[str, Any] | None = None, name: str = "t") -> tuple[str, Any, list[str]]:
    reported: list[str] = []
    tools = [Tool(name="t", description="", schema=SCHEMA, call=call)]
    found = answer(tools, name, arguments, reported.append)
    assert found.refused == (found.data is None)
    return found.text, found.data, reported


def raising(error: Exception) -> Any:
    def call(_given: Mapping[str, Any]) -> Mapping[str, Any]:
        raise error

    return call


def test_a_result_is_a_message_a_blank_line_and_json_and_the_same_as_data() -> None:
    text, data, _ = told(lambda given: {"message": "Done.", "n": given["n"], "more": ["ü"]}, {"n": 3})
    assert text == 'Done.\n\n{\n  "n": 3,\n  "more": [\n    "ü"\n  ]\n}'
    assert data == {"message": "Done.", "n": 3, "more": ["ü"]}


@pytest.mark.parametrize(
    ("result", "text"),
    [({"message": "Done."}, "Done."), ({"n": 1}, '{\n  "n": 1\n}'), ({}, "")],
    ids=["only a message", "only data", "nothing"],
)
def test_a_result_may_lack_either(result: Mapping[str, Any], text: str) -> None:
    assert told(lambda _: result)[0] == text


def test_arguments_that_are_left_out_are_none() -> None:
    assert told(lambda given: {"got": dict(given)}, None)[1] == {"got": {}}


def test_wrong_arguments_call_nothing() -> None:
    text, data, reported = told(raising(AssertionError("it was called")), {"n": 10})
    assert (text, data, reported) == ("t was not called: 'n' must be at most 9.", None, [])


def test_an_unknown_tool_is_answered_with_those_that_there_are() -> None:
    assert told(lambda _: {}, name="nope")[0] == "There is no tool of this name here; there are: t."


@pytest.mark.parametrize("error", [ToolError("Not now."), StorageError("Not now.")], ids=["refusal", "error"])
def test_what_ralph_raises_on_purpose_is_its_sentence(error: Exception) -> None:
    assert told(raising(error)) == ("Not now.", None, [])


BROKEN = {
    "an error that nobody foresaw": raising(KeyError("/secret")),
    "a result that is no JSON": lambda _: {"path": object()},
    "a result with what JSON does not know": lambda _: {"n": float("nan")},
    "no result": lambda _: None,
}


@pytest.mark.parametrize("call", BROKEN.values(), ids=BROKEN)
def test_a_defect_is_told_to_ralph_and_not_to_the_agent(call: Any) -> None:
    text, data, reported = told(call)
    assert data is None
    assert text == "t ended in an internal error of Ralph; what it did is unknown: go on without it."
    assert "Traceback" in reported[0]


def test_half_a_character_does_not_stop_the_server() -> None:
    """It comes with the names of files that are no UTF-8."""
    text, data, _ = told(lambda _: {"message": "a\udcff", "path": "b\udcff"})
    assert data == {"message": "a?", "path": "b?"}
    text.encode()
