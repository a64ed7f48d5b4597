"""JavaScript: an error that is kept where the results are: it tells of a failure, and hides none (class G08).

    try { await operation(); } catch (error) { result.error = `${error}`; throw error; }

Rule: what is assigned in a handler to `error` or `err` is the error that was caught, or a text or an error made of it
alone. Another value may be milder.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped

ONE = frozenset({"error", "err"})
MADE_OF = frozenset({"identifier", "template_string", "call_expression", "new_expression", "member_expression"})
CHOOSING = frozenset({"ternary_expression", "binary_expression"})


def tells_the_caught(code: Code, name: str, value: tree_sitter.Node | None) -> bool:
    node = unwrapped(value)
    if name not in ONE or node is None or node.type not in MADE_OF:
        return False
    handler: tree_sitter.Node | None = node
    while handler is not None and handler.type != "catch_clause":
        handler = handler.parent
    caught = code.text(handler.child_by_field_name("parameter")) if handler is not None else ""
    parts = list(code.source.walk(node))
    if not caught or any(part.type in CHOOSING for part in parts):
        return False
    return any(part.type == "identifier" and code.text(part) == caught for part in parts)
