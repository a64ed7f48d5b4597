"""Columns of a test table: `if tc.wantErr != "" {` asks for the rows that fill one. What a row does not name is empty.

Only where each row names its columns. A column that holds an empty value, written out, is empty, too, and for `> 0` one
that holds a negative number. `if !tc.wantErr {` and `if tc.wantErr == nil {` ask for the rows that leave it empty. So
does `if tc.wantErr == errNone {` right behind an assertion that wants `tc.wantErr`. A row that wants something else has
to be asked for it elsewhere in the loop, and the column is called after what is wanted: `if !tc.slow {` is a skip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record
from ralph.system.patterns import later

ASKED = later(r"(?:len\()?(?P<row>\w+)\.(?P<column>\w+)\)?(?:\s*(?P<sign>!=|>)\s*(?:\"\"|``|nil|0|false))?")
EMPTY = later(r"\"\"|``|nil|false|0(?:\.0*)?|[^{}]*\{\s*\}")
NEGATIVE = later(r"-.*")
WANTED = later(r"(?i)want|expect|result|^out|^err|exp$")

BARE = later(
    r"!(?P<not>\w+\.\w+)|(?:len\()?(?P<row>\w+)\.(?P<column>\w+)\)?\s*==\s*(?:\"\"|``|nil|0|false|(?P<name>[A-Za-z_][\w.]*))"
)
ALONE = later(r"if\s+(?:![\w.]+|[\w.]+\s*==\s*[^\s{]+)\s*\{")
"""A branch for the rows that leave it empty."""
ASSERTS = later(r"(?i)(?:\w+\.)*(?:assert|require|check|expect|verify)\w*(?:\.\w+)?\(")


@record
class Asked:
    """A column, and what must be in it: something, more than nothing, or nothing."""

    column: str
    more: bool = False
    empty: bool = False
    named: str = ""
    """The name for nothing."""


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
    return [row for row in table if all(_fits(_cells(row).get(each.column, "nil"), each) for each in asked)]


def are_named(table: Sequence[tree_sitter.Node]) -> bool:
    return all(_cells(row) for row in table)


def _fits(value: str, asked: Asked) -> bool:
    if asked.empty:
        return EMPTY.fullmatch(value) is not None or value == asked.named
    return not (EMPTY.fullmatch(value) or (asked.more and NEGATIVE.fullmatch(value)))


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
    clause = next((each for each in loop.named_children if each.type == "range_clause"), None)
    left = clause.child_by_field_name("left") if clause is not None else None
    if left is None:
        return
    row, said = text_of(left.named_children[-1]), text_of(condition)
    if (match := ASKED.fullmatch(said)) is not None and match["row"] == row:
        yield Asked(match["column"], more=match["sign"] == ">")
    elif (bare := BARE.fullmatch(said)) is not None:
        asked = bare["not"] or f"{bare['row']}.{bare['column']}"
        if asked.partition(".")[0] == row and _is_wanted(asked, branch, loop, named=bool(bare["name"])):
            yield Asked(asked.partition(".")[2], empty=True, named=bare["name"] or "")


def _is_wanted(column: str, branch: tree_sitter.Node, loop: tree_sitter.Node, *, named: bool) -> bool:
    """The column says what a row wants, and something else in the loop asks it of the rows that the branch leaves out;
    where it is held against a name, the statement before the branch is an assertion that is handed it."""
    if not WANTED.search(column):
        return False
    above = branch.prev_named_sibling
    if named:
        said = text_of(above) if above is not None and above.type == "expression_statement" else ""
        return ASSERTS.match(said) is not None and re.search(rf"[(,]\s*{re.escape(column)}\s*[,)]", said) is not None
    body = loop.child_by_field_name("body")
    asked = re.compile(rf"(?<![\w.])(?:if\s+!?)?{re.escape(column)}\b(?:\s*[!=]=\s*[^\s{{]+)?(?:\s*\{{)?")
    said = text_of(body) if body is not None else ""
    return any(not ALONE.fullmatch(match[0]) for match in asked.finditer(said))


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
