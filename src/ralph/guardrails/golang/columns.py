"""Columns of a test table: `if tc.wantErr != "" {` asks for the rows that fill one. What a row does not name is empty.

Only where each row names its columns. A column that holds an empty value, written out, is empty, too, and for `> 0` one
that holds a negative number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

ASKED = later(r"(?:len\()?(?P<row>\w+)\.(?P<column>\w+)\)?(?:\s*(?P<sign>!=|>)\s*(?:\"\"|``|nil|0|false))?")
EMPTY = later(r"\"\"|``|nil|false|0(?:\.0*)?|[^{}]*\{\s*\}")
NEGATIVE = later(r"-.*")
WANTED = later(r"(?i)want|expect|result|^out|^err|exp$")

Asked = tuple[str, bool]
"""A column, and whether it must be more than nothing."""


def asked_on_the_way(loop: tree_sitter.Node, node: tree_sitter.Node) -> list[Asked]:
    """The columns that all have to be filled for the loop to come to `node`."""
    return [asked for branch, child in _ways(loop, node) for asked in _asked(loop, branch, child)]


def loop_of(branch: tree_sitter.Node, child: tree_sitter.Node) -> tree_sitter.Node | None:
    """The loop over the table of which a branch asks a column."""
    above = branch.parent
    while above is not None:
        if above.type == "for_statement" and any(True for _ in _asked(above, branch, child)):
            return above
        above = above.parent
    return None


def filled(table: Sequence[tree_sitter.Node], asked: Sequence[Asked]) -> list[tree_sitter.Node]:
    """The rows that fill all of these columns; all rows, where they do not name them."""
    if not are_named(table):
        return list(table)
    return [row for row in table if all(_is_filled(_cells(row).get(name, "nil"), more) for name, more in asked)]


def are_named(table: Sequence[tree_sitter.Node]) -> bool:
    return all(_cells(row) for row in table)


def _is_filled(value: str, more: bool) -> bool:
    return not (EMPTY.fullmatch(value) or (more and NEGATIVE.fullmatch(value)))


def _ways(loop: tree_sitter.Node, node: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    child, above = node, node.parent
    while above is not None and above != loop:
        yield above, child
        child, above = above, above.parent


def _asked(loop: tree_sitter.Node, branch: tree_sitter.Node, child: tree_sitter.Node) -> Iterator[Asked]:
    condition = branch.child_by_field_name("condition")
    if branch.type != "if_statement" or condition is None or child != branch.child_by_field_name("consequence"):
        return
    if branch.child_by_field_name("alternative") is not None:
        return  # the other rows are asked something, too
    match = ASKED.fullmatch(text_of(condition))
    clause = next((each for each in loop.named_children if each.type == "range_clause"), None)
    left = clause.child_by_field_name("left") if clause is not None else None
    if match is not None and left is not None and text_of(left.named_children[-1]) == match["row"]:
        yield match["column"], match["sign"] == ">"


def _cells(row: tree_sitter.Node) -> dict[str, str]:
    """The columns that a row names, with their values; nothing, if it names none."""
    inner = row.named_children[-1] if row.type == "keyed_element" else row
    while inner.type in ("literal_element", "composite_literal", "unary_expression") and inner.named_children:
        inner = inner.named_children[-1]
    parts = [part for part in inner.named_children if part.type == "keyed_element"]
    return {text_of(part.named_children[0]): text_of(part.named_children[-1]) for part in parts}


def row(row: tree_sitter.Node, writing: Writing) -> str:
    """Elements of a row, what is wanted last; one piece where nobody can tell what that is."""
    inner = row
    while inner.type == "literal_element" and len(inner.named_children) == 1:
        inner = inner.named_children[0]
    parts = [part for part in inner.named_children if part.type != "comment"]
    if any(part.type == "keyed_element" for part in parts):
        wanted = [part for part in parts if WANTED.search(text_of(part).partition(":")[0])]
        if len(wanted) != 1 or inner.type != "literal_value":
            return writing.of(row)
        parts = [part for part in parts if part != wanted[0]] + wanted
    return ROW.join(writing.of(part) for part in parts)
