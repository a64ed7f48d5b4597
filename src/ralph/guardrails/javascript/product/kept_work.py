"""What looks like a function without its work, and is one of two that it became, or the rest of it (class G19).

- An object with a function became an element of a list beside another one, with a function of the same name: what the
  function did is not gone where one with the object's own name (`name: "server"`) still does it, and nothing else, but
  for lines that now stand in the other.
- Of a function that told by a test of one parameter's type what to do, one branch is left as it was, where that
  parameter may no longer be of all the types that it could have: callers have to give what the branch is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.source import parent_of
from ralph.system.patterns import later

NAME_KEYS = frozenset({b"name", b"id"})
TAKEN_OUT_OF = frozenset({"subscript_expression", "member_expression", "call_expression"})
NOTHING = frozenset({b"undefined", b"null", b"void"})
ANYTHING = later(
    rb"\]$|^\[|^(?:readonly|Readonly)?\s*Array<|^ReadonlyArray<|^(?:any|unknown|object|string|number|boolean)$"
)
"""Types with which the branch that is gone might still be taken."""
TYPE_TEST = later(rb"Array\.isArray\(\s*(?P<array>[\w$]+)\s*\)|typeof (?P<typeof>[\w$]+) === (?:\"\w+\"|'\w+')")


def lives_on(was: tree_sitter.Node, stub: tree_sitter.Node, namesakes: Sequence[tree_sitter.Node]) -> bool:
    """One of the `namesakes` of the `stub`, in the same list, does what the function of the base did there."""
    named = {name for each in _objects(was) if (name := _own_name(each))}
    around = {node.id: element for node, element in _lists(stub)}
    for other in namesakes:
        if other.id == stub.id or not _shares(was, other, stub):
            continue
        for array, element in _lists(other):
            beside = around.get(array.id)
            if beside is not None and beside.id != element.id:
                same, another = _own_name(element), _own_name(beside)
                return bool(same) and same in named and bool(another) and another not in named
    return False


def is_left_branch(was: tree_sitter.Node, now: tree_sitter.Node, value: tree_sitter.Node) -> bool:
    body = was.child_by_field_name("body")
    statements = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    if len(statements) != 1 or statements[0].type != "if_statement":
        return False
    condition, other = (statements[0].child_by_field_name(name) for name in ("condition", "alternative"))
    test = TYPE_TEST.fullmatch((condition.text or b"")[1:-1].strip()) if condition is not None else None
    if test is None or other is None:
        return False
    given = [node for node in _below(other) if node.type == "return_statement"]
    if len(given) != 1 or value.text not in [each.text for each in given[0].named_children]:
        return False
    name = test["array"] or test["typeof"]
    could, can = _types(was, name), _types(now, name)
    if any(ANYTHING.search(kind) for kind in can) or could - can <= NOTHING:
        return False
    return bool(can) and can < could


def _objects(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    above = parent_of(node)
    while above is not None:
        if above.type == "object":
            yield above
        above = parent_of(above)


def _lists(node: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """The lists that it stands in, of which nothing is taken out at once, and the element of each."""
    above = parent_of(node)
    while above is not None:
        if above.type == "array":
            outside = parent_of(above)
            if outside is None or outside.type not in TAKEN_OUT_OF:
                yield above, node
        node, above = above, parent_of(above)


def _own_name(node: tree_sitter.Node) -> bytes:
    """`"server"` of `{ name: "server", … }`."""
    for pair in node.named_children if node.type == "object" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None and key.text in NAME_KEYS and value.type == "string":
            return (value.text or b"")[1:-1]
    return b""


def _shares(was: tree_sitter.Node, rest: tree_sitter.Node, other: tree_sitter.Node) -> bool:
    """The lines of `was` are those of `rest`, for the most part, and else in `other`."""
    given, still = (each.child_by_field_name("parameters") for each in (was, rest))
    if given is None or still is None or given.text != still.text:
        return False
    old, kept, moved = map(_lines, (was, rest, other))
    return kept <= old and kept.total() > moved.total() and old - kept <= moved


def _lines(function: tree_sitter.Node) -> Counter[bytes]:
    body = function.child_by_field_name("body")
    return Counter(line.strip() for line in ((body.text or b"") if body is not None else b"").split(b"\n"))


def _below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += current.named_children


def _types(function: tree_sitter.Node, name: bytes) -> frozenset[bytes]:
    """What the parameter of this name may be."""
    listed = function.child_by_field_name("parameters")
    for parameter in listed.named_children if listed is not None else ():
        pattern, said = parameter.child_by_field_name("pattern"), parameter.child_by_field_name("type")
        if pattern is not None and pattern.text == name and said is not None and said.named_children:
            return frozenset(_members(said.named_children[0]))
    return frozenset()


def _members(node: tree_sitter.Node) -> Iterator[bytes]:
    if node.type == "union_type":
        for child in node.named_children:
            yield from _members(child)
    else:
        yield b" ".join((node.text or b"").split())
