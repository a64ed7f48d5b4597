"""JavaScript: a report that a test writes down itself and gives to what it tests, such as a tool that judges reports.

    const input = fixture();  // function fixture() { return { report: { numFailedTests: 1 } }; }
    input.report.numFailedTests = 0;
    expect(() => judge(input)).toThrow();

Rule (class G08): in a file of tests, what is assigned to is a member of an object that the file itself writes as a
literal with that member in it, at hand or as what a function of the file gives; nothing is spread into it, and the file
writes no files. It is no outcome of any run.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

WRITES_FILES = later(rb"\b(?:write|append|output)(?:File|Json|JSON)\w*|\bcreateWriteStream\b|\.write\(")
LITERALS = frozenset({"number", "string", "true", "false", "null", "array"})


def is_own(code: Code, assigned: tree_sitter.Node, name: str) -> bool:
    """Whether this member belongs to an object that the test makes."""
    if not code.cases.are_tests or WRITES_FILES.search(code.source.data):
        return False
    root: tree_sitter.Node | None = assigned
    while root is not None and root.type in ACCESSES:
        root = unwrapped(root.child_by_field_name("object"))
    binding = code.names.binding(root) if root is not None and root.type == "identifier" else None
    if binding is None or binding.kind != "value" or binding.path or binding.assigned:
        return False
    literal = _literal(code, unwrapped(binding.value))
    return literal is not None and _writes(code, literal, name)


def _literal(code: Code, value: tree_sitter.Node | None) -> tree_sitter.Node | None:
    """The literal itself, or the one that a function of the file gives, which does nothing but that."""
    if value is None or value.type == "object":
        return value
    called = unwrapped(value.child_by_field_name("function")) if value.type == "call_expression" else None
    if called is None or called.type != "identifier":
        return None
    binding = code.names.binding(called)
    function = binding.value or binding.function if binding is not None else None
    if function is None or function.type not in FUNCTIONS:
        return None
    body = function.child_by_field_name("body")
    if body is None:
        return None
    if body.type != "statement_block":
        given = unwrapped(body)
    else:
        last = [each for each in body.named_children if "comment" not in each.type][-1:]
        given = unwrapped(next(iter(last[0].named_children), None)) if last and _gives(last[0]) else None
        if sum(_gives(part) for part in code.source.walk(body)) > 1:
            return None
    return given if given is not None and given.type == "object" else None


def _gives(node: tree_sitter.Node) -> bool:
    return node.type == "return_statement"


def _writes(code: Code, literal: tree_sitter.Node, name: str) -> bool:
    parts = list(code.source.walk(literal))
    if any(part.type == "spread_element" for part in parts):
        return False
    for pair in (part for part in parts if part.type == "pair"):
        key, value = pair.child_by_field_name("key"), unwrapped(pair.child_by_field_name("value"))
        if key is not None and value is not None and code.text(key).strip("'\"") == name and value.type in LITERALS:
            return True
    return False
