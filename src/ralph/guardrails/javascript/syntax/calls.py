"""Calls of a JavaScript file: their arguments and the functions among them (spec: governance engine 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Names, unwrapped

TEXTS = frozenset({"string", "template_string"})


def arguments(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The arguments; without the first for `f.call(this, ...)`."""
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type != "arguments":
        return []
    children = [child for child in listed.named_children if "comment" not in child.type]
    function = unwrapped(call.child_by_field_name("function"))
    member = function.child_by_field_name("property") if function is not None else None
    return children[1:] if member is not None and member.text == b"call" else children


def first(call: tree_sitter.Node) -> tree_sitter.Node | None:
    return next(iter(arguments(call)), None)


def is_object(node: tree_sitter.Node | None) -> bool:
    plain = unwrapped(node)
    return plain is not None and plain.type == "object"


def functions(names: Names, call: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The functions among the arguments: literal, by name, or in an object (`{name, fn() {}}`)."""
    return [function for argument in arguments(call) if (function := _function(names, argument)) is not None]


def has_shape(names: Names, call: tree_sitter.Node) -> bool:
    """A title and a function: what every test framework wants, and little else looks like."""
    title = unwrapped(first(call))
    return title is not None and (title.type in TEXTS or title.type == "object") and bool(functions(names, call))


def returned(function: tree_sitter.Node) -> tree_sitter.Node | None:
    """The one expression that a function is."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return unwrapped(body)
    statements = [child for child in body.named_children if "comment" not in child.type]
    if len(statements) != 1 or statements[0].type != "return_statement" or not statements[0].named_children:
        return None
    return unwrapped(statements[0].named_children[0])


def given_back(function: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What the function itself gives back."""
    body = function.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        yield body
    waiting = [body] if body is not None else []
    while waiting:
        node = waiting.pop()
        if node.type == "return_statement" and node.named_children:
            yield node.named_children[0]
        waiting += [child for child in node.named_children if child.type not in FUNCTIONS]


def _function(names: Names, node: tree_sitter.Node) -> tree_sitter.Node | None:
    plain = unwrapped(node)
    if plain is None or plain.type in FUNCTIONS:
        return plain
    if plain.type == "identifier":
        binding = names.binding(plain)
        if binding is None or binding.path or binding.kind not in ("value", "definition"):
            return None
        value = unwrapped(binding.value)
        return value if value is not None and value.type in FUNCTIONS else None
    if plain.type == "object":
        values = (
            child.child_by_field_name("value") if child.type == "pair" else child for child in plain.named_children
        )
        return next((value for value in values if value is not None and value.type in FUNCTIONS), None)
    return None
