"""What a name stands for that a function gives back: `const ok = true; return ok` gives `true`."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.javascript.syntax.names import unwrapped

DECLARE = frozenset({"lexical_declaration", "variable_declaration"})


def by_its_value(value: tree_sitter.Node | None, statements: Sequence[tree_sitter.Node]) -> tree_sitter.Node | None:
    """The value, or what its name was given once by the statements around it."""
    if value is None or value.type != "identifier":
        return value
    declared = (each for node in statements if node.type in DECLARE for each in node.named_children)
    given = [each.child_by_field_name("value") for each in declared if _names(each, value)]
    return unwrapped(given[0]) if len(given) == 1 and given[0] is not None else value


def _names(declarator: tree_sitter.Node, name: tree_sitter.Node) -> bool:
    declared = declarator.child_by_field_name("name")
    return declared is not None and declared.text == name.text
