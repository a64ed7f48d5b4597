"""The Messages format, as far as Claude Code needs it: one turn is text, or calls of tools."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.clients.server import Event, Json, Model, Refused, Request, serving

_NUMBERS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Said:
    """`input_tokens`: what the provider counts for the call, and the client pays for."""

    blocks: tuple[Json, ...]
    stop_reason: str
    input_tokens: int = 100


@dataclass(frozen=True, slots=True)
class Stalled:
    """The answer begins, and then nothing comes for so long."""

    seconds: float


def fail(status: int, kind: str, message: str, **headers: str) -> Refused:
    """The provider refuses; headers with `_` for `-`."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Refused(status, {"type": "error", "error": {"type": kind, "message": message}}, named)


def say(text: str, input_tokens: int = 100) -> Said:
    return Said(({"type": "text", "text": text},), "end_turn", input_tokens)


def call(*tools: tuple[str, Json], input_tokens: int = 100) -> Said:
    """The model asks for these tools, all at once."""
    blocks = ({"type": "tool_use", "id": f"toolu_{next(_NUMBERS):06d}", "name": n, "input": i} for n, i in tools)
    return Said(tuple(blocks), "tool_use", input_tokens)


Answer = Said | Refused | Stalled


@dataclass
class Claude(Model[Answer]):
    """The scripted model, and what it was told."""

    url: str = ""

    def told(self) -> str:
        """Everything that the model was told last."""
        return json.dumps(self.requests[-1].body["messages"], ensure_ascii=False)

    def results(self) -> list[str]:
        """The text of every tool result that has reached the model, in order."""
        if not self.requests:
            return []
        messages = self.requests[-1].body["messages"]
        blocks = [b for m in messages if isinstance(m["content"], list) for b in m["content"]]
        return [_text(block["content"]) for block in blocks if block.get("type") == "tool_result"]


@contextmanager
def scripted(
    *turns: Answer | Callable[[Json], Answer], mind: Callable[[Json], Answer] | None = None
) -> Iterator[Claude]:
    """After the turns `mind` answers, if there is one."""
    model = Claude(list(turns), mind or say("(the script is at its end)"))

    def answer(request: Request) -> Iterator[Event] | Json | Refused | None:
        if request.path != "/v1/messages":
            model.others.append(request)
            return None
        turn = model.next_turn(request) if request.body.get("tools") else say("{}")
        if isinstance(turn, Refused):
            return turn
        if isinstance(turn, Stalled):
            return _stall(request.body["model"], turn)
        return _stream(request.body["model"], turn) if request.body.get("stream") else _message(request, turn)

    with serving(answer) as model.url:
        yield model


def _stall(model: str, turn: Stalled) -> Iterator[Event]:
    yield "message_start", {"message": _opening(model)}
    time.sleep(turn.seconds)


def _message(request: Request, turn: Said) -> Json:
    opening = _opening(request.body["model"], turn.input_tokens)
    return {**opening, "content": list(turn.blocks), "stop_reason": turn.stop_reason}


def _opening(model: str, tokens: int = 100) -> Json:
    usage = {"input_tokens": tokens, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{next(_NUMBERS):06d}", "type": "message", "role": "assistant", "model": model, "content": []}
    return {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}


def _stream(model: str, turn: Said) -> Iterator[Event]:
    yield "message_start", {"message": _opening(model, turn.input_tokens)}
    for index, block in enumerate(turn.blocks):
        if block["type"] == "text":
            start: Json = {"type": "text", "text": ""}
            delta: Json = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    end = {"stop_reason": turn.stop_reason, "stop_sequence": None}
    yield "message_delta", {"delta": end, "usage": {"output_tokens": 20}}
    yield "message_stop", {}


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)
