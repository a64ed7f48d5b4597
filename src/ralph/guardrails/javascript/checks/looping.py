"""What the loop around an assertion goes through, and in which branch it stands (test inventory, class G05)."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped

EACH = frozenset({"forEach", "map", "flatMap", "every"})


def gone_through(code: Code, root: tree_sitter.Node, node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The list of the innermost loop inside of a function: `for (… of list)`, `list.forEach(…)`."""
    child = node
    for above in code.names.above(node):
        if child == root:
            return None
        if above.type == "for_in_statement" and child == above.child_by_field_name("body"):
            return above.child_by_field_name("right")
        if above.type == "arguments" and child.type in FUNCTIONS:
            call = code.names.parent(above)
            callee = unwrapped(call.child_by_field_name("function")) if call is not None else None
            if callee is not None and callee.type == "member_expression" and code.constants.member(callee) in EACH:
                return callee.child_by_field_name("object")
        child = above
    return None


def arm_of(code: Code, root: tree_sitter.Node, node: tree_sitter.Node) -> str:
    """The innermost `if` with an `else` inside of a function, and in which of the two it stands."""
    child = node
    for above in code.names.above(node):
        if child == root:
            return ""
        if above.type == "if_statement" and child in (yes_and_no := branches(above)):
            return f"{above.start_byte}:{yes_and_no.index(child)}"
        child = above
    return ""


def branches(node: tree_sitter.Node) -> list[tree_sitter.Node | None]:
    """Both, of one that has both."""
    found = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
    return found if None not in found else []
