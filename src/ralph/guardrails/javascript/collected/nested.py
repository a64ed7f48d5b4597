"""Tests that another test defines while it runs (test inventory, classes G04 and G05).

Rule: Mocha, Jasmine and Vitest collect tests before the first one runs, and never run what one of them defines later;
Jest refuses it. In frameworks that have tests in tests (node:test, Deno, tape, AVA), or of which nobody knows, they
run.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

NESTED = "a test inside of a test is never run"
NAMES = frozenset({"it", "test", "specify", "describe", "context", "suite"})
NESTING = later(rb"[\"'](?:node:test|test|tape|tap|ava|qunit|bun:test|uvu|zora|@\w+/test)[\"'/]|\bDeno\.|\bQUnit\b")


def is_nested(code: Code, call: tree_sitter.Node) -> bool:
    callee = unwrapped(call.child_by_field_name("function"))
    if callee is None or callee.type != "identifier" or code.text(callee) not in NAMES:
        return False
    return call.id in code.cases.defined and code.cases.inside_test(callee) and not NESTING.search(code.source.data)
