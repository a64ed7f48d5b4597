"""What a call hands to a function that takes any number of values last: a list of them, as its language writes one.

`Holds(cart, 7m, a, b)` of `Holds(Cart cart, decimal total, params Item[] items)` hands `new[]{a,b}` to `items`. A list
that C# is given in the place of its members is handed as it is. Where a call spreads another one, or the function goes
through its list member by member, nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tree_sitter

from ralph.guardrails.inventory.lending.handing import OF_ANY, Given, Parameter, arguments_of, matched, names_of
from ralph.guardrails.inventory.lending.nested import parameters_of
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record
from ralph.system.patterns import later

WRITTEN: Mapping[str, Callable[[str, str], str]] = {
    "csharp": lambda kind, members: f"new[]{{{members}}}",
    "go": lambda kind, members: f"[]{kind}{{{members}}}",
    "ruby": lambda kind, members: f"[{members}]",
}
"""By language: a list of a type that holds some values."""
LAST = {"go": "variadic_parameter_declaration", "ruby": "splat_parameter"}
WHOLE = later(r"new\b[^({]*\[|\[|\w+(?:\.\w+)*\.(?:ToArray|AsArray)\(\)$")
"""A list, as C# writes one."""
NAME = later(r"[\w.]+")
EACH = later(r"(?i)\b(?:for|foreach|each\w*|zip\w*|all|collection|map|select|while|times)\b")


@record
class Handed:
    """What each parameter is given; the last one as written, and whether all of that is constant."""

    values: Mapping[str, tree_sitter.Node]
    name: str
    written: str
    known: bool


def handed_any_number(
    function: tree_sitter.Node, call: tree_sitter.Node, language: str, writing: Writing
) -> Handed | None:
    values, taken = arguments_of(call), _taken(function, language)
    if values is None or taken is None or any(each.name for each in values) or EACH.search(text_of(function)):
        return None
    known, name, kind = taken
    first, rest = values[: len(known)], values[len(known) :]
    given = matched(known, first)
    written = _list(rest, kind, language, writing)
    if given is None or len(first) < len(known) or written is None:
        return None
    return Handed(given, name, written, known=all(writing.is_constant(each.value) for each in rest))


def names_taken(function: tree_sitter.Node, language: str) -> frozenset[str]:
    """The names of its parameters, if it takes any number of values last."""
    taken = _taken(function, language)
    return frozenset() if taken is None else frozenset({taken[1], *(each.name for each in taken[0])})


def _list(rest: Sequence[Given], kind: str, language: str, writing: Writing) -> str | None:
    if language == "csharp" and len(rest) == 1:
        written = text_of(rest[0].value)
        if WHOLE.match(written):
            return writing.of(rest[0].value)
        if NAME.fullmatch(written):  # one value, or a list of some
            return None
    return WRITTEN[language](kind, ",".join(writing.of(each.value) for each in rest))


def _taken(function: tree_sitter.Node, language: str) -> tuple[list[Parameter], str, str] | None:
    """The parameters before the last one, its name, and the type of each of its values."""
    listed = parameters_of(function)
    if language not in WRITTEN or not listed:
        return None
    if language == "csharp":
        if not OF_ANY.search(text_of(listed[0].parent or listed[0])) or listed[-1].type != "identifier":
            return None
        before, name, kind = [each for each in listed[:-1] if each.type == "parameter"], text_of(listed[-1]), ""
    else:
        if listed[-1].type != LAST[language] or any(each.type == LAST[language] for each in listed[:-1]):
            return None
        before, name = listed[:-1], (names_of(listed[-1]) or [""])[0]
        of_each = listed[-1].child_by_field_name("type")
        kind = text_of(of_each) if of_each is not None else ""
    if any(each.child_by_field_name("value") is not None or "keyword" in each.type for each in before):
        return None
    return [Parameter(each) for one in before for each in names_of(one)], name, kind
