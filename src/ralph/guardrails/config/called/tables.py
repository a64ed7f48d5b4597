"""Tasks of a table that a caller hands words to: those of Hatch, mise, Deno and taskipy, and aliases of Cargo."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.called import taskfile
from ralph.guardrails.config.called.appended import appended, script, texts
from ralph.guardrails.config.called.call import Call, written
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.python_tasks.task_words import ARGS
from ralph.guardrails.config.side import Side

MISE = ("mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml")
DENO = ("deno.json", "deno.jsonc")
DEEPEST = 3


def of_hatch(call: Call, side: Side) -> list[str]:
    """A script without a place for words gets none."""
    name = call.words[0].rpartition(":")[2] if call.words else ""
    tables = list(_of_environments(side))
    found = [line for table in tables for line in _hatch(name, table, call.words[1:], DEEPEST)]
    return list(dict.fromkeys(found))


def _of_environments(side: Side) -> Iterator[Node]:
    for file, keys in (("pyproject.toml", ("tool", "hatch", "envs")), ("hatch.toml", ("envs",))):
        environments = script(side, file, *keys)
        for environment in environments.mapping.values() if environments is not None else ():
            scripts = environment.at("scripts")
            if scripts is not None:
                yield scripts


def _hatch(name: str, table: Node, words: tuple[str, ...], deep: int) -> Iterator[str]:
    """A line of a script that begins with the name of another one runs that."""
    said = table.at(name)
    for line in texts(said) if said is not None and deep else ():
        handed = written(words)
        text = ARGS.sub(lambda found, handed=handed: handed or found["default"] or "", line)  # type: ignore[misc]
        first, *rest = text.split() or [""]
        if table.at(first) is not None and first != name:
            yield from _hatch(first, table, tuple(rest), deep - 1)
        elif ARGS.search(line) is not None or deep < DEEPEST:
            yield text


def of_mise(call: Call, side: Side) -> list[str]:
    words = tuple(word for word in call.words if word != "--")
    found = (script(side, file, "tasks", *words[:1]) for file in MISE)
    return _first([appended(each, words[1:], "run") for each in found if each is not None])


def of_deno(call: Call, side: Side) -> list[str]:
    found = (script(side, file, "tasks", *call.words[:1]) for file in DENO)
    return _first([appended(each, call.words[1:], "command") for each in found if each is not None])


def of_task(call: Call, side: Side) -> list[str]:
    """Two programs have this name: Task, and taskipy."""
    own = script(side, "pyproject.toml", "tool", "taskipy", "tasks", *call.words[:1])
    return appended(own, call.words[1:]) if own is not None else taskfile.commands(call, side)


def of_cargo(call: Call, side: Side) -> list[str]:
    files = (path for path in (".cargo/config.toml", ".cargo/config") if path in side.paths)
    node = next(filter(None, map(side.node, files)), None)
    alias = node.at("alias", *call.words[:1]) if node is not None and call.words else None
    if alias is None:
        return []
    said = alias.value if isinstance(alias.value, str) else written([item.text for item in alias.items])
    return [f"cargo {said} {written(call.words[1:])}".rstrip()]


def _first(found: list[list[str]]) -> list[str]:
    return next(filter(None, found), [])
