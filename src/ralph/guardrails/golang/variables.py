"""Go: what variables hold, and where they may be changed (see `inventory`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.writing import Scoped, text_of

DECLARING = frozenset({"short_var_declaration"})
ASSIGNING = DECLARING | {
    "assignment_statement",
    "inc_statement",
    "dec_statement",
    "range_clause",
    "var_spec",
    "const_spec",
}
POINTING = frozenset({"unary_expression"})


def assigned(node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Variables that a node gives a value."""
    if node.type in ("short_var_declaration", "assignment_statement"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            values = right.named_children
            for index, name in enumerate(left.named_children):
                value = values[index] if len(values) > index else values[0]
                if name.type == "identifier" and text_of(name) != "_" and value.type != "func_literal":
                    yield text_of(name), value
    elif node.type in ("inc_statement", "dec_statement"):
        yield text_of(node.named_children[0]), node
    elif node.type == "range_clause" and (left := node.child_by_field_name("left")) is not None:
        for name in left.named_children:
            yield text_of(name), name
    elif node.type in ("var_spec", "const_spec"):
        own, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        if own is not None and given is not None and given.named_children:
            yield text_of(own), given.named_children[0]


def scoped(nodes: Iterable[tree_sitter.Node]) -> Scoped:
    """What is declared in the headers of several `if` and nowhere else."""
    found: dict[str, list[tuple[tree_sitter.Node, tree_sitter.Node]]] = defaultdict(list)
    elsewhere: set[str] = set()
    for node in nodes:
        values = list(assigned(node))
        above = node.parent if values else None
        if above is not None and above.type == "if_statement" and node.type == "short_var_declaration":
            for name, value in values:
                found[name].append((above, value))
        else:
            elsewhere.update(name for name, _ in values)
    return {name: values for name, values in found.items() if len(values) > 1 and name not in elsewhere}


def told_place(node: tree_sitter.Node) -> str:
    """The variable whose place a unary expression gives away."""
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    if operator is None or operand is None or text_of(operator) != "&":
        return ""
    above = node.parent
    given = above is not None and above.type in ("argument_list", "literal_element", "literal_value")
    return text_of(operand) if given and operand.type == "identifier" else ""
