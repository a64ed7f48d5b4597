"""The functions of one side of a Python file, each as its text and, on demand, as Python's own tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source

Tree = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = "(function_definition) @found"


@dataclass(frozen=True, slots=True)
class Function:
    """`parts` are the names of the classes and functions around it, and its own."""

    parts: tuple[str, ...]
    source: Source
    node: Node
    """With its decorators."""

    @property
    def text(self) -> str:
        return self.source.text(self.node)

    @property
    def first_line(self) -> int:
        """The line on which line 1 of the tree's text stands."""
        return self.node.start_point.row + self.source.first_line - (1 if self.node.start_point.column else 0)

    def tree(self) -> Tree | None:
        """None for syntax that this Python does not know."""
        return tree_of(self.source, self.node)


def functions_of(source: Source) -> Iterator[Function]:
    for node in source.captures(FUNCTIONS):
        above = node.parent
        whole = above if above is not None and above.type == "decorated_definition" else node
        yield Function(tuple(reversed(list(_names(source, node)))), source, whole)


def tree_of(source: Source, node: Node) -> Tree | None:
    written = source.text(node)
    if node.start_point.column:  # what is indented stands below an `if`
        before = source.lines[node.start_point.row][: node.start_point.column].decode("utf-8", "replace")
        written = f"if 1:\n{before if not before.strip() else ' '}{written}"
    try:
        statement: ast.stmt = ast.parse(written).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return None
    if isinstance(statement, ast.If):
        statement = statement.body[0]
    return statement if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) else None


def _names(source: Source, node: Node) -> Iterator[str]:
    above: Node | None = node
    while above is not None:
        if above.type in ("function_definition", "class_definition"):
            name = above.child_by_field_name("name")
            yield identifier(source, name) if name is not None else ""
        above = above.parent
