"""Which names the statements of a JavaScript file give to its tests (see `ralph.guardrails.inventory.surroundings`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.surroundings import Surroundings
from ralph.guardrails.javascript.names import Names
from ralph.guardrails.source import Source

NAMED = frozenset(
    {
        "abstract_class_declaration",
        "class_declaration",
        "enum_declaration",
        "function_declaration",
        "generator_function_declaration",
        "interface_declaration",
        "type_alias_declaration",
    }
)
ASSIGNING = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})
DECLARED = frozenset({"identifier", "shorthand_property_identifier_pattern", "type_identifier"})
"""Nodes that declare a name, in a pattern or an import."""


def surroundings(source: Source, names: Names, tests: Iterable[tree_sitter.Node]) -> Surroundings:
    """Of the top level; of a statement that holds tests, what stands beside them."""
    spans = sorted((node.start_byte, node.end_byte) for node in tests)
    starts = [start for start, _ in spans]
    assigned = [node for node in names.naming if node.type in ASSIGNING]
    places = [node.start_byte for node in assigned]

    def statements() -> Iterator[tuple[tuple[str, ...], str]]:
        for statement in source.tree.root_node.named_children:
            if statement.type == "comment":
                continue
            inside = spans[slice(*_within(statement, starts))]
            given = () if inside else tuple(_given(statement, names))
            if given:
                given += tuple(_assigned(assigned[slice(*_within(statement, places))], names))
            if text := b" ".join(b" ".join(_beside(source.data, statement, inside)).split()):
                yield given, text.decode("utf-8", "replace")

    return Surroundings(statements())


def _within(statement: tree_sitter.Node, places: list[int]) -> tuple[int, int]:
    return bisect_left(places, statement.start_byte), bisect_left(places, statement.end_byte)


def _assigned(nodes: Iterable[tree_sitter.Node], names: Names) -> Iterator[str]:
    """A function that gives a variable another value concerns who names the variable."""
    for node in nodes:
        yield from _names_in(node.child_by_field_name("left") or node.child_by_field_name("argument"), names)


def _beside(data: bytes, statement: tree_sitter.Node, spans: list[tuple[int, int]]) -> Iterator[bytes]:
    """The text of a statement without the tests in it, and without the semicolons that go with them."""
    at = statement.start_byte
    for start, end in spans:
        if start >= at:
            yield data[at:start]
            at = end + (data[end : end + 1] == b";")
    yield data[at : max(at, statement.end_byte)]


def _given(statement: tree_sitter.Node, names: Names) -> Iterator[str]:
    """The names that a statement gives; none if it may do anything else."""
    inner = statement.child_by_field_name("declaration") if statement.type == "export_statement" else statement
    if inner is None:
        return
    if inner.type in NAMED:
        yield from _names_in(inner.child_by_field_name("name"), names)
    elif inner.type in ("lexical_declaration", "variable_declaration"):
        for declarator in inner.named_children:
            yield from _names_in(declarator.child_by_field_name("name"), names)
    elif inner.type == "import_statement":
        for clause in inner.named_children:
            if clause.type == "import_clause":
                yield from _names_in(clause, names)


def _names_in(node: tree_sitter.Node | None, names: Names) -> Iterator[str]:
    waiting = [node] if node is not None else []
    while waiting:
        each = waiting.pop()
        if each.type in DECLARED:
            yield names.name(each)
        waiting += each.named_children
