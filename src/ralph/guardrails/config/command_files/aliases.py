"""Commands under names of their own: services of a compose file, hooks in tables, aliases of cargo and of mix.

A name of cargo's (`[alias] lint = "clippy -- -D warnings"`) stands for words behind `cargo`, one of mix's for a list of
tasks, or of commands (`"cmd npm test"`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files import containers, staged
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

CARGO = later(r"(?:^|/)\.cargo/config(?:\.toml)?$")
TASKS = later(r"(?m)^\s*(?:\"(?P<quoted>[\w.]+)\"|(?P<name>[\w.]+)):\s*(?P<list>\[[^\[\]]*\]|\"[^\"\n]*\")")
IN_MIX = later(r"(?s)\bdefp?\s+aliases\b.*?\n  end\b|\baliases:\s*\[.*?\n\s*\]")
TEXT = later(r"\"((?:[^\"\\\n]|\\.)*)\"")


def holds(path: str, name: str) -> bool:
    return containers.is_compose(name) or name in staged.FILES or name == "mix.exs" or CARGO.search(path) is not None


def read(side: Side, path: str, name: str) -> Iterator[tuple[str, str, int]]:
    """(name, shell text, line)"""
    if containers.is_compose(name):
        yield from containers.services(side.node(path))
    elif name in staged.FILES:
        yield from staged.commands(side.node(path), package=False)
    elif name == "mix.exs":
        yield from of_mix(side.text(path) or "")
    else:
        node = side.node(path)
        table = node.at("alias") if node is not None else None
        for alias, value in table.mapping.items() if table is not None else ():
            yield alias, " ".join(("cargo", *map(canonical, value.items))), value.line


def of_mix(text: str) -> Iterator[tuple[str, str, int]]:
    for block in IN_MIX.finditer(text):
        for task in TASKS.finditer(block[0]):
            line = text.count("\n", 0, block.start() + task.start("list")) + 1
            for number, said in enumerate(TEXT.finditer(task["list"])):
                command = said[1].removeprefix("cmd ") if said[1].startswith("cmd ") else f"mix {said[1]}"
                row = task["list"].count("\n", 0, said.start())
                yield f"{task['quoted'] or task['name']} {number}", re.sub(r"\\(.)", r"\1", command), line + row
