"""Whether what a transform gives depends on the code it is given, whatever file it is about (class G08).

A name depends on the code if it is given something that does. Each result counts by itself, the two sides of a
condition too; no result at all leaves the code as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped

Node = tree_sitter.Node
NAMES = frozenset({"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"})
GIVING = frozenset(
    {"variable_declarator", "assignment_expression", "augmented_assignment_expression", "for_in_statement"}
)
NOTHING = frozenset({"null", "undefined", "false"})


def answers(code: Code, function: Node) -> bool:
    """True if some result of the function has nothing of its first parameter."""
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    first = listed if listed is None or listed.type == "identifier" else next(iter(listed.named_children), None)
    body = function.child_by_field_name("body")
    if body is None or first is None:
        return True
    depending = _depending(code, body, _names(code, first))
    results = list(_results(body))
    if not any(_depends(code, each, depending) for each in results):
        return True
    return any(not _depends(code, each, depending) and code.text(each) not in NOTHING for each in results)


def _depending(code: Code, body: Node, first: frozenset[str]) -> frozenset[str]:
    """The names that hold something of the code."""
    known = first
    given = [(node, target) for node in code.source.walk(body) for target in _given(node)]
    for _ in given:
        more = known.union(*(_names(code, target) for node, target in given if _depends(code, node, known)))
        if more == known:
            break
        known = more
    return known


def _given(node: Node) -> Iterator[Node]:
    """What gets something of the names in a node: what is assigned, looped over, called, or a callback's parameters."""
    for field in ("name", "left") if node.type in GIVING else ():
        if (target := node.child_by_field_name(field)) is not None:
            yield target
    if node.type == "call_expression":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        owner = function.child_by_field_name("object") if function is not None else None
        if owner is not None and owner.type == "identifier":
            yield owner
        for argument in arguments.named_children if arguments is not None else ():
            if argument.type in FUNCTIONS:
                parameters = argument.child_by_field_name("parameters") or argument.child_by_field_name("parameter")
                yield from (parameters,) if parameters is not None else ()


def _names(code: Code, node: Node) -> frozenset[str]:
    return frozenset(code.text(each) for each in code.source.walk(node) if each.type in NAMES)


def _depends(code: Code, node: Node, known: frozenset[str]) -> bool:
    return not known.isdisjoint(_names(code, node))


def _results(body: Node) -> Iterator[Node]:
    """Everything that a function may give; of an object, its `code`."""
    if body.type != "statement_block":
        yield from _parts(body)
        return
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if node.type == "return_statement":
            yield from _parts(node.named_children[0] if node.named_children else None)
        elif node.type not in FUNCTIONS:
            waiting += node.named_children


def _parts(value: Node | None) -> Iterator[Node]:
    value = unwrapped(value)
    if value is None:
        return
    if value.type == "ternary_expression":
        for side in ("consequence", "alternative"):
            yield from _parts(value.child_by_field_name(side))
        return
    pairs = [child for child in value.named_children if child.type == "pair"] if value.type == "object" else []
    given = next((pair for pair in pairs if _is_code(pair)), None)
    if given is None:
        yield value
    else:
        yield from _parts(given.child_by_field_name("value"))


def _is_code(pair: Node) -> bool:
    key = pair.child_by_field_name("key")
    return key is not None and key.text is not None and key.text.strip(b"\"'") == b"code"
