"""Lists and collections in which there is nothing: `[]`, `Object.keys({})`, `new Map()`, and constants that hold one.

Rule: a constant that is given an empty one is empty for good where the file does nothing with its name but go through
it and look at it. Whatever else is said of it (`rows.push(1)`, `rows[key] = 1`, `fill(rows)`) may fill it.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import Names, unwrapped
from ralph.system.patterns import later

MADE_EMPTY = later(rb"new\s+(?:Map|Set|Array)\s*(?:<[^()]*>)?\s*(?:\(\s*(?:\[\s*\]|0)?\s*\))?")
PARTS_OF = later(rb"Object\s*\.\s*(?:keys|values|entries)")
OF_ITSELF = frozenset({b"keys", b"values", b"entries"})
LOOKS = (
    r"\b(?:const|let|var)\s+{name}\b|\b(?:of|in)\s+{name}\s*\)|(?:Object\s*\.\s*\w+|expect|each|for)\s*\(\s*{name}\s*\)"
    r"|(?<![\w$.]){name}\s*\.\s*(?:forEach|map|flatMap|every|some|filter|keys|values|entries|length(?!\s*=[^=])|size)\b"
)


def is_empty(names: Names, node: tree_sitter.Node | None) -> bool:
    whole = unwrapped(node)
    if whole is None:
        return False
    if whole.type == "identifier":
        return _is_left_empty(names, whole)
    if whole.type == "call_expression":
        return _has_no_parts(names, whole)
    return _is_made_empty(whole)


def _is_made_empty(whole: tree_sitter.Node) -> bool:
    if whole.type == "array":
        return all("comment" in child.type for child in whole.named_children)
    return whole.type == "new_expression" and MADE_EMPTY.fullmatch(whole.text or b"") is not None


def _has_no_parts(names: Names, call: tree_sitter.Node) -> bool:
    function, given = unwrapped(call.child_by_field_name("function")), arguments(call)
    if function is None or function.type != "member_expression":
        return False
    if PARTS_OF.fullmatch(function.text or b"") is not None:
        whole = unwrapped(given[0]) if given else None
        literal = whole is not None and whole.type == "object" and not whole.named_children
        return literal or (whole is not None and whole.type == "identifier" and _is_left_empty(names, whole))
    name = function.child_by_field_name("property")
    own = name is not None and name.text in OF_ITSELF and not given
    return own and is_empty(names, function.child_by_field_name("object"))


def _is_left_empty(names: Names, name: tree_sitter.Node) -> bool:
    """A constant of the file that is given nothing, and nothing else."""
    binding = names.binding(name)
    value = unwrapped(binding.value) if binding is not None and binding.kind == "value" and not binding.path else None
    if binding is None or binding.assigned or value is None:
        return False
    if not _is_made_empty(value) and not (value.type == "object" and not value.named_children):
        return False
    text, word = names.source.data.decode("utf-8", "replace"), re.escape(names.name(name))
    said = re.findall(rf"(?<![\w$]){word}(?![\w$])", text)
    return len(said) == len(re.findall(LOOKS.replace("{name}", word), text))
