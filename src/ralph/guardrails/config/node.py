"""Configuration as data that knows where it stands: one tree of nodes whatever the format.

A value that only running code could tell (a call, a spread, a condition) is `Opaque`: its text is kept, free of
comments and white space, so that two of them can be compared, and nothing about it is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ralph.record import record, replace

Scalar = str | int | float | bool | None
Key = tuple[str, ...]

MAX_NUMBER = 10**30
SPREAD = "..."
"""Begins the key of a mapping's part that could not be read: its keys are unknown."""


@record
class Opaque:
    text: str
    in_ci: Node | None = None
    """What it is where CI runs, if that is what it hangs on."""
    may_be: tuple[Node, ...] = ()
    """What it is in some case, as far as the file says; nothing at all is a node without a value."""
    is_all: bool = False
    """There is no other case."""


@record
class Node:
    """A value of a file. Lines and columns are 1-based, 0 where the reader cannot tell."""

    value: Scalar | Opaque | dict[str, Node] | list[Node]
    path: str
    line: int = 0
    column: int = 0

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def mapping(self) -> dict[str, Node]:
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[Node]:
        """The items of a list; a lone value stands for a list of one."""
        if isinstance(self.value, list):
            return self.value
        return [] if self.value is None or isinstance(self.value, dict) else [self]

    @property
    def text(self) -> str:
        return self.value if isinstance(self.value, str) else canonical(self)

    def at(self, *keys: str) -> Node | None:
        """The node below these keys."""
        node: Node | None = self
        for key in keys:
            node = node.mapping.get(key) if node else None
        return node

    def with_value(self, value: Scalar | Opaque | dict[str, Node] | list[Node]) -> Node:
        return replace(self, value=value)


Settings = Mapping[Key, Node]
"""What a tool goes by, flat: every leaf (a scalar, a list, an opaque value) under its path of keys."""


def occurrences(node: Node | None) -> list[Node]:
    """What may stand once or several times, as elements of XML and tables of TOML do."""
    return [] if node is None else node.value if isinstance(node.value, list) else [node]


def names(text: str) -> tuple[str, ...]:
    """The words of a table's cell."""
    return tuple(text.split())


def plain(node: Node) -> Any:
    """The data without places; an opaque value is its text in a pair of guillemets."""
    if isinstance(node.value, int) and not -MAX_NUMBER < node.value < MAX_NUMBER:
        # Python refuses to write numbers of thousands of digits.
        return float("inf") if node.value > 0 else float("-inf")
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return f"«{node.value.text}»" if isinstance(node.value, Opaque) else node.value


def canonical(node: Node) -> str:
    """Equal for equal data, whatever the order of keys."""
    return node.value if isinstance(node.value, str) else json.dumps(plain(node), sort_keys=True, default=str)


def flat(node: Node | None) -> dict[Key, Node]:
    return dict(_leaves(node, ())) if node else {}


def _leaves(node: Node, key: Key) -> Iterator[tuple[Key, Node]]:
    if isinstance(node.value, dict):
        for name, value in node.value.items():
            yield from _leaves(value, (*key, name))
    else:
        yield key, node


def merged(below: Node, above: Node) -> Node:
    """`above` laid over `below`, mapping by mapping."""
    if not isinstance(below.value, dict) or not isinstance(above.value, dict):
        return above
    both = dict(below.value)
    for key, value in above.value.items():
        both[key] = merged(both[key], value) if key in both else value
    return above.with_value(both)
