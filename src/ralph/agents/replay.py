"""A recorded session as a scripted agent: what a real agent did, done again without its model.

Rules (issue: agents):

- What is played again are the calls that act: writing, editing, commands, Ralph's tools, claims. They are judged and
  executed anew, on the tree as it is then, so the records that come out are those of the new run. What only reads, or
  acts inside the client alone, is left out, and so is what the client itself refused.
- What the agent said, used, and how its turns ended is played as it was.
- Paths below the recorded project are meant below the one in which it is played.
- A call that acts and whose effect the records do not hold cannot be played again, and is an error that names it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ralph.agents.base import Claim, Decided, End, Text, ToolCall, ToolResult, Usage
from ralph.agents.recording import Heading, Take
from ralph.agents.script import Action, Answer, When
from ralph.agents.scripted import ScriptedAgent
from ralph.errors import ConfigError
from ralph.hook.calls import INSIDE
from ralph.mcp.model import PREFIX

WITHOUT_EFFECT = INSIDE | {"Read", "NotebookRead", "LS", "Grep", "Glob", "WebFetch", "WebSearch", "view_image"}

Arguments = Mapping[str, Any]


def script_of(takes: Iterable[Take], name: str = "replay") -> ScriptedAgent:
    """The agent that does in each iteration what the takes of that iteration did, one after the other.

    Raises ConfigError for a call that cannot be played again.
    """
    turns: dict[int, list[Action]] = {}
    for take in takes:
        turns.setdefault(take.heading.iteration, []).extend(_actions(take))
    answers = (Answer(When(iteration=number), _one_end(actions)) for number, actions in sorted(turns.items()))
    return ScriptedAgent(name, (), tuple(answers))


def _actions(take: Take) -> Iterator[Action]:
    refused = _refused(take)
    for record in take.records:
        match record:
            case Text(text):
                yield "say", text
            case Claim(topic, payload):
                yield "claim", {"topic": topic, "payload": payload}
            case Usage():
                yield "usage", dataclasses.asdict(record)
            case ToolCall() if record.id not in refused and record.tool not in WITHOUT_EFFECT:
                yield from _call(record, take.heading)
            case End():
                yield from _end(record)


def _refused(take: Take) -> frozenset[str | None]:
    """The calls that did not run although nobody denied them."""
    decided = {each.id for each in take.records if isinstance(each, Decided)}
    results = [each for each in take.records if isinstance(each, ToolResult)]
    return frozenset(each.id for each in results if not each.ran and each.id is not None and each.id not in decided)


def _end(end: End) -> Iterator[Action]:
    if end.usage:
        yield "usage", dataclasses.asdict(end.usage)
    yield "end", {"reason": end.reason, "detail": end.detail, "retry_after_s": end.retry_after_s}


def _one_end(actions: list[Action]) -> tuple[Action, ...]:
    """Of several takes of one turn only the last end counts: after the first nothing would be played."""
    last = max((at for at, (word, _) in enumerate(actions) if word == "end"), default=None)
    return tuple(action for at, action in enumerate(actions) if action[0] != "end" or at == last)


def _call(call: ToolCall, heading: Heading) -> Iterator[Action]:
    where = f"The transcript of iteration {heading.iteration}"
    if call.arguments is None:
        raise ConfigError(f"{where} does not say with what {call.tool} was called, so it cannot be played again.")
    try:
        if call.tool.startswith(PREFIX):
            yield "tool", {"name": call.tool.removeprefix(PREFIX), "arguments": dict(call.arguments)}
        elif act := _ACTS.get(call.tool):
            yield from act(call.arguments, lambda path: _moved(path, heading))
        else:
            raise ConfigError(f"{where} holds a call of {call.tool}, whose effect cannot be played again.")
    except (KeyError, TypeError, AttributeError):
        raise ConfigError(f"{where} holds a call of {call.tool} with arguments that it does not take.") from None


def _moved(path: str, heading: Heading) -> str:
    return str(Path(path).relative_to(heading.workdir)) if Path(path).is_relative_to(heading.workdir) else path


Move = Callable[[str], str]


def _write(given: Arguments, moved: Move) -> Iterator[Action]:
    yield "write", {"path": moved(given["file_path"]), "content": given["content"]}


def _edit(given: Arguments, moved: Move) -> Iterator[Action]:
    for each in given.get("edits", [given]):
        every = bool(each.get("replace_all", False))
        old, new = each["old_string"], each["new_string"]
        yield "replace", {"path": moved(given["file_path"]), "old": old, "new": new, "all": every}


def _run(given: Arguments, moved: Move) -> Iterator[Action]:
    yield "run", given["command"] if "command" in given else given["cmd"]


_ACTS: Mapping[str, Callable[[Arguments, Move], Iterator[Action]]] = {
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _edit,
    "Bash": _run,
    "run": _run,
    "write": lambda given, moved: iter([("write", {**given, "path": moved(given["path"])})]),
    "replace": lambda given, moved: iter([("replace", {**given, "path": moved(given["path"])})]),
    "delete": lambda given, moved: iter([("delete", moved(given["path"]))]),
    "emit": lambda given, moved: iter([("emit", dict(given))]),
}
"""What each tool did, in the words of a script: those of Claude Code and Codex, and the scripted agent's own."""
