"""The commands that a loop of a Python script runs, one after the other: `for gate in GATES: subprocess.run(gate)`.

A list may stand in the loop itself, or under a name that the file gives once; its items are lists of words, texts, or
rows in which the command has its place. A function that is handed to what calls it for each item is a loop, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import tree_sitter

from ralph.guardrails.config.python_tasks.maps import given_items
from ralph.syntax import walk

Node = tree_sitter.Node
LISTS = frozenset({"list", "tuple"})
LOOPS = frozenset({"for_statement", "for_in_clause"})
MOST_DEEP, MOST_CALLS = 2, 4
"""Functions that hand what they are given to another one, and calls that are handed one."""
WHOLE = frozenset({b"list", b"tuple", b"sorted", b"reversed"})
"""They give the items that they are given."""


def looped(given: Node, root: Node, deep: int = 0) -> list[Node] | None:
    """The commands that stand for what a call is given, as lists or texts; None if no loop gives it."""
    name = _name(given)
    above = given.parent
    while name is not None and above is not None and above.type != "function_definition":
        clauses = [above] if above.type in LOOPS else [each for each in above.children if each.type in LOOPS]
        for loop in clauses:
            left, right = loop.child_by_field_name("left"), loop.child_by_field_name("right")
            place = _place(left, name)
            if right is not None and place is not None:
                return _commands(right, place, root)
        above = above.parent
    items = given_items(above, name, root) if above is not None and deep < MOST_DEEP else ()
    found = (looped(each, root, deep + 1) or _commands(each, -1, root) for each in islice(items, MOST_CALLS))
    return next((each for each in found if each is not None), None)


def _name(given: Node) -> bytes | None:
    """`gate`, `gate.split()`, `shlex.split(gate)`, `*gate`, `[*gate]`."""
    if given.type == "identifier":
        return given.text
    if given.type == "call":
        function, arguments = given.child_by_field_name("function"), given.child_by_field_name("arguments")
        inner = arguments.named_children if arguments is not None else []
        if function is not None and (function.text or b"").endswith(b"split"):
            owner = function.child_by_field_name("object") if not inner else inner[0]
            return owner.text if owner is not None and owner.type == "identifier" else None
    if given.type == "list_splat":
        return given.named_children[0].text
    splats = [each for each in given.named_children if each.type == "list_splat"] if given.type in LISTS else []
    return splats[0].named_children[0].text if len(splats) == len(given.named_children) == 1 else None


def _place(left: Node | None, name: bytes) -> int | None:
    """Where in a row the name gets its value; -1 for all of it."""
    if left is None:
        return None
    if left.text == name:
        return -1
    names = [each.text for each in left.named_children] if left.type in ("pattern_list", "tuple_pattern") else []
    return names.index(name) if name in names else None


def _commands(right: Node, place: int, root: Node) -> list[Node] | None:
    if right.type == "call":
        function, arguments = right.child_by_field_name("function"), right.child_by_field_name("arguments")
        inner = arguments.named_children if arguments is not None else []
        if function is None:
            return None
        if function.text == b"enumerate" and inner and place == 1:
            return _commands(inner[0], -1, root)
        if function.text in WHOLE and inner:
            return _commands(inner[0], place, root)
        owner, method = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        table = _held(owner, root) if owner is not None else None
        if table is None or table.type != "dictionary" or method is None:
            return None
        values = [each.child_by_field_name("value") for each in table.named_children if each.type == "pair"]
        asked = (method.text, place) in ((b"items", 1), (b"values", -1))
        return [each for each in values if each is not None] if asked else None
    held = _held(right, root)
    if held is None or held.type not in LISTS:
        return None
    items = [each for each in held.named_children if each.type != "comment"]
    return items if place < 0 else list(_in_rows(items, place))


def _in_rows(rows: list[Node], place: int) -> Iterator[Node]:
    for row in rows:
        items = [each for each in row.named_children if each.type != "comment"] if row.type in LISTS else []
        if place < len(items):
            yield items[place]


def _held(node: Node, root: Node) -> Node | None:
    """A literal, or the one that the file gives this name."""
    if node.type != "identifier":
        return node
    given = [
        each.child_by_field_name("right")
        for each in walk(root)
        if each.type == "assignment"
        and (left := each.child_by_field_name("left")) is not None
        and left.text == node.text
    ]
    return given[0] if len(given) == 1 else None
