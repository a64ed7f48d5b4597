"""What Codex says and writes down, as records. Pure: lines in, records out.

Rules (research: agent clients, 2):

- Codex speaks twice. Its output (`exec --json`) says that a turn began, what the agent said, and how the turn ended,
  but numbers its items anew. What it writes down of the session names each call as the model, and so the hook, named
  it; calls, results and usage are taken from there.
- A call ran if Codex says that it executed it; a tool that leaves no such entry (a picture, a goal) ran if it has a
  result that is no refusal. What ran has a decision of Ralph's that allowed it, and a command is a ticket of Ralph's:
  anything else is `trouble`, and the turn must not go on.
- More executed according to the output than was written down is trouble as well, once the turn is over.
- `write_stdin` goes on with a command that was judged, and that gets no input: it is no call of its own.
- Usage is that of this turn alone; input counts what was read from and written to a cache, and is parted from it here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ralph.agents.base import Decided, Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.agents.codex_ends import shortened
from ralph.hook.docket import Noted
from ralph.record import replace

Json = Mapping[str, Any]
NAMES = {"exec_command": "Bash", "shell": "Bash", "shell_command": "Bash", "local_shell": "Bash"}
"""How hooks call Codex's tools."""
TICKET = "ralph exec --ticket "
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")
_TALK = frozenset({"agent_message", "reasoning", "error", "todo_list"})
_EXECUTES = frozenset({"Bash", "apply_patch"})
_BLOCKED = " blocked by PreToolUse hook: "
_REFUSED = (
    "unsupported ",
    "failed to parse ",
    "approval policy is ",
    "request_user_input is unavailable",
    "unable to ",
)
_GOES_ON = "write_stdin"


class Reader:
    """One turn. `session` and `failure` are what Codex said, `completed` that it ended its turn well."""

    def __init__(self, model: str | None = None) -> None:
        self.session: str | None = None
        self.usage: Usage | None = None
        self.failure: str | None = None
        self.completed = False
        self.trouble: str | None = None
        self.calls: dict[str, str] = {}
        self._model = model
        self._decided: dict[str, Noted] = {}
        self._told: set[str] = set()
        self._executed = 0
        self._shown = 0

    def decided(self, noted: Iterable[Noted]) -> Iterator[Record]:
        """Decisions of the turn's court, before anything that follows from them."""
        for each in noted:
            self._decided[each.id] = each
            yield Decided(id=each.id, tool=each.tool, outcome=each.outcome, reason=each.reason)

    def said(self, line: bytes) -> Iterator[Record]:
        """A line of Codex's output."""
        event = _object(line)
        match event.get("type"):
            case "thread.started" if isinstance(session := event.get("thread_id"), str):
                self.session = session
                yield Started(session=session, model=self._model)
            case "item.completed":
                yield from self._item(_mapping(event.get("item")))
            case "turn.completed":
                self.completed = True
                yield from self._total(_mapping(event.get("usage")))
            case "turn.failed":
                self.failure = str(_mapping(event.get("error")).get("message") or "the turn failed")
            case "error":
                self.failure = str(event.get("message") or "an error without a word")

    def kept(self, line: bytes) -> Iterator[Record]:
        """A line that Codex wrote down of the session."""
        entry = _object(line)
        what = _mapping(entry.get("payload"))
        kind, inner = entry.get("type"), what.get("type")
        if kind == "token_usage_record":
            yield from self._used(what)
        elif inner == "token_count":
            window = _mapping(what.get("info")).get("model_context_window")
            if isinstance(window, int) and self.usage:
                self.usage = replace(self.usage, context_window=window)
        elif inner == "item_completed":
            yield from self._ran(_mapping(what.get("item")))
        elif kind == "response_item" and inner in _CALLS:
            yield from self._called(what)
        elif kind == "response_item" and inner in _RESULTS:
            yield from self._answered(what)

    def ended(self) -> None:
        """The turn is over, and everything was read."""
        if self.completed and self._shown > self._executed:
            self.trouble = self.trouble or "Codex executed something that it did not write down"

    def _item(self, item: Json) -> Iterator[Record]:
        kind, text = item.get("type"), item.get("text")
        if kind == "agent_message" and isinstance(text, str):
            yield Text(text)
        elif kind not in _TALK:
            self._shown += 1

    def _called(self, what: Json) -> Iterator[Record]:
        number, name = str(what.get("call_id")), str(what.get("name") or "shell")
        if name == _GOES_ON:
            return
        space = what.get("namespace")
        tool = f"{space}__{name}" if isinstance(space, str) and space else NAMES.get(name, name)
        arguments = _arguments(what)
        self.calls[number] = tool
        yield ToolCall(tool, _target(arguments), number, arguments)

    def _ran(self, item: Json) -> Iterator[Record]:
        number = str(item.get("id"))
        if number not in self.calls:
            return
        self._executed += 1
        decision = self._decided.get(number)
        if decision is None or decision.outcome == "deny":
            self.trouble = f"Codex ran {self.calls[number]} without a decision of Ralph's that allowed it"
        elif item.get("type") == "CommandExecution" and TICKET not in str(_last(item.get("command"))):
            self.trouble = "Codex ran a command as the model wrote it, outside of Ralph's sandbox"
        if number not in self._told:
            self._told.add(number)
            yield ToolResult(*_outcome(item), number)

    def _answered(self, what: Json) -> Iterator[Record]:
        number = str(what.get("call_id"))
        if number not in self.calls or number in self._told:
            return
        output = _text(what.get("output"))
        decision, tool = self._decided.get(number), self.calls[number]
        refused = _BLOCKED in output[:60] or output.startswith(_REFUSED)
        executes = tool in _EXECUTES or tool.startswith("mcp__")
        if executes and not refused and decision is not None and decision.outcome == "allow":
            return  # it runs, or did: its own entry says how it ended
        self._told.add(number)
        ran = not refused and not executes
        if ran and (decision is None or decision.outcome == "deny"):
            self.trouble = f"Codex ran {tool} without a decision of Ralph's that allowed it"
        yield ToolResult(not refused, output, number, ran)

    def _used(self, what: Json) -> Iterator[Record]:
        turn, last = _mapping(what.get("turn_token_usage")), _mapping(what.get("usage"))
        before = self.usage or Usage()
        self.usage = replace(
            _usage(turn),
            context_tokens=_count(last, "input_tokens"),
            context_window=before.context_window,
            model_calls=before.model_calls + 1,
        )
        yield self.usage

    def _total(self, usage: Json) -> Iterator[Record]:
        """Where nothing was written down, the figures of the output have to do."""
        if self.usage is None and usage:
            self.usage = replace(_usage(usage), model_calls=1)
            yield self.usage


