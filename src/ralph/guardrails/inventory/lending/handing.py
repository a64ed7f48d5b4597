"""What a call hands to each parameter of what it calls.

In order, or by name where the call says names; a value that the parameter has of itself stands for one that is left
out, if it is a plain constant. Where nobody can tell which is which (a list of any length), nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import tree_sitter

from ralph.guardrails.inventory.lending.nested import parameters_of
from ralph.guardrails.inventory.writing import text_of
from ralph.record import record
from ralph.system.patterns import later

LISTS = frozenset(
    {"variadic_parameter_declaration", "spread_parameter", "splat_parameter", "block_parameter", "hash_splat_parameter"}
)
OF_ANY_LENGTH = frozenset({"splat_argument", "block_argument", "hash_splat_argument", "spread_expression"})
NAMED = later(r"\w+ *(?::(?!:)|=(?!=))")
OF_ANY = later(r"^\([^\n]*[(,]\s*params\s|^\(\s*params\s")
"""C#'s grammar has no parameter for it."""
CONSTANT = later(r"-?\d[\w.]*|\"[^\"$#{}]*\"|'[^'#{}]*'|:\w+|true|false|null|nil")


@record
class Parameter:
    name: str
    default: tree_sitter.Node | None = None
    by_name: bool = False
    """No call gives it by its place."""


@record
class Given:
    """A value of a call, with the name that it is given by, if any."""

    name: str
    value: tree_sitter.Node


def handed(
    function: tree_sitter.Node, call: tree_sitter.Node, first: tree_sitter.Node | None = None
) -> Mapping[str, tree_sitter.Node] | None:
    """What each parameter is given; None if nobody can tell. `first` is given before all that the call says."""
    values = arguments_of(call)
    if values is None:
        return None
    return matched(parameters(function), values if first is None else [Given("", first), *values])


def matched(known: Sequence[Parameter] | None, values: Sequence[Given]) -> Mapping[str, tree_sitter.Node] | None:
    """What values are given to; None if nobody can tell."""
    if known is None:
        return None
    places = [each.name for each in known if not each.by_name]
    plain = [each.value for each in values if not each.name]
    named = {each.name: each.value for each in values if each.name}
    in_order = all(not each.name for each in values[: len(plain)])
    if len(plain) < len(places) and _skips(known):
        return None
    found = dict(zip(places, plain, strict=False))
    named_well = named.keys() <= {each.name for each in known}
    if not in_order or not named_well or len(plain) > len(places) or len(plain) + len(named) < len(values):
        return None
    if found.keys() & named.keys():
        return None
    defaults = {
        each.name: each.default
        for each in known
        if each.default is not None and CONSTANT.fullmatch(text_of(each.default))
    }
    return {**defaults, **found, **named}


def _skips(known: Sequence[Parameter]) -> bool:
    """One that has a value of itself stands before one that has none, which Ruby gives its own first."""
    optional = [each.default is not None for each in known if not each.by_name]
    return any(one and not other for one, other in pairwise(optional))


def arguments_of(call: tree_sitter.Node) -> list[Given] | None:
    """None where nobody can tell how many there are, or what they are for."""
    listed = call.child_by_field_name("arguments") or _child(call, "value_arguments")
    values: list[Given] = []
    for each in listed.named_children if listed is not None else ():
        if each.type in OF_ANY_LENGTH or text_of(each).startswith(("...", "*")):
            return None
        if "comment" in each.type:
            continue
        given = _given(each)
        if given is None:
            return None
        values.append(given)
    return values


def _given(argument: tree_sitter.Node) -> Given | None:
    if argument.type == "pair":
        key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
        plain = key is not None and key.type == "hash_key_symbol"
        return Given(text_of(key), value) if plain and key is not None and value is not None else None
    inner = argument.named_children if argument.type in ("argument", "value_argument") else []
    named = NAMED.match(text_of(argument)) is not None
    if named and len(inner) > 1 and inner[0].type == "identifier":
        return Given(text_of(inner[0]), inner[-1])
    return None if named else Given("", inner[-1] if inner else argument)


def parameters(function: tree_sitter.Node) -> list[Parameter] | None:
    """What a function takes; None where it takes any number."""
    found: list[Parameter] = []
    listed = parameters_of(function)
    for index, each in enumerate(listed):
        if each.type in LISTS or (index == 0 and OF_ANY.search(text_of(each.parent or each))):
            return None
        if each.type == "parameter_modifiers":
            if "vararg" in text_of(each):
                return None
            continue
        if each.type == "self_parameter" or "comment" in each.type or _is_default(listed, index):
            continue
        follows = listed[index + 1] if _is_default(listed, index + 1) else None
        default = _default(each) or follows
        found += [Parameter(name, default, each.type == "keyword_parameter") for name in names_of(each)]
    return found


def _is_default(listed: Sequence[tree_sitter.Node], index: int) -> bool:
    """Kotlin's grammar has a parameter's own value behind it, as another one."""
    before = listed[index].prev_sibling if 0 < index < len(listed) else None
    return before is not None and before.type == "="


def _default(parameter: tree_sitter.Node) -> tree_sitter.Node | None:
    value = parameter.child_by_field_name("value")
    if value is None and parameter.type == "parameter" and any(each.type == "=" for each in parameter.children):
        value = parameter.named_children[-1]  # C#
    return value


def names_of(parameter: tree_sitter.Node) -> list[str]:
    named = parameter.children_by_field_name("name") or parameter.children_by_field_name("pattern")
    if not named and parameter.type.endswith("identifier"):
        named = [parameter]
    found = named or [each for each in parameter.named_children if each.type.endswith("identifier")][:1]
    return [text_of(each).removeprefix("mut ") for each in found] or [""]


def _child(node: tree_sitter.Node, kind: str) -> tree_sitter.Node | None:
    return next((each for each in node.named_children if each.type == kind), None)
