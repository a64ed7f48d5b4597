"""Tasks of Task: `task test -- tests/slow` and its command `pytest {{.CLI_ARGS}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ralph.guardrails.config.called.call import Call, task_file, written
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

USED = later(
    r"\{\{-?[ \t]*\.(?P<name>\w+)[ \t]*"
    r"(?:\|[ \t]*default[ \t]+(?P<quote>[\"'`])(?P<default>[^\"'`{}]*)(?P=quote)[ \t]*)?-?\}\}"
)
NAMES = tuple(f"{name}.{end}" for name in ("Taskfile", "taskfile", "Taskfile.dist") for end in ("yml", "yaml"))


def commands(call: Call, side: Side) -> list[str]:
    """The commands of the tasks that it calls which use what they are handed, or what a caller may set."""
    path = task_file(side, *NAMES)
    node = side.node(path) if path is not None else None
    if node is None:
        return []
    known = _values(node)
    found: list[str] = []
    for name in call.names or ("default",):
        task = node.at("tasks", name)
        if task is not None:
            values = {**known, **_values(task), **call.environment, **call.assigned, "CLI_ARGS": written(call.handed)}
            found += (_filled(text, values) for text in _texts(task) if "{{" in text or "$" in text)
    return found


def _values(node: Node) -> dict[str, str]:
    given = node.at("vars")
    return {} if given is None else {name: canonical(value) for name, value in given.mapping.items()}


def _texts(task: Node) -> Iterator[str]:
    for item in (task.at("cmds") or task.at("cmd") or task).items:
        said = item.at("cmd") if item.mapping else item
        if said is not None and isinstance(said.value, str):
            yield from said.value.split("\n")


def _filled(text: str, values: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        return values.get(found["name"]) or found["default"] or ""

    return USED.sub(value, text)
