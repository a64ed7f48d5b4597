"""Calls whose value is used: no method of package testing gives anything back, so `Skip` is something else there.

`client.New(opts, cache.Skip(cache.Writes))` sets an option. What is handed a testing value may skip on the way all the
same: `defer quiet.Skip(t)()`.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

STATEMENTS = frozenset({"expression_statement", "go_statement", "defer_statement"})
TESTING = later(r"(?:.*\.)?(?:t|tb|T|TB|b|f|T\(\)|GinkgoT\(\))")


def is_given_back(selector: tree_sitter.Node) -> bool:
    """`selector` is called, what it gives is used, and nothing that it is given is a test."""
    call = selector.parent
    if call is None or call.type != "call_expression" or call.child_by_field_name("function") != selector:
        return False
    used = call.parent is not None and call.parent.type not in STATEMENTS and not call.parent.is_error
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return used and not any(TESTING.fullmatch(text_of(each)) for each in given)
