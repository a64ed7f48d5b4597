"""The functions of one side of a Python file, each as its text and, on demand, as Python's own tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.python.kinds import classes, functions
from ralph.guardrails.python.trees import Definition, definition
from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source

Tree = Definition


class Function:
    """`parts` are the names of the classes and functions around it, and its own; `node` is with its decorators."""

    def __init__(self, parts: tuple[str, ...], source: Source, node: Node) -> None:
        self.parts = parts
        self.source = source
        self.node = node

    @cached_property
    def text(self) -> str:
        return self.source.text(self.node)

    @property
    def written(self) -> bytes:
        return self.source.data[self.node.start_byte : self.node.end_byte]

    @property
    def first_line(self) -> int:
        """The line on which line 1 of the tree's text stands."""
        return self.node.start_point.row + self.source.first_line - (1 if self.node.start_point.column else 0)

    def tree(self) -> Tree | None:
        """None for syntax that this Python does not know."""
        return self._tree

    @cached_property
    def _tree(self) -> Tree | None:
        return definition(self.source, self.node, decorated=True)


def functions_of(source: Source) -> Iterator[Function]:
    """In order; what is around each is what began before it and ends behind it."""
    around: list[tuple[int, tuple[str, ...]]] = []
    for node in sorted((*functions(source), *classes(source)), key=lambda each: (each.start_byte, -each.end_byte)):
        while around and around[-1][0] <= node.start_byte:
            around.pop()
        name = node.child_by_field_name("name")
        outer = around[-1][1] if around else ()
        parts = (*outer, identifier(source, name) if name is not None else "")
        around.append((node.end_byte, parts))
        if node.type == "function_definition":
            above = node.parent
            yield Function(parts, source, above if above is not None and above.type == "decorated_definition" else node)
