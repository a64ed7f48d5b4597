"""Matchers that a project defines for RSpec, as methods: `expect(r).to be_bill(3)` asserts what its `match` says.

Rules:

- What its last line says holds, and what it expects before. Of a block that branches, returns or rescues nobody knows.
- The name that `define` or `matcher` gives it, and its one block of `match`, of one parameter, make a method of that
  parameter and of those of the matcher.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.syntax import parse
from ralph.system.patterns import later

PLAIN = frozenset(
    {"assignment", "call", "binary", "unary", "identifier", "parenthesized_statements"}
    | {"true", "false", "nil", "integer", "string", "simple_symbol"}
)
"""Statements that are always reached, and leave nothing out."""
LEAVES = later(r"\b(?:return|next|break|redo|throw|raise|rescue|ensure)\b")


def name_of(call: tree_sitter.Node) -> str:
    """The name of the matcher that a call defines; empty if it defines none."""
    name, arguments = name_and_arguments(call) if call.type == "call" else ("", [])
    receiver = call.child_by_field_name("receiver") if call.type == "call" else None
    of_rspec = name == "define" and receiver is not None and text_of(receiver) in ("RSpec::Matchers", "Matchers")
    named = of_rspec or (name == "matcher" and receiver is None)
    return text_of(arguments[0]).strip("'\":") if named and arguments else ""


def as_method(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """The matcher that a call defines as a method, on the lines where its block stands."""
    block, asked = call.child_by_field_name("block"), _asked(call)
    if block is None or asked is None:
        return None
    body, taken, given = asked.child_by_field_name("body"), _parameters(asked), _parameters(block)
    statements = [each for each in body.named_children if each.type != "comment"] if body is not None else []
    if len(taken) != 1 or not statements or any(map(_may_leave, statements)):
        return None
    *before, last = statements
    told = text_of(last) if _expects(last) else f"assert(({text_of(last)}))"
    head = f"def {name_of(call)}({', '.join([*taken, *given])})"
    lines = "\n".join([head, *map(text_of, before), told, "end"])
    made = "\n" * max(statements[0].start_point.row - 1, 0) + lines
    root = parse("ruby", made.encode()).root_node
    return root.named_children[0] if root.named_children and not root.has_error else None


def _asked(call: tree_sitter.Node) -> tree_sitter.Node | None:
    """The block of `match`."""
    block = call.child_by_field_name("block")
    body = block.child_by_field_name("body") if block is not None else None
    calls = [each for each in body.named_children if each.type == "call"] if body is not None else []
    found = [
        inner
        for each in calls
        if name_and_arguments(each) == ("match", []) and (inner := each.child_by_field_name("block")) is not None
    ]
    return found[0] if len(found) == 1 else None


def _parameters(block: tree_sitter.Node) -> list[str]:
    listed = block.child_by_field_name("parameters")
    return [text_of(each) for each in listed.named_children] if listed is not None else []


def _may_leave(statement: tree_sitter.Node) -> bool:
    return statement.type not in PLAIN or LEAVES.search(text_of(statement)) is not None


def _expects(statement: tree_sitter.Node) -> bool:
    receiver = statement.child_by_field_name("receiver") if statement.type == "call" else None
    return receiver is not None and name_and_arguments(receiver)[0] == "expect"
