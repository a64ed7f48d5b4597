"""Functions that begin with `test` and are no tests: they make something for those that call them (class G04).

Rule: `def testing_server(root)` takes something that it has no default for, gives something back, and is called with
arguments in its own file, outside of itself. A runner that took it for a test would have nothing to give it. Whatever
gives nothing back, or is called by nobody, is a test as its name says.
"""

from __future__ import annotations

import re

from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source

REQUIRED = ("identifier", "typed_parameter")
INNER = ("function_definition", "class_definition", "lambda")


def is_maker(source: Source, definition: Node, name: str) -> bool:
    called = f"{name}(".encode()
    if source.data.count(called) < 2:  # the first one is its own
        return False
    taken = definition.child_by_field_name("parameters")
    if taken is None or not any(each.type in REQUIRED for each in taken.named_children):
        return False
    body = definition.child_by_field_name("body")
    if body is None or not _gives(body):
        return False
    others = source.data[: definition.start_byte] + source.data[definition.end_byte :]
    return re.search(rb"(?<![\w.])" + re.escape(called) + rb"\s*[^\s)]", others) is not None


def _gives(node: Node) -> bool:
    """A statement of the function itself gives a value back."""
    for each in node.named_children:
        if each.type == "return_statement" and each.named_children and each.named_children[0].type != "none":
            return True
        if each.type not in INNER and _gives(each):
            return True
    return False
