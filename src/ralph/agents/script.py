"""The script of a scripted agent: its words, and the reading of its file. See `scripted.py` for what they mean."""

from __future__ import annotations

import math
import signal
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from ralph.agents.base import EndReason, Usage
from ralph.errors import ConfigError
from ralph.record import record
from ralph.system import records
from ralph.system.yaml import decode_yaml, read_source

Action = tuple[str, Any]
"""A word of the script, and what stands behind it."""


@record
class Write:
    path: str
    content: str


@record
class Replace:
    path: str
    old: str
    new: str
    all: bool = False


@record
class Event:
    topic: str
    payload: str = ""


@record
class Call:
    name: str
    arguments: dict[str, object] | None = None


@record
class Ending:
    reason: EndReason
    detail: str | None = None
    retry_after_s: float | None = None


FORMS: Mapping[str, type] = {
    "say": str,
    "claim": Event,
    "emit": Event,
    "write": Write,
    "replace": Replace,
    "delete": str,
    "run": str,
    "commit": str,
    "tool": Call,
    "usage": Usage,
    "wait_s": float,
    "end": Ending,
    "crash": str,
}
"""What stands behind each word. `end` may also be the reason alone."""


@record(kw_only=True)
class When:
    """A prompt that holds all of `contains` and nothing of `lacks`, in this iteration if one is named."""

    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    iteration: int | None = None

    def fits(self, prompt: str, iteration: int) -> bool:
        here = self.iteration is None or self.iteration == iteration
        return here and all(each in prompt for each in self.contains) and not any(each in prompt for each in self.lacks)


@record
class Answer:
    """A turn for the prompts that it fits."""

    when: When
    actions: tuple[Action, ...]


@record
class Script:
    """`turns` are played by number, `answers` by what the prompt says, before those."""

    name: str
    turns: tuple[tuple[Action, ...], ...]
    answers: tuple[Answer, ...] = ()
    repeat: bool = False


def read(path: Path) -> Script:
    """The script in a YAML file. Raises ConfigError that says which turn and which action is wrong."""
    data = decode_yaml(read_source(path, "The script"), str(path))
    if not isinstance(data, Mapping) or not isinstance(data.get("turns"), list):
        raise ConfigError(f"{path} must hold `name` and a list `turns`.")
    if unknown := sorted(map(str, data.keys() - {"name", "turns", "repeat"})):
        raise ConfigError(f"{path}: unknown key {unknown[0]!r}; known keys here: name, turns, repeat.")
    name, repeat = data.get("name", path.stem), data.get("repeat", False)
    if not isinstance(name, str) or not name or not isinstance(repeat, bool):
        raise ConfigError(f"{path}: `name` must be text, and `repeat` true or false.")
    found = [_turn(turn, f"{path}, turn {number}") for number, turn in enumerate(data["turns"], start=1)]
    return Script(
        name,
        turns=tuple(each for each in found if not isinstance(each, Answer)),
        answers=tuple(each for each in found if isinstance(each, Answer)),
        repeat=repeat,
    )


def _turn(turn: object, place: str) -> tuple[Action, ...] | Answer:
    if isinstance(turn, list):
        return _actions(turn, place)
    if not isinstance(turn, Mapping) or set(turn) != {"when", "actions"} or not isinstance(turn["actions"], list):
        raise ConfigError(f"{place} must be a list of actions, or a mapping with `when` and a list `actions`.")
    return Answer(_when(turn["when"], f"{place}, when"), _actions(turn["actions"], place))


def _when(when: object, place: str) -> When:
    if not isinstance(when, Mapping):
        raise ConfigError(f"{place} must be a mapping, such as `contains: TEXT`.")
    listed = {name: [text] if isinstance(text, str) else text for name, text in when.items() if name != "iteration"}
    return records.parse(When, {**when, **listed}, place)


def _actions(actions: list[object], place: str) -> tuple[Action, ...]:
    return tuple(_action(action, f"{place}, action {number}") for number, action in enumerate(actions, start=1))


def _action(action: object, place: str) -> Action:
    if not isinstance(action, Mapping) or len(action) != 1:
        raise ConfigError(f"{place} must be a mapping with one key, such as `run: pytest`.")
    ((word, argument),) = action.items()
    if word not in FORMS:
        raise ConfigError(f"{place}: there is no action {word!r}; there are: {', '.join(FORMS)}.")
    if word == "end" and isinstance(argument, str):
        argument = {"reason": argument}
    form = FORMS[word]
    if is_dataclass(form):
        if not isinstance(argument, Mapping):
            named = ", ".join(each.name for each in fields(form))
            raise ConfigError(f"{place}: {word} takes a mapping of {named}.")
        records.parse(form, argument, f"{place}, {word}")
    elif form is str and not isinstance(argument, str):
        raise ConfigError(f"{place}: {word} takes text.")
    elif form is float and not _is_duration(argument):
        raise ConfigError(f"{place}: {word} takes a number of seconds.")
    if word == "crash" and argument not in signal.Signals.__members__:
        raise ConfigError(f"{place}: crash takes the name of a signal, such as SIGKILL.")
    return word, argument


def _is_duration(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
