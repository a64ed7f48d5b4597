"""Helpers that can be read, and assert nothing (test inventory, class G05).

Rule: a helper with the name of an assertion gets the benefit of the doubt, but not where all that it does is to look,
to remember or to tell: nothing that it calls fails by itself.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

_LOOKS = later(
    r"locator|getBy\w+|queryBy\w+|first|last|nth|filter|count|textContent|innerText|inputValue|isVisible|isHidden|is\w+ed"
    r"|console|log|info|warn|debug|error|stringify|toString|trim|String|Number|Boolean|keys|values|entries|map|push|slice"
)


def is_hollow(code: Code, function: tree_sitter.Node) -> bool:
    body = function.child_by_field_name("body")
    nodes = list(code.source.walk(body)) if body is not None else []
    if body is None or any(each.type in ("throw_statement", "new_expression", "yield_expression") for each in nodes):
        return False
    calls = (each.child_by_field_name("function") for each in nodes if each.type == "call_expression")
    return all(_LOOKS.fullmatch(_name(code, each)) is not None for each in calls)


def _name(code: Code, function: tree_sitter.Node | None) -> str:
    plain = unwrapped(function)
    if plain is None:
        return ""
    return (code.constants.member(plain) or "") if plain.type in ACCESSES else code.text(plain)
