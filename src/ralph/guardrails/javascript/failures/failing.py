"""What in a script of Node ends it in failure: a `throw`, another exit status than 0, `exitCode` (class G10)."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import UNKNOWN

EXITS = frozenset({("process", "exit"), ("Deno", "exit"), ("Bun", "exit"), ("process", "reallyExit")})


def failing(code: Code, root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Everything below that ends in failure, or may."""
    for node in code.source.walk(root):
        status = given_status(code, node)
        ends = status is not None and not _is_zero(code, status)
        if ends or node.type == "throw_statement" or _is_rejected(code, node):
            yield node


def given_status(code: Code, node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The status with which the process ends, or will: `process.exit(1)`, `process.exitCode = 1`."""
    if node.type == "assignment_expression":
        target = code.origins.of(node.child_by_field_name("left"))
        return node.child_by_field_name("right") if target == ("process", "exitCode") else None
    if node.type != "call_expression" or code.origins.of(node.child_by_field_name("function")) not in EXITS:
        return None
    return next(iter(arguments(node)), None)


def _is_rejected(code: Code, node: tree_sitter.Node) -> bool:
    """`reject` of a promise; what kills or aborts the process."""
    path = code.origins.of(node.child_by_field_name("function")) if node.type == "call_expression" else None
    return path is not None and path[-1] in ("reject", "kill", "abort")


def _is_zero(code: Code, node: tree_sitter.Node) -> bool:
    value = code.constants.value(node)
    return value is not UNKNOWN and not value
