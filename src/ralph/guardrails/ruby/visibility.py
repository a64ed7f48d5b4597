"""Which methods of a Ruby class others can call."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.guardrails.source import remembered


def is_private(method: tree_sitter.Node) -> bool:
    """`private def f`, or the nearest bare `private`, `protected` or `public` before it says so."""
    above = method.parent
    if above is not None and above.type == "argument_list":
        return above.parent is not None and name_and_arguments(above.parent)[0] in ("private", "protected")
    return above is not None and method.id in _behind_private(above)


@remembered(256)
def _behind_private(block: tree_sitter.Node) -> frozenset[int]:
    """What stands behind a bare `private`, by its identity."""
    found, private = set[int](), False
    for each in block.named_children:
        if each.type == "identifier":
            private = text_of(each) in ("private", "protected") or (private and text_of(each) != "public")
        elif private:
            found.add(each.id)
    return frozenset(found)
