"""What JavaScript makes of each member of a list, or of the pairs of an object, as data.

`LIST.map(NAME => ...)` and `flatMap`, `Object.fromEntries(PAIRS)`, and `Object.entries`, `keys` and `values` of an
object. A member that cannot be read stays opaque; a key that cannot be read leaves the whole so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import tree_sitter

from ralph.guardrails.config.node import SPREAD, Node, Opaque
from ralph.guardrails.config.readers.syntax import text_of

Value = list[Node] | dict[str, Node]
Names = dict[str, Node]

MOST = 200
"""Members of a list that are gone through."""


def of_each(
    function: tree_sitter.Node,
    given: Sequence[tree_sitter.Node],
    evaluate: Callable[[tree_sitter.Node], Node],
    evaluate_with: Callable[[tree_sitter.Node, Names], Node],
) -> Value | None:
    """The value of such a call; None for any other one. `evaluate_with` reads a body where names stand for members."""
    target, method = function.child_by_field_name("object"), function.child_by_field_name("property")
    if target is None or method is None or len(given) != 1:
        return None
    name = text_of(method)
    if text_of(target) == "Object" and name in ("fromEntries", "entries", "keys", "values"):
        whole = evaluate(given[0])
        return _from_entries(whole) if name == "fromEntries" else _parts(name, whole)
    if name not in ("map", "flatMap") or given[0].type != "arrow_function":
        return None
    items, body = evaluate(target).value, given[0].child_by_field_name("body")
    if not isinstance(items, list) or len(items) > MOST or body is None or body.type == "statement_block":
        return None
    made = [evaluate_with(body, names) for item in items if (names := _named(given[0], item)) is not None]
    if len(made) < len(items):
        return None
    return _flat(made) if name == "flatMap" else made


def _from_entries(pairs: Node) -> dict[str, Node] | None:
    if not isinstance(pairs.value, list):
        return None
    found: dict[str, Node] = {}
    for pair in pairs.value:
        match pair.value:
            case [Node(value=str() as key), Node() as value]:
                found[key] = value
            case _:
                return None
    return found


def _parts(name: str, whole: Node) -> list[Node] | None:
    if not isinstance(whole.value, dict) or any(key.startswith(SPREAD) for key in whole.value):
        return None
    keys = {key: value.with_value(key) for key, value in whole.value.items()}
    if name == "keys":
        return list(keys.values())
    if name == "values":
        return list(whole.value.values())
    return [value.with_value([keys[key], value]) for key, value in whole.value.items()]


def _flat(made: Sequence[Node]) -> list[Node]:
    return [each for item in made for each in (item.value if isinstance(item.value, list) else [item])]


def _named(function: tree_sitter.Node, item: Node) -> Names | None:
    """What the names of the function's parameter stand for; None for a parameter of another form."""
    parameters = function.child_by_field_name("parameters")
    named = parameters.named_children if parameters is not None else [function.child_by_field_name("parameter")]
    if len(named) != 1 or named[0] is None:
        return None
    pattern = named[0].child_by_field_name("pattern") or named[0]
    if pattern.type == "identifier":
        return {text_of(pattern): item}
    if pattern.type != "array_pattern" or not isinstance(item.value, list | Opaque):
        return None
    parts = item.value if isinstance(item.value, list) else [item] * len(pattern.named_children)
    return {text_of(part): value for part, value in zip(pattern.named_children, parts, strict=False)}
