"""The parameters of a helper, and what a call gives each of them (test inventory, class G05)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.javascript.checks.modules import values_in
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import record


@record
class Parameter:
    """A name that a function is given something under."""

    name: str
    position: int
    key: str = ""
    """Of the object that stands at that position, where the function takes it apart."""
    default: str = ""


def are_kept(code: Code, function: tree_sitter.Node) -> bool:
    """What its parameters are given, they are to the end."""
    bindings = (code.names.binding(node) for node in _patterns(function) if node.type == "identifier")
    return not any(binding is not None and binding.assigned for binding in bindings)


def parameters(code: Code, function: tree_sitter.Node) -> tuple[Parameter, ...]:
    """Those before the first one that nobody can tell the name of."""
    found: list[Parameter] = []
    taken = [pair for pair in zip(_listed(function), _patterns(function), strict=True) if pair[1].type != "this"]
    for position, (each, named) in enumerate(taken):
        value = each.child_by_field_name("value") or each.child_by_field_name("right")
        default = "" if value is None else Writing(code).of(value)
        if named.type == "identifier":
            found.append(Parameter(code.names.name(named), position, "", default))
        elif named.type == "object_pattern":
            found += _taken_apart(code, named, position)
        else:
            break
    return tuple(found)


def filled_up(function: tree_sitter.Node, given: list[tree_sitter.Node]) -> list[tree_sitter.Node]:
    """What a call gives, place by place, and what is taken without it behind that."""
    for each in _listed(function)[len(given) :]:
        value = each.child_by_field_name("value") or each.child_by_field_name("right")
        if value is None:
            break
        given = [*given, value]
    return given


def given_to(
    wanted: Sequence[Parameter], code: Code, writing: Writing, values: Sequence[tree_sitter.Node]
) -> Mapping[str, tree_sitter.Node | str]:
    """By the names of parameters: what a call gives, or what is taken without it."""
    found: dict[str, tree_sitter.Node | str] = {}
    for each in wanted:
        value: tree_sitter.Node | None = values[each.position] if each.position < len(values) else None
        if value is not None and each.key:
            whole = writing.value(value)
            inside = list(values_in(code, whole, each.key)) if whole is not None and whole.type == "object" else []
            value = inside[0] if len(inside) == 1 else None
        if value is not None:
            found[each.name] = value
        elif each.default:
            found[each.name] = each.default
    return found


def _listed(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    single = function.child_by_field_name("parameter")
    listed = function.child_by_field_name("parameters")
    nodes = [single] if single is not None else listed.named_children if listed is not None else []
    return [node for node in nodes if "comment" not in node.type]


def _patterns(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    nodes = _listed(function)
    return [each.child_by_field_name("pattern") or each.child_by_field_name("left") or each for each in nodes]


def _taken_apart(code: Code, pattern: tree_sitter.Node, position: int) -> Iterator[Parameter]:
    for each in pattern.named_children:
        plain = each.child_by_field_name("left") if each.type == "object_assignment_pattern" else each
        value = each.child_by_field_name("right") if each.type == "object_assignment_pattern" else None
        default = "" if value is None else Writing(code).of(value)
        if plain is not None and plain.type == "shorthand_property_identifier_pattern":
            yield Parameter(code.names.name(plain), position, code.names.name(plain), default)
        elif plain is not None and plain.type == "pair_pattern":
            key, inner = plain.child_by_field_name("key"), unwrapped(plain.child_by_field_name("value"))
            if key is not None and inner is not None and inner.type == "identifier":
                yield Parameter(code.names.name(inner), position, code.text(key), default)
