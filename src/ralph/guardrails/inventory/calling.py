"""What a test asks through helpers.

A call demands what the helper does, as one assertion that covers all of the helper's. Written out, it says what the
helper says: `check(t, Sum(1), 2)` that `Sum(1)` is `2`. Each parameter then stands for what the call hands over; where
nobody can tell which is which (a list of any length, names given in the call), nothing is written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.nested import body_of, nested_functions, parameters_of
from ralph.guardrails.inventory.reach import felt
from ralph.guardrails.inventory.truth import HELPER, Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record, replace
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.plain import Extractor, Found

MOST = 8
"""A helper of more assertions is no shorthand: its call counts as one that covers them all."""

NAME = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?<![\w.@$])[A-Za-z_]\w*")
LISTS = frozenset({"variadic_parameter_declaration", "spread_parameter", "splat_parameter", "block_parameter"})
BY_NAME = frozenset({"keyword_parameter", "hash_splat_parameter", "pair", "splat_argument", "block_argument"})


@record
class Nested:
    """A function that a test defines for itself, and what it asserts by the names of its parameters."""

    function: tree_sitter.Node
    checks: tuple[Check, ...]


class HelperCalls:
    """The functions of one side of one file that check something and are no tests."""

    def __init__(self, extractor: Extractor, helpers: Iterable[Found]) -> None:
        self._extractor = extractor
        self._helpers = {each.parts[-1]: each for each in helpers}
        self._demands: dict[str, tuple[Said, ...]] = {}
        self._checks: dict[str, tuple[Check, ...]] = {}

    def bodies(self) -> Mapping[str, tree_sitter.Node]:
        return {name: each.body for name, each in self._helpers.items() if each.body is not None}

    def called_in(self, called: str, node: tree_sitter.Node, writing: Writing) -> Said | None:
        """A call of that name as a whole: it demands what the helper does."""
        holder, name = self._holder(called), called.rpartition(".")[2]
        if not name or (holder is None and not HELPER.match(name)):
            return None
        grades = [] if holder is None else [each.grade for each in holder._said_by(name)]
        if holder is not None and not grades:
            return None
        return Said(writing.of(node), name, "", max(grades, default=Grade.CLOSE), covers=max(len(grades), 1))

    def nested_in(self, body: tree_sitter.Node, writing: Writing) -> Mapping[str, Nested]:
        """The functions that a test defines for itself, calls, and leaves assertions to."""
        extractor, found = self._extractor, dict[str, Nested]()
        functions = nested_functions(extractor.nodes(body))
        called = {extractor.called(node) for node in extractor.speaking(body)} if functions else set()
        for name, function in functions.items():
            inner = body_of(function) if name in called else None
            if inner is not None and extractor.demands(inner):
                checks = tuple(extractor.checks(inner, extractor.writing(inner).knowing(writing.local)))
                found |= {name: Nested(function, checks)} if 0 < len(checks) <= MOST else {}
        return found

    def written_out(
        self,
        called: str,
        node: tree_sitter.Node,
        body: tree_sitter.Node,
        writing: Writing,
        nested: Mapping[str, Nested],
    ) -> Iterator[Check]:
        """What the helper of that name, which a call in `body` asks, asserts there; nothing if nobody can tell."""
        if (own := nested.get(called)) is not None:
            handed = _handed(own.function, node) or {}
            yield from (_with(check, handed, writing) for check in own.checks)
            return
        holder, name = self._holder(called), called.rpartition(".")[2]
        helper = holder._helpers[name] if holder is not None else None
        given = _handed(helper.node, node) if helper is not None and helper.body != body else None
        if holder is not None and given is not None:
            for check in holder._checks_of(name):
                yield replace(_with(check, given, writing), through=name)

    def _holder(self, name: str) -> HelperCalls | None:
        """Those of the file that has the helper: this one, or one beside it."""
        if name in self._helpers:
            return self
        other = self._extractor.lent(name) if HELPER.match(name.rpartition(".")[2]) else None
        return other if other is not None and name.rpartition(".")[2] in other._helpers else None

    def _said_by(self, name: str) -> tuple[Said, ...]:
        body, extractor = self._helpers[name].body, self._extractor
        if name not in self._demands and body is not None:
            writing = extractor.writing(body)
            nodes = (node for node in extractor.speaking(body) if felt(extractor, node, body))
            self._demands[name] = tuple(said for node in nodes for said in extractor.said(node, writing))
        return self._demands.get(name, ())

    def _checks_of(self, name: str) -> tuple[Check, ...]:
        body = self._helpers[name].body
        if name not in self._checks and body is not None:
            self._checks[name] = ()  # for helpers that call each other
            checks = tuple(self._extractor.checks(body, self._extractor.writing(body)))
            self._checks[name] = checks if len(checks) <= MOST else ()
        return self._checks.get(name, ())


def is_within(node: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    return function.start_byte <= node.start_byte and node.end_byte <= function.end_byte


def _handed(function: tree_sitter.Node, call: tree_sitter.Node) -> Mapping[str, tree_sitter.Node] | None:
    """What each parameter is given; None if nobody can tell."""
    names, values = _parameters(function), _arguments(call)
    return (
        None if names is None or values is None or len(values) > len(names) else dict(zip(names, values, strict=False))
    )


def _with(check: Check, given: Mapping[str, tree_sitter.Node], writing: Writing) -> Check:
    wanted, written = given.get(check.wanted), {name: writing.of(value) for name, value in given.items()}
    return replace(
        check,
        subject=put_in(check.subject, written),
        wanted=put_in(check.wanted, written),
        known=check.known if wanted is None else writing.is_constant(wanted),
    )


def put_in(text: str, given: Mapping[str, str]) -> str:
    """An expression as written, with something in the place of names."""
    return NAME.sub(lambda match: given.get(match[0], match[0]), text)


def _parameters(function: tree_sitter.Node) -> list[str] | None:
    names: list[str] = []
    for each in parameters_of(function):
        if each.type in LISTS or each.type in BY_NAME:
            return None
        if each.type != "self_parameter" and "comment" not in each.type:
            names += _names(each)
    return names


def _names(parameter: tree_sitter.Node) -> list[str]:
    named = parameter.children_by_field_name("name") or parameter.children_by_field_name("pattern")
    if not named and parameter.type.endswith("identifier"):
        named = [parameter]
    found = named or [each for each in parameter.named_children if each.type.endswith("identifier")][:1]
    return [text_of(each).removeprefix("mut ") for each in found] or [""]


def _arguments(call: tree_sitter.Node) -> list[tree_sitter.Node] | None:
    listed = call.child_by_field_name("arguments") or _child(call, "call_suffix") or _child(call, "value_arguments")
    if listed is not None and listed.type == "call_suffix":
        listed = _child(listed, "value_arguments")
    values: list[tree_sitter.Node] = []
    for each in listed.named_children if listed is not None else ():
        if each.type in BY_NAME or re.match(r"\.\.\.|\w+ *(?::(?!:)|=(?!=))", text_of(each)):
            return None
        if "comment" not in each.type:
            inner = each.named_children if each.type in ("argument", "value_argument") else ()
            values.append(inner[-1] if inner else each)
    return values


def _child(node: tree_sitter.Node, kind: str) -> tree_sitter.Node | None:
    return next((each for each in node.named_children if each.type == kind), None)
