"""The scripted agent: plays a YAML script of file writes, commands and claims; the test double of every other agent.

A script is `name` and `turns`; each turn is a list of actions, each a mapping with one key:

    say: TEXT                                       claim: {topic: build.done, payload: TEXT}
    write: {path: P, content: TEXT}                 run: COMMAND LINE
    replace: {path: P, old: TEXT, new: TEXT}        delete: P
    end: error | interrupted | limit                commit: MESSAGE

It acts for real: files are written, commands run. A turn beyond the script's end says that there is nothing left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ralph.agents.base import Claim, End, EndReason, Record, Text, ToolCall, ToolResult, Turn
from ralph.errors import ConfigError
from ralph.system.process import Command, run
from ralph.system.scratch import scratch
from ralph.system.yaml import load_yaml

Action = tuple[str, Any]
COMMAND_LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class ScriptedAgent:
    """Plays turn `n` of its script in iteration `n` (counted from 1)."""

    name: str
    turns: tuple[tuple[Action, ...], ...]

    @classmethod
    def from_yaml(cls, path: Path) -> ScriptedAgent:
        """Read a script. Raises ConfigError that says which turn and action is wrong."""
        try:
            data = load_yaml(path.read_text("utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "it is no UTF-8 text"
            raise ConfigError(f"The script {path} cannot be read: {why}.") from None
        if not isinstance(data, Mapping) or not isinstance(data.get("turns"), list):
            raise ConfigError(f"{path} must hold `name` and a list `turns`.")
        turns = tuple(_turn(turn, f"{path}, turn {number}") for number, turn in enumerate(data["turns"], start=1))
        return cls(str(data.get("name", path.stem)), turns)

    def run(self, turn: Turn) -> Iterator[Record]:
        if turn.iteration > len(self.turns):
            yield Text("The script has no turn left.")
            yield End("completed")
            return
        for kind, argument in self.turns[turn.iteration - 1]:
            if kind == "end":
                yield End(cast(EndReason, argument), "as the script says")
                return
            try:
                yield from ACTIONS[kind](argument, turn)
            except OSError as error:
                yield ToolResult(False, f"{error.filename}: {error.strerror}")
        yield End("completed")


def _say(text: str, turn: Turn) -> Iterator[Record]:
    yield Text(text)


def _claim(claim: Mapping[str, str], turn: Turn) -> Iterator[Record]:
    yield Claim(claim["topic"], claim.get("payload", ""))


def _write(file: Mapping[str, str], turn: Turn) -> Iterator[Record]:
    yield ToolCall("write", file["path"])
    path = turn.workdir / file["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file["content"], "utf-8")
    yield ToolResult(True, f"wrote {len(file['content'])} characters")


def _replace(edit: Mapping[str, str], turn: Turn) -> Iterator[Record]:
    yield ToolCall("replace", edit["path"])
    path = turn.workdir / edit["path"]
    text = path.read_text("utf-8")
    if text.count(edit["old"]) != 1:
        yield ToolResult(False, f"the text to replace stands {text.count(edit['old'])} times in {edit['path']}")
        return
    path.write_text(text.replace(edit["old"], edit["new"]), "utf-8")
    yield ToolResult(True, "replaced")


def _delete(name: str, turn: Turn) -> Iterator[Record]:
    yield ToolCall("delete", name)
    (turn.workdir / name).unlink()
    yield ToolResult(True, "deleted")


def _run(line: str, turn: Turn) -> Iterator[Record]:
    yield ToolCall("run", line)
    with scratch("agent") as folder:
        ended = run(
            Command(line=line, cwd=turn.workdir, env=turn.env, log=folder / "output.log", timeout_s=COMMAND_LIMIT_S)
        )
    yield ToolResult(ended.exit_code == 0, ended.output)


def _commit(message: str, turn: Turn) -> Iterator[Record]:
    quoted = message.replace("'", "'\\''")
    yield from _run(f"git add -A && git commit -q -m '{quoted}'", turn)


ACTIONS: Mapping[str, Callable[[Any, Turn], Iterator[Record]]] = {
    "say": _say,
    "claim": _claim,
    "write": _write,
    "replace": _replace,
    "delete": _delete,
    "run": _run,
    "commit": _commit,
}

_FIELDS = {"write": {"path", "content"}, "replace": {"path", "old", "new"}, "claim": {"topic"}}


def _turn(turn: object, place: str) -> tuple[Action, ...]:
    if not isinstance(turn, list):
        raise ConfigError(f"{place} must be a list of actions.")
    return tuple(_action(action, f"{place}, action {number}") for number, action in enumerate(turn, start=1))


def _action(action: object, place: str) -> Action:
    if not isinstance(action, Mapping) or len(action) != 1:
        raise ConfigError(f"{place} must be a mapping with one key, such as `run: pytest`.")
    ((kind, argument),) = action.items()
    if kind not in ACTIONS and kind != "end":
        raise ConfigError(f"{place}: there is no action {kind!r}; there are: {', '.join([*ACTIONS, 'end'])}.")
    wanted = _FIELDS.get(kind)
    given = set(argument) if isinstance(argument, Mapping) else None
    if wanted and (given is None or not wanted <= given):
        raise ConfigError(f"{place}: {kind} needs {', '.join(sorted(wanted))}.")
    if not wanted and not isinstance(argument, str):
        raise ConfigError(f"{place}: {kind} takes text.")
    return kind, argument
