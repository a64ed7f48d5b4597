"""What a subject gives in the place of an answer, or instead of one (test inventory, class G05).

`total() || 33`, `Math.max(total(), 33)`, `load().catch(() => 33)`: where 33 is wanted, the answer may be any other.
`Promise.reject(new Error("a"))` is no answer at all: it is settled before anything is called.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped

_SETTLED = frozenset({("Promise", "reject"), ("Promise", "resolve")})


def fallback(code: Code, writing: Writing, subject: tree_sitter.Node | None) -> str | None:
    """What it gives in the place of an answer, as it is written."""
    plain = _answer(writing, subject)
    if plain is None:
        return None
    if plain.type == "call_expression":
        path = code.origins.of(plain.child_by_field_name("function"))
        bounds = arguments(plain) if path in (("Math", "min"), ("Math", "max")) else []
        number = next((writing.of(each) for each in bounds if each.type == "number"), None)
        return number if number is not None else _handled(code, writing, plain)
    operator = plain.child_by_field_name("operator")
    if operator is None or operator.type not in ("||", "??"):
        return None
    return writing.of(plain.child_by_field_name("right"))


def is_settled(code: Code, writing: Writing, subject: tree_sitter.Node | None) -> bool:
    """A promise of the test's own, of constants."""
    plain = _answer(writing, subject)
    if plain is None or plain.type != "call_expression":
        return False
    path = code.origins.of(plain.child_by_field_name("function"))
    return path in _SETTLED and all(map(writing.is_constant, map(_inside_error, arguments(plain))))


def _answer(writing: Writing, subject: tree_sitter.Node | None) -> tree_sitter.Node | None:
    plain = writing.value(subject)
    while plain is not None and plain.type == "await_expression" and plain.named_children:
        plain = writing.value(plain.named_children[0])
    return plain


def _inside_error(node: tree_sitter.Node) -> tree_sitter.Node:
    """What an error is made of."""
    made = unwrapped(node)
    listed = made.child_by_field_name("arguments") if made is not None and made.type == "new_expression" else None
    return listed if listed is not None else node


def _handled(code: Code, writing: Writing, call: tree_sitter.Node) -> str | None:
    """What a handler of a failure gives: `.catch(() => 33)`."""
    callee, given = unwrapped(call.child_by_field_name("function")), arguments(call)
    if callee is None or callee.type != "member_expression" or not given:
        return None
    name = code.constants.member(callee)
    handler = given[0] if name == "catch" else given[1] if name == "then" and len(given) > 1 else None
    function = unwrapped(handler)
    body = function.child_by_field_name("body") if function is not None and function.type in FUNCTIONS else None
    if body is not None and body.type == "statement_block":
        steps = [each for each in body.named_children if each.type == "return_statement"]
        body = steps[0].named_children[0] if len(steps) == 1 and steps[0].named_children else None
    return writing.of(unwrapped(body)) if body is not None else None