def _usage(figures: Json) -> Usage:
    read, written = _count(figures, "cached_input_tokens"), _count(figures, "cache_write_input_tokens")
    return Usage(
        input_tokens=max(0, _count(figures, "input_tokens") - read - written),
        output_tokens=_count(figures, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _outcome(item: Json) -> tuple[bool, str]:
    """Whether an executed call succeeded, and what came of it."""
    match item.get("type"):
        case "CommandExecution":
            return item.get("exit_code") == 0, _text(item.get("aggregated_output"))
        case "McpToolCall":
            result = _mapping(item.get("result"))
            failed = bool(result.get("isError")) or item.get("status") != "completed"
            return not failed, _text(result.get("content")) or _text(item.get("error"))
        case kind:
            return item.get("status") == "completed", f"{kind}: {shortened(json.dumps(item.get('changes')))}"


def _arguments(what: Json) -> Json:
    given = what.get("arguments", what.get("input", what.get("action")))
    if isinstance(given, str):
        found = _object(given.encode("utf-8", "replace"))
        return found or {"input": given}
    return _mapping(given)


def _target(arguments: Json) -> str:
    first = next((arguments[name] for name in ("cmd", "command", "path", "input") if name in arguments), arguments)
    return first if isinstance(first, str) else json.dumps(first, ensure_ascii=False)


def _text(value: object) -> str:
    """The words of a result, which is text, or a list of parts of which some are."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(str(each["text"]) for each in value if isinstance(each, dict) and "text" in each)
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _last(value: object) -> object:
    return value[-1] if isinstance(value, list) and value else value


def _count(figures: Json, name: str) -> int:
    value = figures.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _object(line: bytes) -> Json:
    """A line as an object; empty for anything else, which is nothing that a record could be made of."""
    try:
        return _mapping(json.loads(line))
    except (ValueError, RecursionError):
        return {}
