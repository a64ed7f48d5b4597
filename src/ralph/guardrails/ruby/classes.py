"""Ruby: which classes Minitest and test-unit collect their tests from (see `inventory`)."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.writing import text_of

NO_BASE = frozenset({"Object", "BasicObject"})


def may_be_collected(place: tree_sitter.Node, data: bytes) -> bool:
    """A module may be included; a class has a base, is opened again, or includes what makes it one."""
    name, base = place.child_by_field_name("name"), place.child_by_field_name("superclass")
    if place.type != "class" or name is None:
        return True
    if base is not None:
        return text_of(base).lstrip("< ") not in NO_BASE
    if re.search(r"^\s*(?:include|extend|prepend)\b", text_of(place), re.MULTILINE):
        return True
    return re.search(rb"\bclass\s+" + re.escape(text_of(name)).encode() + rb"\s*<", data) is not None
