"""Properties that fast-check tries with values of its own (test inventory, class G05).

Rules: `fc.check` tells what it found, and fails nothing. A property whose function gives nothing, and asserts nothing,
holds for every value.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.system.patterns import later

TELLS = later(r"(?:fc|fastCheck|fast_check)\.check")
PROPERTY = later(r"(?:fc|fastCheck|fast_check)\.(?:asyncProperty|property)")
SAYS = later(r"\b(?:return|throw|expect|assert\w*|should|verify|check\w*|fail)\b")


def only_tells(call: tree_sitter.Node) -> bool:
    function = call.child_by_field_name("function")
    if function is not None and TELLS.fullmatch(text_of(function)):
        return True
    return any(map(_holds_always, arguments(call)))


def _holds_always(given: tree_sitter.Node) -> bool:
    function = given.child_by_field_name("function") if given.type == "call_expression" else None
    if function is None or not PROPERTY.fullmatch(text_of(function)):
        return False
    tried = next((each for each in reversed(arguments(given)) if each.type in FUNCTIONS), None)
    body = tried.child_by_field_name("body") if tried is not None else None
    return body is not None and body.type == "statement_block" and SAYS.search(text_of(body)) is None
