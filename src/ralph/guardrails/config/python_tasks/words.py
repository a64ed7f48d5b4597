"""The words of a command in a Python script, as far as they are written out.

Rules: a text is a word; `*PATHS` stands for the words of a list that the function, or else the file, gives that name
once; `*(session.posargs or PATHS)` for those that are taken where the caller says nothing. What else is unpacked is not
known, and is no word; nor is a list of which that is true in part.
"""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter

from ralph.syntax import walk

Node = tree_sitter.Node
LISTS = frozenset({"list", "tuple"})
MOST_DEEP = 8
"""Lists that are made of others by their names."""


def written(item: Node) -> list[str | None]:
    """One word, or those of what is unpacked there; None for a word that only running could tell."""
    if item.type == "list_splat":
        return [*(_words(item.named_children[0], 0) or ())]
    return [literal(item) if item.type == "string" else None]


def literal(node: Node) -> str:
    return b"".join(child.text or b"" for child in node.named_children if child.type == "string_content").decode(
        "utf-8", "replace"
    )


def _words(node: Node, deep: int) -> list[str] | None:
    """None if only running could tell all of them."""
    if deep > MOST_DEEP:
        return None
    if node.type in LISTS:
        parts = [_of_item(each, deep) for each in node.named_children if each.type != "comment"]
        known = [part for part in parts if part is not None]
        return [word for part in known for word in part] if len(known) == len(parts) else None
    if (node.text or b"").endswith(b".posargs"):
        return []
    given = _unasked(node) if node.type != "identifier" else _given(node)
    return None if given is None else _words(given, deep + 1)


def _of_item(item: Node, deep: int) -> list[str] | None:
    if item.type == "list_splat":
        return _words(item.named_children[0], deep + 1)
    plain = item.type == "string" and not any(child.type == "interpolation" for child in item.named_children)
    return [literal(item)] if plain else None


def _unasked(node: Node) -> Node | None:
    """What is taken if nobody hands the session anything: `session.posargs or X`, `... if session.posargs else X`."""
    if node.type == "parenthesized_expression":
        return node.named_children[0]
    if node.type not in ("boolean_operator", "conditional_expression"):
        return None
    parts = node.named_children
    plain = node.type == "conditional_expression" or any(child.type == "or" for child in node.children)
    asked = parts[-2].text or b""
    return parts[-1] if plain and asked.endswith(b".posargs") and not asked.startswith(b"not ") else None


def _given(name: Node) -> Node | None:
    """The value of a name that is given once, in the function or at the top of the file."""
    above = name.parent
    while above is not None and above.type != "function_definition" and above.parent is not None:
        above = above.parent
    scopes = [above] if above is not None else []
    while above is not None and above.parent is not None:
        above = above.parent
    for scope in scopes if above is None or above in scopes else [*scopes, above]:
        nodes = walk(scope) if scope.type == "function_definition" else _top(scope)
        values = [
            each.child_by_field_name("right")
            for each in nodes
            if each.type in ("assignment", "augmented_assignment")
            and (left := each.child_by_field_name("left")) is not None
            and left.text == name.text
        ]
        if values:
            return values[0] if len(values) == 1 else None
    return None


def _top(root: Node) -> Iterable[Node]:
    return (each for statement in root.named_children for each in (statement, *statement.named_children))
