"""Claude Code's messages (`stream-json`), read as records.

Rules (research: agent clients, 1.4 and 1.5):

- Pure: messages in, records out. What is not understood is passed over: a newer client may say more, and what counts
  for the law (a tool that ran, a server that is dead) is looked for in what it always says.
- A tool did not run if the client says why it did not (`non_execution_kind`, a refused permission), or if it refused
  the call by itself (`<tool_use_error>`). A call that was cut off may have run: it did unless nothing had allowed it.
- What a subagent says is not what the agent says; what it does and uses counts like everything else.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from typing import Any

from ralph.agents.base import Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.agents.claude_usage import Tally
from ralph.mcp.serve import NAME

Json = Mapping[str, Any]
LONG_WAIT_S = 20.0
"""A client that waits this long for its provider is ended: Ralph waits better, without one that looks stalled."""
_TARGETS = ("file_path", "notebook_path", "command", "path", "pattern", "url", "query", "description")
_LONGEST_TARGET = 2000
_NOT_RUN = frozenset({"permission-rule", "user-rejected", "cancelled"})


class Reader:
    """One turn's messages, in their order. `allowed` holds the ids of calls that Ralph allowed so far."""

    def __init__(self, *, resumed: bool, has_tools: bool, allowed: Container[str]) -> None:
        self._has_tools = has_tools
        self._allowed = allowed
        self._denied: set[str] = set()
        self._is_started = False
        self.tally = Tally(resumed=resumed)
        self.result: Json | None = None
        self.error: str | None = None
        """What the last message of the model's called its error."""
        self.retry_after_s: float | None = None
        """How long the provider asks to wait."""
        self.resets_at: float | None = None
        """When the provider takes calls again, in seconds since the epoch."""
        self.ungoverned: str | None = None
        """Why the client cannot be governed."""

    @property
    def usage(self) -> Usage | None:
        return self.tally.usage()

    def read(self, message: Json) -> Iterator[Record]:
        kind = message.get("type")
        if kind == "system":
            yield from self._system(message)
        elif kind == "assistant":
            yield from self._assistant(message)
        elif kind == "user":
            yield from self._results(message)
        elif kind == "rate_limit_event":
            self._limited(_mapping(message.get("rate_limit_info")))
        elif kind == "result":
            self.result = message
            self.tally.result(message)

    def _system(self, message: Json) -> Iterator[Record]:
        subtype = message.get("subtype")
        if subtype == "init" and not self._is_started:
            self._is_started = True
            self._check_server(message.get("mcp_servers"))
            names = (_text(message.get(key)) for key in ("session_id", "model", "claude_code_version"))
            session, model, version = names
            yield Started(session=session, model=model, version=version)
        elif subtype == "permission_denied":
            self._denied.add(str(message.get("tool_use_id")))
        elif subtype == "api_retry" and message.get("error_status") == 429:
            self.retry_after_s = _seconds(message.get("retry_delay_ms"), 1000)

    def _check_server(self, servers: object) -> None:
        if not self._has_tools:
            return
        found = [_mapping(each) for each in servers] if isinstance(servers, list) else []
        status = next((each.get("status") for each in found if each.get("name") == NAME), "missing")
        if status != "connected":
            self.ungoverned = f"Ralph's tools did not reach the client: its MCP server is {status}"

    def _assistant(self, message: Json) -> Iterator[Record]:
        body = _mapping(message.get("message"))
        is_main = message.get("parent_tool_use_id") is None
        if is_main:
            self.error = _text(message.get("error"))
        is_call = self.tally.call(body, is_main=is_main)
        for block in _blocks(body):
            if block.get("type") == "text" and is_main and _text(block.get("text")):
                yield Text(block["text"])
            elif block.get("type") == "tool_use":
                given = _mapping(block.get("input"))
                yield ToolCall(str(block.get("name")), target(given), _text(block.get("id")), given)
        if is_call and (usage := self.usage):
            yield usage

    def _results(self, message: Json) -> Iterator[Record]:
        said = message.get("tool_result_meta")
        meta = [_mapping(each) for each in said] if isinstance(said, list) else []
        kinds = {_text(each.get("id")): each.get("non_execution_kind") for each in meta}
        for block in _blocks(_mapping(message.get("message"))):
            if block.get("type") != "tool_result":
                continue
            number, output = _text(block.get("tool_use_id")), _output(block.get("content"))
            failed = block.get("is_error") is True
            ran = not failed or self._ran(number, kinds.get(number), output)
            if ran and number not in self._allowed:
                self.ungoverned = f"the client ran a tool without asking Ralph (call {number})"
            yield ToolResult(not failed, output, number, ran)

    def _ran(self, number: str | None, kind: object, output: str) -> bool:
        """Whether a call that failed did anything."""
        if kind == "interrupted":
            return number in self._allowed
        is_refused = isinstance(kind, str) and (kind in _NOT_RUN or kind.startswith("automode-"))
        return not is_refused and number not in self._denied and not output.startswith("<tool_use_error>")

    def _limited(self, info: Json) -> None:
        if info.get("status") == "rejected":
            self.resets_at = _seconds(info.get("resetsAt"), 1)


def target(arguments: Json) -> str:
    """The path, command or other subject of a call, for a person to read."""
    for name in _TARGETS:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return value[:_LONGEST_TARGET]
    return json.dumps(arguments, ensure_ascii=False)[:_LONGEST_TARGET] if arguments else ""


def _output(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = [_mapping(each) for each in content] if isinstance(content, list) else []
    return "\n".join(str(each.get("text", f"({each.get('type')})")) for each in blocks)


def _blocks(message: Json) -> list[Json]:
    content = message.get("content")
    return [each for each in content if isinstance(each, Mapping)] if isinstance(content, list) else []


def _mapping(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _seconds(value: object, unit: int) -> float | None:
    return value / unit if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None
