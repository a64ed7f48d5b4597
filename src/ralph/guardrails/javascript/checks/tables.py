"""The rows of tables that a test goes through in a loop, as those of `test.each` are (test inventory, class G05).

Rule: a loop over a literal table, be it a constant of the file, gives its rows, if an assertion in the loop wants what
one of the loop's names, or a member of its row, holds: that comes last. A table of nothing but inputs gives none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import ROW, Check
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments, functions
from ralph.guardrails.javascript.syntax.names import unwrapped

Node = tree_sitter.Node
MOST = 500
"""A longer table is not looked into."""
Row = dict[str, Node]
"""What the names of a loop, or the members of its row, hold in one round."""


def looped(code: Code, writing: Writing, body: Node, checks: Iterable[Check]) -> tuple[str, ...]:
    """The rows of all such loops in a test's body, with what is wanted last."""
    listed, rows = list(checks), list[str]()
    if b"for" not in code.source.data[body.start_byte : body.end_byte]:
        return ()
    for node in code.source.walk(body):
        loop = _loop(code, node)
        if loop is not None:
            first, last = (place.row + code.source.first_line for place in (node.start_point, node.end_point))
            wanted = {each.wanted for each in listed if each.grade and first <= each.line <= last}
            found = list(_rows(code, writing, *loop))
            rows += (ROW.join(map(writing.of, row)) for row in _wanted_last(found, wanted))
    return tuple(dict.fromkeys(rows))


def _wanted_last(rows: Sequence[Row], wanted: set[str]) -> Iterator[list[Node]]:
    names = rows[0].keys() & wanted if 0 < len(rows) <= MOST else set()
    if len(names) == 1 and all(row.keys() == rows[0].keys() and len(row) > 1 for row in rows):
        last = next(iter(names))
        yield from ([*(value for name, value in row.items() if name != last), row[last]] for row in rows)


def _loop(code: Code, node: Node) -> tuple[Node, Node] | None:
    """What a loop gives a value each time, and the table that it goes through."""
    if node.type == "for_in_statement":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        return None if left is None or right is None else (left, right)
    function = unwrapped(node.child_by_field_name("function")) if node.type == "call_expression" else None
    table = function.child_by_field_name("object") if function is not None else None
    if function is None or table is None or code.constants.member(function) != "forEach":
        return None
    for callback in functions(code.names, node):
        listed = callback.child_by_field_name("parameters")
        given = listed.named_children[:1] if listed is not None else [callback.child_by_field_name("parameter")]
        target = given[0] if given else None
        if target is not None:
            return target.child_by_field_name("pattern") or target, table
    return None


def _rows(code: Code, writing: Writing, target: Node, table: Node) -> Iterator[Row]:
    for row in _elements(code, writing, table):
        parts = [row] if isinstance(row, Node) else row
        plain = writing.value(parts[0]) if len(parts) == 1 else None
        if plain is not None and plain.type == "array":
            parts = _listed(plain)
        if target.type == "array_pattern" and len(target.named_children) == len(parts):
            yield {code.text(one): part for one, part in zip(target.named_children, parts, strict=True)}
        elif target.type == "identifier" and plain is not None and plain.type == "array":
            yield {f"{code.text(target)}[{index}]": part for index, part in enumerate(parts)}
        elif plain is not None and plain.type == "object":
            before = f"{code.text(target)}." if target.type == "identifier" else ""
            yield {f"{before}{name}": value for name, value in _members(code, plain)}


def _elements(code: Code, writing: Writing, table: Node) -> Iterator[Node | list[Node]]:
    node = writing.value(table)
    if node is not None and node.type == "array":
        yield from _listed(node)
    elif node is not None and node.type == "call_expression" and (given := arguments(node)):
        owner = writing.value(given[0])
        entries = code.origins.of(node.child_by_field_name("function")) == ("Object", "entries")
        if entries and owner is not None and owner.type == "object":
            for pair in owner.named_children:
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and value is not None:
                    yield [key, value]


def _listed(array: Node) -> list[Node]:
    return [child for child in array.named_children if "comment" not in child.type]


def _members(code: Code, row: Node) -> Iterator[tuple[str, Node]]:
    for pair in row.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            yield code.text(key).strip("'\""), value
