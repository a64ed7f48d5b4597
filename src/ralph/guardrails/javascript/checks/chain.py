"""Fluent assertions taken apart: `expect(x).not.toBe(3)` (test inventory, class G05).

A chain begins with a call that names what is looked at, and goes on with members, of which some are called.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import WRAPPERS
from ralph.record import record

ACCESSES = frozenset({"member_expression", "subscript_expression"})


@record
class Link:
    """One member of a chain; `arguments` is None where it is not called."""

    name: str
    arguments: tuple[tree_sitter.Node, ...] | None
    node: tree_sitter.Node


@record
class Chain:
    start: tree_sitter.Node
    links: tuple[Link, ...]
    whole: tree_sitter.Node
    """The outermost expression that belongs to the chain."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)


def chain_from(code: Code, start: tree_sitter.Node) -> Chain:
    """The members and calls that follow `start`."""
    return Chain(start, tuple(_links(code, start)), _outermost(code, start))


def _links(code: Code, start: tree_sitter.Node) -> Iterator[Link]:
    node = start
    while (parent := _next(code, node)) is not None:
        if parent.type in ACCESSES:
            above = code.names.parent(parent)
            name = code.constants.member(parent) or "?"
            called = above is not None and above.type == "call_expression" and _is_function(above, parent)
            if called and above is not None:
                yield Link(name, tuple(arguments(above)), above)
                parent = above
            else:
                yield Link(name, None, parent)
        node = parent


def _outermost(code: Code, start: tree_sitter.Node) -> tree_sitter.Node:
    node = start
    while (parent := _next(code, node)) is not None:
        node = parent
    return node


def _next(code: Code, node: tree_sitter.Node) -> tree_sitter.Node | None:
    parent = code.names.parent(node)
    if parent is None:
        return None
    if parent.type in ACCESSES:
        return parent if parent.child_by_field_name("object") == node else None
    if parent.type == "call_expression":
        return parent if _is_function(parent, node) else None
    return parent if parent.type in WRAPPERS and parent.type != "await_expression" else None


def _is_function(call: tree_sitter.Node, node: tree_sitter.Node) -> bool:
    return call.child_by_field_name("function") == node
