"""A scripted model that knows by what it was told what to do: it finds Ralph's last prompt, and counts its own answers.

How often a client asks, in which conversation, and what is played again after a kill, is not for a list of turns to
know. So a mind is a table: which words a prompt holds, and what to do then, move by move. Moves are the same for both
vendors' clients; `spoken` makes the answers of one of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.clients import anthropic, openai
from tests.clients.server import Json

PROMPT = " MODE - Iteration "
"""What every prompt of Ralph's for work begins with, behind the name of the phase."""


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Shell:
    """`tokens`: what the model read before it thought of this command."""

    command: str
    tokens: int = 100


@dataclass(frozen=True, slots=True)
class Write:
    """A new file."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Whole lines of a file."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One of Ralph's."""

    name: str
    arguments: Json


Move = Say | Shell | Write | Edit | Tool
Play = tuple[Move, ...]


@dataclass(slots=True)
class Part:
    """What is done when a prompt holds all these words: one play for each time, the last one again and again."""

    words: tuple[str, ...]
    plays: tuple[Play, ...]
    times: int = 0


def part(*words: str, plays: tuple[Play, ...]) -> Part:
    return Part(words, plays)


@dataclass
class Mind:
    """The first part whose words the prompt holds counts. A play that is over says so, which ends the turn."""

    parts: tuple[Part, ...]
    prompts: list[str] = field(default_factory=list)
    """Every prompt that was acted on, in order."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def move(self, prompt: str, step: int) -> Move:
        """What to do at a step of a prompt."""
        with self._lock:
            found = next((each for each in self.parts if all(word in prompt for word in each.words)), None)
            if found is None:
                return Say("I do not know what to do.")
            if step == 0:
                found.times += 1
                self.prompts.append(prompt)
            play = found.plays[min(found.times, len(found.plays)) - 1]
            return play[step] if step < len(play) else Say("That is all.")


def claude(mind: Mind, root: Path) -> Callable[[Json], anthropic.Said]:
    """The mind as a model of Claude Code's, which works in `root`."""

    def answer(body: Json) -> anthropic.Said:
        messages = body["messages"]
        place = max((n for n, each in enumerate(messages) if PROMPT in _said(each)), default=None)
        if place is None:
            return anthropic.say("## Progress\nNothing that the files do not show.")
        step = sum(each["role"] == "assistant" for each in messages[place:])
        match mind.move(_said(messages[place]), step):
            case Say(text):
                return anthropic.say(text)
            case Shell(command, tokens):
                return anthropic.call(("Bash", {"command": command, "description": "-"}), input_tokens=tokens)
            case Write(path, content):
                return anthropic.call(("Write", {"file_path": f"{root}/{path}", "content": content}))
            case Edit(path, old, new):
                given = {"file_path": f"{root}/{path}", "old_string": old, "new_string": new}
                return anthropic.call(("Read", {"file_path": f"{root}/{path}"}), ("Edit", given))
            case Tool(name, arguments):
                return anthropic.call((f"mcp__ralph__{name}", arguments))

    return answer


def codex(mind: Mind, root: Path) -> Callable[[Json], openai.Said]:
    """The mind as a model of Codex's."""

    def answer(body: Json) -> openai.Said:
        items = body["input"]
        place = max((n for n, each in enumerate(items) if PROMPT in _said(each)), default=None)
        if place is None:
            return openai.say("## Progress\nNothing that the files do not show.")
        own = ("function_call", "custom_tool_call")
        step = sum(each.get("role") == "assistant" or each.get("type") in own for each in items[place:])
        match mind.move(_said(items[place]), step):
            case Say(text):
                return openai.say(text)
            case Shell(command, tokens):
                return replace(openai.call("exec_command", {"cmd": command}), input_tokens=tokens)
            case Write(path, content):
                return _patch(f"*** Add File: {path}", *(f"+{line}" for line in content.splitlines()))
            case Edit(path, old, new):
                less, more = (f"-{line}" for line in old.splitlines()), (f"+{line}" for line in new.splitlines())
                return _patch(f"*** Update File: {path}", "@@", *less, *more)
            case Tool(name, arguments):
                return openai.tool(name, arguments)

    return answer


def _patch(*lines: str) -> openai.Said:
    """The model hands a patch to the shell; Codex applies it itself."""
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
    return openai.call("exec_command", {"cmd": f"apply_patch <<'EOF'\n{text}\nEOF"})


def _said(message: Json) -> str:
    """What a person, or Ralph, said; "" for anybody else's words."""
    if message.get("role") != "user":
        return ""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if isinstance(block, dict))
