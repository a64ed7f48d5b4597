"""Ruby: variables of an object, and what a method gives them."""

from __future__ import annotations

import re

import tree_sitter


def is_looked_at_before(variable: tree_sitter.Node) -> bool:
    """A variable of the object that the method looks at before it gives it this value had another one."""
    above = variable.parent
    while variable.type == "instance_variable" and above is not None:
        if above.type == "method":
            before = (above.text or b"")[: variable.start_byte - above.start_byte]
            return re.search(re.escape(variable.text or b"") + rb"(?!\w)", before) is not None
        above = above.parent
    return False
