"""The Responses format, as far as Codex needs it: one turn is text, or calls of tools."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.clients.server import Event, Json, Model, Refused, Request, serving

_NUMBERS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Said:
    """`input_tokens`: what the provider counts for the call."""

    items: tuple[Json, ...]
    input_tokens: int = 100


def say(text: str, input_tokens: int = 100) -> Said:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return Said(({"type": "message", "role": "assistant", "content": content},), input_tokens)


def call(name: str, arguments: Json) -> Said:
    return Said(({"type": "function_call", "name": name, "arguments": json.dumps(arguments)},))


def patch(text: str) -> Said:
    """A call of `apply_patch`, whose input is no JSON."""
    return Said(({"type": "custom_tool_call", "name": "apply_patch", "input": text},))


def tool(name: str, arguments: Json) -> Said:
    """A call of a tool of Ralph's server."""
    given = {"name": name, "namespace": "mcp__ralph", "arguments": json.dumps(arguments)}
    return Said(({"type": "function_call", **given},))


def fail(status: int, message: str, code: str = "", **headers: str) -> Refused:
    """The provider refuses the request."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Refused(status, {"error": {"message": message, "type": code, "code": code}}, named)


Scripted = Said | Refused


@dataclass
class Codex(Model[Scripted]):
    """The scripted model, and what it was told."""

    url: str = ""

    def results(self) -> list[str]:
        """The text of every tool result that has reached the model, in order."""
        if not self.requests:
            return []
        kinds = ("function_call_output", "custom_tool_call_output")
        items = [item for item in self.requests[-1].body["input"] if item.get("type") in kinds]
        return [item["output"] if isinstance(item["output"], str) else json.dumps(item["output"]) for item in items]


@contextmanager
def scripted(
    *turns: Scripted | Callable[[Json], Scripted], mind: Callable[[Json], Scripted] | None = None
) -> Iterator[Codex]:
    """After the turns `mind` answers, if there is one."""
    model = Codex(list(turns), mind or say("(the script is at its end)"))

    def answer(request: Request) -> Iterator[Event] | Json | Refused | None:
        if request.path != "/v1/responses":
            model.others.append(request)
            return None
        turn = model.next_turn(request)
        return turn if isinstance(turn, Refused) else _stream(request.body["model"], turn)

    with serving(answer) as address:
        model.url = f"{address}/v1"
        yield model


def _stream(model: str, turn: Said) -> Iterator[Event]:
    number = next(_NUMBERS)
    response = {"id": f"resp_{number}", "object": "response", "created_at": 0, "model": model, "output": []}
    yield "response.created", {"response": {**response, "status": "in_progress"}}
    for index, given in enumerate(turn.items):
        item = {**given, "id": f"item_{number}_{index}", "call_id": f"call_{number}_{index}", "status": "completed"}
        yield "response.output_item.added", {"output_index": index, "item": {**item, "status": "in_progress"}}
        yield "response.output_item.done", {"output_index": index, "item": item}
    usage = {
        "input_tokens": turn.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": turn.input_tokens + 20,
    }
    yield "response.completed", {"response": {**response, "status": "completed", "usage": usage}}
