"""What a file of tests has outside of them, and that a test uses by its name.

Rules:

- Tables that a test goes through: a row less is a case less. The name stands where a loop, or a call for each, says
  what it goes through; no variable of the test is called so; and the file gives it one literal collection, once.
- Numbers that the file gives a name once (`const eps = 1e-6`): what a test asks is read as if they stood there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.prefilter import is_in_part
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.plain import Extractor

GOES_THROUGH = (
    later(r"(?:\brange|\bin|\bof|(?<!:):)\s+&?(?:[\w$]+(?:\.|::))*([A-Za-z_]\w*)\b(?!\()"),
    later(
        r"(?<![\w\"'])([A-Za-z_]\w*)(?:\.\w+(?:\(\))?)?"
        r"\.(?:for_?[eE]ach|ForEach|each|each_pair|each_with_index|map|iter|into_iter|stream|Select)\b"
    ),
)
LISTS = frozenset(
    {
        "array",
        "array_expression",
        "array_initializer",
        "collection_expression",
        "hash",
        "initializer_expression",
        "literal_value",
        "string_array",
        "symbol_array",
        "value_arguments",
        "argument_list",
    }
)
MAKES = later(
    r"(?:\w+\.)?(?:of|asList|ofEntries|listOf|setOf|arrayOf|mapOf|sequenceOf|listOfNotNull|arrayListOf|linkedMapOf)\b"
)
IN_PAIRS = later(r"Map\.of\(")
PARTED = frozenset(
    {
        "tuple_expression",
        "array",
        "array_initializer",
        "pair",
        "keyed_element",
        "literal_value",
        "initializer_expression",
    }
)
INSIDE = frozenset(
    {"literal_element", "value_argument", "collection_element", "expression_element", "parenthesized_expression"}
)
WRAPS = frozenset({"expression_list", "composite_literal", "reference_expression", "array_creation_expression"})
NUMBER = r"-?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?(?:_?[fiu](?:32|64|size)|[a-zA-Z]| ?\* ?time\.[A-Z]\w+)?"
"""Go's times are numbers of a unit."""
IS_NUMBER = later(NUMBER)
GIVES_NUMBER = later(rf"=[ \t]*{NUMBER}[ \t]*(?:[;,)}}]|//|#|$)", re.MULTILINE)
MOST_ROWS = 500
WORD = later(rb"\w")


def rows_gone_through(extractor: Extractor, body: tree_sitter.Node, writing: Writing) -> tuple[str, ...]:
    """Those of all such tables, elements apart by `ROW`."""
    tables = tables_of(extractor, body)
    own = (name for name in tables if name not in writing.local and name not in writing.scoped)
    return tuple(_written(row) for name in own for row in _rows(tables[name]))


def tables_of(extractor: Extractor, body: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """What the file gives names outside of its tests that a test goes through."""
    text = text_of(body)
    if not any(name in text for name in extractor.given_outside):
        return {}
    names = dict.fromkeys(name for form in GOES_THROUGH if is_in_part(form, text) for name in form.findall(text))
    return {name: value for name in names if (value := extractor.outer(name)) is not None}


def numbers_of(extractor: Extractor, body: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """The numbers to which the file gives names outside of its tests, of those that stand in the body."""
    text = text_of(body) if extractor.numbers_outside else ""
    values = {name: extractor.outer(name) for name in extractor.numbers_outside if name in text}
    return {name: value for name, value in values.items() if value is not None and IS_NUMBER.fullmatch(text_of(value))}


def value_of(extractor: Extractor, name: str) -> tree_sitter.Node | None:
    """What the file gives a name outside of its tests; None if nobody can tell."""
    if name not in extractor.given_outside:
        return None
    given = {each.id: each for each in _given(extractor, name)}
    return next(iter(given.values())) if len(given) == 1 else None


def _rows(value: tree_sitter.Node) -> list[list[tree_sitter.Node]]:
    rows = elements(value) or []
    return rows if len(rows) <= MOST_ROWS else []


def elements(value: tree_sitter.Node) -> list[list[tree_sitter.Node]] | None:
    """What a literal collection holds, each in its parts."""
    text, listed = text_of(value), _list_in(value)
    if listed is None or (listed.type in ("value_arguments", "argument_list") and not MAKES.match(text)):
        return None
    each = [_inner(child) for child in listed.named_children if "comment" not in child.type]
    if IN_PAIRS.match(text):
        return [list(pair) for pair in zip(each[::2], each[1::2], strict=False)]
    return [_parts(child) for child in each]


def _given(extractor: Extractor, name: str) -> Iterator[tree_sitter.Node]:
    data, root = extractor.source.data, extractor.source.tree.root_node
    for start in chain.from_iterable(_standing(name.encode(), data, *gap) for gap in extractor.outside):
        node = root.descendant_for_byte_range(start, start + len(name.encode()))
        for _ in range(3):
            node = node.parent if node is not None else None
            value = _value(node, name) if node is not None else None
            if value is not None:
                yield value
                break


def _standing(name: bytes, data: bytes, first: int, last: int) -> Iterator[int]:
    """Where the word stands in this part of a text, in front of an equals sign of its line."""
    start = data.find(name, first, last)
    while start >= 0:
        end = start + len(name)
        line_end = data.find(b"\n", end)
        behind = data[end : min(end + 201, len(data) if line_end < 0 else line_end)]
        if b"=" in behind and not WORD.match(data, end) and not (start and WORD.match(data, start - 1)):
            yield start
        start = data.find(name, end, last)


def _value(node: tree_sitter.Node, name: str) -> tree_sitter.Node | None:
    named = node.child_by_field_name("name") or node.child_by_field_name("left")
    if named is None and node.type == "property_declaration":
        named = next((each for each in node.named_children if each.type == "variable_declaration"), None)
    if named is None or text_of(named).partition(":")[0].strip() != name or node.type == "assignment_expression":
        return None
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    if value is None and node.type in ("variable_declarator", "property_declaration"):
        value = node.named_children[-1]
    return value if value is not None and value != named else None


def _list_in(value: tree_sitter.Node) -> tree_sitter.Node | None:
    """The list of a collection, whatever says of which kind it is."""
    for _ in range(4):
        if value.type in LISTS:
            return value
        receiver = value.child_by_field_name("receiver") if value.type == "call" else None
        if receiver is not None:
            if not text_of(value).endswith(".freeze"):
                return None
            value = receiver
            continue
        inner = [each for each in value.named_children if each.type in LISTS or each.type in WRAPS]
        if value.type not in WRAPS and not inner:
            return None
        value = inner[-1] if inner else value.named_children[-1]
    return None


def _inner(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type in INSIDE and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def _parts(row: tree_sitter.Node) -> list[tree_sitter.Node]:
    """What stands apart in a row; a row that is one thing is its own part."""
    if row.type in PARTED or (row.type == "infix_expression" and " to " in text_of(row)):
        return [_inner(each) for each in row.named_children if "comment" not in each.type and text_of(each) != "to"]
    return [row]


def _written(row: list[tree_sitter.Node]) -> str:
    return ROW.join(" ".join(text_of(each).split()) for each in row)
