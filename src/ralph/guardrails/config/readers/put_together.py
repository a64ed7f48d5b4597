"""JavaScript's expressions that are made of others: texts with values in them, and what hangs on a question.

A question about CI has one answer there; any other only running could tell.
"""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers import in_ci
from ralph.guardrails.config.readers.syntax import holds_in_ci, text_of

Reading = Callable[[tree_sitter.Node], Node]


def put_together(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    match node.type:
        case "template_string":
            return _template(node, evaluate, opaque)
        case "binary_expression":
            return _binary(node, evaluate, opaque)
        case "ternary_expression":
            return _choice(node, evaluate, opaque)
    return opaque(node)


def _choice(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    asked = node.child_by_field_name("condition")
    holds = holds_in_ci(asked) if asked is not None else None
    chosen = node.child_by_field_name("consequence" if holds else "alternative")
    return opaque(node) if holds is None or chosen is None else in_ci.chosen(opaque(node), evaluate(chosen))


def _template(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    parts = []
    for child in node.named_children:
        inside = child.named_children if child.type == "template_substitution" else []
        parts.append(evaluate(inside[0]) if inside else opaque(child).with_value(text_of(child)))
    return in_ci.joined(opaque(node), parts)


def _binary(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    """Texts one behind the other, and what is only there if one asks in CI."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    sign = text_of(operator) if operator is not None else ""
    if left is None or right is None or sign not in ("+", "&&"):
        return opaque(node)
    if sign == "&&":
        return in_ci.chosen(opaque(node), evaluate(right)) if holds_in_ci(left) else opaque(node)
    parts = [evaluate(left), evaluate(right)]
    texts = any(isinstance(in_ci.there(part).value, str) for part in parts)
    return in_ci.joined(opaque(node), parts) if texts else opaque(node)
