"""Which methods of a Ruby class others can call."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments


def is_private(method: tree_sitter.Node) -> bool:
    """`private def f`, or the nearest bare `private`, `protected` or `public` before it says so."""
    above = method.parent
    if above is not None and above.type == "argument_list":
        return above.parent is not None and name_and_arguments(above.parent)[0] in ("private", "protected")
    before, private = method.prev_named_sibling, False
    while before is not None and not private:
        private = text_of(before) in ("private", "protected")
        if text_of(before) == "public":
            break
        before = before.prev_named_sibling
    return private
