"""Lists and collections in which there is nothing: `[]`, `Object.keys({})`, `new Map()`, and constants that hold one.

Rule: a constant that is given an empty one is empty for good where the file does nothing with its name but go through
it and look at it. Whatever else is said of it (`rows.push(1)`, `rows[key] = 1`, `fill(rows)`) may fill it.

A `Map` or a `Set` has none of what it holds as properties of its own: `Object.entries(map)` is empty, whatever is in
it, `for (const key in map)` goes through nothing, and it has a `size` where a list has a `length`.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import Names, unwrapped
from ralph.system.patterns import later

MADE_EMPTY = later(rb"new\s+(?:Map|Set|Array)\s*(?:<[^()]*>)?\s*(?:\(\s*(?:\[\s*\]|0)?\s*\))?")
PARTS_OF = later(rb"Object\s*\.\s*(?:keys|values|entries)")
MAX_DEPTH = 20
COLLECTION = later(rb"new\s+(?:Weak)?(?:Map|Set)\b.*", re.DOTALL)
GIVEN = r"(?<![\w$.]){name}\s*(?:\.\s*\w+|\[[^\[\]\n]*\])\s*=[^=]|\bObject\s*\.\s*(?:assign|define\w+)\s*\(\s*{name}\b"
"""A property that is given to something of the name."""
STILL_EMPTY = frozenset({b"map", b"flatMap", b"filter", b"slice", b"sort", b"toSorted", b"reverse", b"toReversed"})
"""What a method of a list gives where there is nothing in it."""
OF_ITSELF = frozenset({b"keys", b"values", b"entries"})
LOOKS = (
    r"\b(?:const|let|var)\s+{name}\b|\b(?:of|in)\s+{name}\s*\)|(?:Object\s*\.\s*\w+|expect|each|for)\s*\(\s*{name}\s*\)"
    r"|(?<![\w$.]){name}\s*\.\s*(?:forEach|map|flatMap|every|some|filter|keys|values|entries|length(?!\s*=[^=])|size)\b"
)


def is_empty(names: Names, node: tree_sitter.Node | None, depth: int = 0) -> bool:
    whole = unwrapped(node)
    if whole is None or depth > MAX_DEPTH:
        return False
    if whole.type == "identifier":
        return _is_left_empty(names, whole, depth)
    if whole.type == "call_expression":
        return _has_no_parts(names, whole, depth)
    if (
        whole.type == "array"
        and whole.named_children
        and all(each.type == "spread_element" for each in whole.named_children)
    ):
        return all(is_empty(names, each.named_children[0], depth + 1) for each in whole.named_children)
    return _is_made_empty(whole)


def has_no_keys(names: Names, node: tree_sitter.Node | None) -> bool:
    """A map or set of the file, to which nobody gave properties."""
    whole = unwrapped(node)
    if whole is None or whole.type != "identifier":
        return (
            whole is not None and whole.type == "new_expression" and COLLECTION.fullmatch(whole.text or b"") is not None
        )
    binding = names.binding(whole)
    value = unwrapped(binding.value) if binding is not None and binding.kind == "value" and not binding.path else None
    if binding is None or binding.assigned or value is None or value.type != "new_expression":
        return False
    if COLLECTION.fullmatch(value.text or b"") is None:
        return False
    given = GIVEN.replace("{name}", re.escape(names.name(whole)))
    return re.search(given, names.source.data.decode("utf-8", "replace")) is None


def runs_never(names: Names, condition: tree_sitter.Node | None) -> bool:
    """`i < map.length`: nothing is less than what is not there."""
    whole = unwrapped(condition)
    right = unwrapped(whole.child_by_field_name("right")) if whole is not None else None
    operator = whole.child_by_field_name("operator") if whole is not None else None
    if right is None or right.type != "member_expression" or operator is None or operator.type not in ("<", "<="):
        return False
    name = right.child_by_field_name("property")
    return name is not None and name.text == b"length" and has_no_keys(names, right.child_by_field_name("object"))


def _is_made_empty(whole: tree_sitter.Node) -> bool:
    if whole.type == "array":
        return all("comment" in child.type for child in whole.named_children)
    return whole.type == "new_expression" and MADE_EMPTY.fullmatch(whole.text or b"") is not None


def _has_no_parts(names: Names, call: tree_sitter.Node, depth: int) -> bool:
    function, given = unwrapped(call.child_by_field_name("function")), arguments(call)
    if function is None or function.type != "member_expression":
        return False
    if PARTS_OF.fullmatch(function.text or b"") is not None:
        whole = unwrapped(given[0]) if given else None
        literal = whole is not None and whole.type == "object" and not whole.named_children
        return (
            literal
            or has_no_keys(names, whole)
            or (whole is not None and whole.type == "identifier" and _is_left_empty(names, whole, depth))
        )
    name = function.child_by_field_name("property")
    own = name is not None and ((name.text in OF_ITSELF and not given) or name.text in STILL_EMPTY)
    return own and is_empty(names, function.child_by_field_name("object"), depth + 1)


def _is_left_empty(names: Names, name: tree_sitter.Node, depth: int) -> bool:
    """A constant of the file that is given nothing, and nothing else."""
    binding = names.binding(name)
    value = unwrapped(binding.value) if binding is not None and binding.kind == "value" and not binding.path else None
    if binding is None or binding.assigned or value is None:
        return False
    called = value.type == "call_expression" and depth < MAX_DEPTH and _has_no_parts(names, value, depth + 1)
    if not called and not _is_made_empty(value) and not (value.type == "object" and not value.named_children):
        return False
    text, word = names.source.data.decode("utf-8", "replace"), re.escape(names.name(name))
    said = re.findall(rf"(?<![\w$]){word}(?![\w$])", text)
    return len(said) == len(re.findall(LOOKS.replace("{name}", word), text))
