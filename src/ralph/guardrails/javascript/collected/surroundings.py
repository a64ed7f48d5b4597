"""Which names the statements of a JavaScript file give to its tests (see `inventory.lending.surroundings`).

A test depends on what it imports by the name alone: that a file imports something else as well changes none of them,
and no comment does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.lending.surroundings import Surroundings
from ralph.guardrails.javascript.syntax.names import Names
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
    return Surroundings(_Statements(source, names, tests).told())


class _Statements:
    def __init__(self, source: Source, names: Names, tests: Iterable[tree_sitter.Node]) -> None:
        self._source, self._names = source, names
        spans = sorted((node.start_byte, node.end_byte) for node in tests)
        comments = ((node.start_byte, node.end_byte) for node in source.comment_nodes)
        self._tests = [start for start, _ in spans]
        self._skipped = sorted((*spans, *comments))
        self._starts = [start for start, _ in self._skipped]
        self._assigned = [node for node in names.naming if node.type in ASSIGNING]
        self._places = [node.start_byte for node in self._assigned]

    def told(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """The statements, with the names that each gives; what is imported, one by one."""
        for statement in self._source.tree.root_node.named_children:
            clause = _clause(statement)
            if clause is not None:
                before = self._text(statement.start_byte, clause.start_byte)
                behind = self._text(clause.end_byte, statement.end_byte).rstrip("; ")
                for each in _imported(clause):
                    text = self._text(each.start_byte, each.end_byte)
                    yield tuple(_names_in(each, self._names)), f"{before} {text} {behind}"
            elif text := self._text(statement.start_byte, statement.end_byte):
                yield self._given(statement), text

    def _given(self, statement: tree_sitter.Node) -> tuple[str, ...]:
        if any(True for _ in _between(statement, self._tests)):
            return ()
        given = tuple(_given(statement, self._names))
        if not given:
            return ()
        assigned = (self._assigned[number] for number in _between(statement, self._places))
        return (*given, *(name for node in assigned for name in _assigned(node, self._names)))

    def _text(self, start: int, end: int) -> str:
        """Without the tests in it, the semicolons that go with them, and comments."""
        data, at, parts = self._source.data, start, []
        for number in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            begins, ends = self._skipped[number]
            if begins >= at:
                parts.append(data[at:begins])
                at = ends + (data[ends : ends + 1] == b";")
        return b" ".join(b" ".join((*parts, data[at : max(at, end)])).split()).decode("utf-8", "replace")


def _between(statement: tree_sitter.Node, places: list[int]) -> range:
    return range(bisect_left(places, statement.start_byte), bisect_left(places, statement.end_byte))


def _clause(statement: tree_sitter.Node) -> tree_sitter.Node | None:
    """What an import gives names to."""
    if statement.type != "import_statement":
        return None
    return next((child for child in statement.named_children if child.type == "import_clause"), None)


def _imported(clause: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in clause.named_children:
        if child.type == "named_imports":
            yield from (each for each in child.named_children if each.type == "import_specifier")
        else:
            yield child


def _assigned(node: tree_sitter.Node, names: Names) -> Iterator[str]:
    """A function that gives a variable another value concerns who names the variable."""
    yield from _names_in(node.child_by_field_name("left") or node.child_by_field_name("argument"), names)


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


def _names_in(node: tree_sitter.Node | None, names: Names) -> Iterator[str]:
    waiting = [node] if node is not None else []
    while waiting:
        each = waiting.pop()
        if each.type in DECLARED:
            yield names.name(each)
        waiting += each.named_children
