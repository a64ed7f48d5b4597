"""Commands of hooks that Node's tools keep in tables: lint-staged and nano-staged by patterns of files, husky and
simple-git-hooks by the names of git's hooks."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers import SCRIPT_SUFFIXES

_DATA = ("", ".json", ".yml", ".yaml", *SCRIPT_SUFFIXES)
FILES = frozenset(
    (
        *(f"{name}{end}" for name in (".lintstagedrc", ".huskyrc") for end in _DATA),
        *(f"{name}{end}" for name in ("lint-staged.config", "nano-staged", ".nano-staged") for end in _DATA[1:]),
        *(f"{dot}simple-git-hooks{end}" for dot in ("", ".") for end in _DATA[1:]),
    )
)
"""In lower case."""
TABLES = ("lint-staged", "husky", "simple-git-hooks", "pre-commit", "pre-push", "ghooks", "nano-staged")
"""Under these names `package.json` holds one."""


def tables(node: Node | None, *, package: bool) -> Iterator[tuple[str, Node]]:
    """(its name, the table) of a file of its own, or of `package.json`."""
    if node is None:
        return
    named = [(name, found) for name in TABLES if (found := node.at(name)) is not None] if package else []
    for name, found in named if package else [("staged", node.at("default") or node)]:
        yield name, found.at("hooks") or found


def commands(node: Node | None, *, package: bool) -> Iterator[tuple[str, str, int]]:
    """(table and pattern or hook, shell text, line)"""
    for name, table in tables(node, package=package):
        for key, value in table.mapping.items():
            yield from ((f"{name}/{key}", item.text, item.line) for item in value.items if isinstance(item.value, str))
