"""Ruby: calls whose block runs for each row of a table (see `inventory`).

Rules: `CASES.each do |text, want|` goes through what it is asked of; `with_them do` of rspec-parameterized through the
list that the block of the `where` beside it gives.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.ruby.expectations import name_and_arguments

EACH = frozenset({"each", "each_with_index", "map", "times", "each_pair", "each_with_object"})
LISTS = frozenset({"array", "string_array", "symbol_array"})


def is_repeating(call: tree_sitter.Node) -> bool:
    return name_and_arguments(call)[0] in EACH or _table_of(call) is not None


def gone_through(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """What stands for its rows."""
    return _table_of(call) or call.child_by_field_name("receiver")


def _table_of(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """A list that is written down, of the nearest `where` above."""
    if name_and_arguments(call)[0] != "with_them":
        return None
    above = call.prev_named_sibling
    while above is not None and not (above.type == "call" and name_and_arguments(above)[0] == "where"):
        above = above.prev_named_sibling
    block = above.child_by_field_name("block") if above is not None else None
    body = block.child_by_field_name("body") if block is not None else None
    given = body.named_children[-1] if body is not None and body.named_children else None
    return given if given is not None and given.type in LISTS else None
