"""Go: a skip of a whole test that moved into its subtests (policy set v2, class G02).

Rule: the base skips the test itself, at its first level, under a condition that is written in the same way, and does so
once more often than the head does: a skip under it in a subtest leaves out less. One that moves from a subtest to the
test, or comes to another test, is new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source

SKIPS = frozenset({"Skip", "Skipf", "SkipNow"})
FUNCTIONS = ("function_declaration", "method_declaration")


def without_moved_inside(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    sides: dict[str, tuple[Source, Source]] = {}
    for hit in hits:
        if hit.rule == "go.skip" and hit.line and hit.path.endswith("_test.go"):
            if hit.path not in sides:
                old, new = change.blobs.before(hit.path) or b"", change.blobs.after(hit.path) or b""
                sides[hit.path] = Source(hit.path, "go", old), Source(hit.path, "go", new)
            if _is_narrower(hit, *sides[hit.path]):
                continue
        yield hit


def _is_narrower(hit: Hit, old: Source, new: Source) -> bool:
    point = (hit.line - new.first_line, hit.column - 1)
    node = new.tree.root_node.descendant_for_point_range(point, point)
    branch = _branch(node) if node is not None else None
    function = _above(branch, *FUNCTIONS)
    if branch is None or function is None or not _is_in_subtest(new, branch, function):
        return False
    condition, name = _condition(new, branch), _name(new, function)
    return _at_first_level(old, name).count(condition) > _at_first_level(new, name).count(condition)


def _branch(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The `if` that alone decides whether a skip is reached in its function."""
    child, above = node, node.parent
    while above is not None and above.type not in (*FUNCTIONS, "func_literal"):
        if above.type == "if_statement":
            return above if child == above.child_by_field_name("consequence") else None
        child, above = above, above.parent
    return None


def _is_in_subtest(source: Source, branch: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    literal = _above(branch, "func_literal")
    listed = literal.parent if literal is not None else None
    call = listed.parent if listed is not None and listed.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None else None
    inside = literal is not None and function.start_byte < literal.start_byte < function.end_byte
    return inside and called is not None and source.text(called).endswith(".Run")


def _at_first_level(source: Source, name: str) -> list[str]:
    """The conditions under which a test skips itself, as its own statements."""
    bodies = (
        node.child_by_field_name("body")
        for node in source.tree.root_node.named_children
        if node.type in FUNCTIONS and _name(source, node) == name
    )
    return [
        _condition(source, statement)
        for body in bodies
        if body is not None
        for statement in _statements(body)
        if statement.type == "if_statement" and _skips(source, statement)
    ]


def _statements(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    inner = block.named_children
    return inner[0].named_children if len(inner) == 1 and inner[0].type == "statement_list" else inner


def _skips(source: Source, branch: tree_sitter.Node) -> bool:
    """The branch does so itself, as one of its own statements."""
    body = branch.child_by_field_name("consequence")
    for statement in _statements(body) if body is not None else ():
        call = statement.named_children[0] if statement.type == "expression_statement" else statement
        called = call.child_by_field_name("function") if call.type == "call_expression" else None
        if called is not None and source.text(called).rpartition(".")[2] in SKIPS:
            return True
    return False


def _condition(source: Source, branch: tree_sitter.Node) -> str:
    body = branch.child_by_field_name("consequence")
    end = body.start_byte if body is not None else branch.end_byte
    return " ".join(source.data[branch.start_byte : end].decode("utf-8", "replace").split())


def _name(source: Source, function: tree_sitter.Node) -> str:
    name = function.child_by_field_name("name")
    return source.text(name) if name is not None else ""


def _above(node: tree_sitter.Node | None, *types: str) -> tree_sitter.Node | None:
    while node is not None and node.type not in types:
        node = node.parent
    return node
