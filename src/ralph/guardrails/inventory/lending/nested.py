"""Functions with parameters that a test defines for itself: what they assert is asserted where they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.writing import text_of

DECLARED = frozenset({"function_item", "function_declaration", "local_function_statement"})
"""With a name of their own: Rust, Kotlin, C#."""
BOUND = {"short_var_declaration": ("left", "right"), "let_declaration": ("pattern", "value")}
"""Go's and Rust's giving of a name, with the fields of both."""
VALUES = frozenset({"func_literal", "closure_expression", "lambda_expression"})
PARAMETERS = frozenset({"function_value_parameters", "parameter_list", "closure_parameters", "parameters"})


def nested_functions(nodes: Iterable[tree_sitter.Node]) -> dict[str, tree_sitter.Node]:
    """By their names, those that take something."""
    return {name: function for name, function in _named(nodes) if parameters_of(function)}


def parameters_of(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    listed = function.child_by_field_name("parameters")
    if listed is None:
        listed = next((each for each in function.named_children if each.type in PARAMETERS), None)
    if listed is None:
        return []
    return [listed] if listed.type == "identifier" else listed.named_children


def body_of(function: tree_sitter.Node) -> tree_sitter.Node | None:
    body = function.child_by_field_name("body")
    return body or next((each for each in function.named_children if each.type == "function_body"), None)


def _named(nodes: Iterable[tree_sitter.Node]) -> Iterator[tuple[str, tree_sitter.Node]]:
    for node in nodes:
        if node.type in DECLARED and (name := node.child_by_field_name("name")) is not None:
            yield text_of(name), node
        elif node.type in BOUND:
            left, right = (node.child_by_field_name(field) for field in BOUND[node.type])
            inner = right.named_children[0] if right is not None and right.type == "expression_list" else right
            if left is not None and inner is not None and inner.type in VALUES:
                yield text_of(left), inner
        elif node.type == "variable_declarator" and node.named_children and node.named_children[-1].type in VALUES:
            yield text_of(node.named_children[0]), node.named_children[-1]
