"""What a test asks through helpers.

A call demands what the helper does, as one assertion that covers all of the helper's. Written out, it says what the
helper says: `check(t, Sum(1), 2)` that `Sum(1)` is `2`. Each parameter then stands for what the call hands over
(`handing`). Where nobody can tell which is which, or several functions of one name are there, nothing is written out;
nor is what a helper asserts of a parameter that it gives another value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.inventory.failures.reach import felt
from ralph.guardrails.inventory.lending.any_number import Handed, handed_any_number, names_taken
from ralph.guardrails.inventory.lending.handing import handed, parameters
from ralph.guardrails.inventory.lending.nested import body_of, nested_functions, parameters_of
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.truth import HELPER, Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import record, replace
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.plain import Extractor, Found

MOST = 8
"""A helper of more assertions is no shorthand: its call counts as one that covers them all."""

ANEW = "the helper gives what it compares another value"
NAME = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?<![\w.@$])[A-Za-z_]\w*")


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
        self._lent: dict[str, HelperCalls | None] = {}
        self._demands: dict[str, tuple[Said, ...]] = {}
        self._checks: dict[str, tuple[Check, ...]] = {}

    def bodies(self) -> Mapping[str, tree_sitter.Node]:
        return {name: each.body for name, each in self._helpers.items() if each.body is not None}

    def called_in(self, called: str, node: tree_sitter.Node, writing: Writing) -> Said | None:
        """A call of that name as a whole: it demands what the helper does."""
        holder, name = self._holder(called, node), called.rpartition(".")[2]
        if not name or (holder is None and (called[0] == "." or not HELPER.match(name))):
            return None
        if holder is not None and holder is not self and holder._extractor.declares(name) > 1:
            holder = None
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
                own = frozenset(NAME.findall(" ".join(map(text_of, parameters_of(function)))))
                known = {each: value for each, value in writing.local.items() if each not in own}
                checks = tuple(extractor.checks(inner, extractor.writing(inner).knowing(known)))
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
            given = handed(own.function, node) or {}
            yield from (_with(check, given, writing) for check in own.checks)
            return
        holder, name = self._holder(called, node), called.rpartition(".")[2]
        helper = holder._helpers[name] if holder is not None and holder._extractor.declares(name) <= 1 else None
        if holder is None or helper is None or helper.body == body:
            return
        values, unheard = self._extractor.handed(helper.node, node, called), self._extractor.unheard(helper.node, node)
        several = None
        if values is None and called[:1] != ".":
            several = handed_any_number(helper.node, node, self._extractor.source.language, writing)
            values = several.values if several is not None else None
        for check in holder._checks_of(name) if values is not None else ():
            said = replace(_with(check, values or {}, writing, several), through=name)
            yield replace(said, grade=Grade.NOTHING, why=unheard) if unheard else said

    def _holder(self, called: str, node: tree_sitter.Node) -> HelperCalls | None:
        """Those of the file that has the helper: this one, or another one."""
        name = called.rpartition(".")[2]
        if called in self._helpers and self._extractor.sees(self._helpers[called].node, node):
            return self
        if called not in self._lent:
            self._lent[called] = self._extractor.lent(called)
        other = self._lent[called]
        return other if other is not None and name in other._helpers else None

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
            helper = self._helpers[name].node
            taken = {each.name for each in parameters(helper) or ()}
            anew = self._given_anew(body) & (taken or names_taken(helper, self._extractor.source.language))
            found = self._extractor.checks(body, self._extractor.writing(body))
            own = (replace(each, grade=Grade.NOTHING, why=ANEW) if _names(each) & anew else each for each in found)
            checks = tuple(self._extractor.of_helper(helper, each) for each in own)
            self._checks[name] = checks if len(checks) <= MOST else ()
        return self._checks.get(name, ())

    def _given_anew(self, body: tree_sitter.Node) -> frozenset[str]:
        """Names of which nobody knows what they stand for: the helper gives them several values."""
        times = Counter(name for node in self._extractor.nodes(body) for name, _ in self._extractor.assigned(node))
        return frozenset(name for name, often in times.items() if often > 1)


def is_within(node: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    return function.start_byte <= node.start_byte and node.end_byte <= function.end_byte


def _with(
    check: Check, given: Mapping[str, tree_sitter.Node], writing: Writing, several: Handed | None = None
) -> Check:
    wanted, written = given.get(check.wanted), {name: writing.of(value) for name, value in given.items()}
    known = check.known if wanted is None else writing.is_constant(wanted)
    if several is not None:
        written |= {several.name: several.written}
        known = several.known if check.wanted == several.name else known
    return replace(
        check,
        subject=put_in(check.subject, written),
        wanted=put_in(check.wanted, written),
        known=known,
    )


def put_in(text: str, given: Mapping[str, str]) -> str:
    """An expression as written, with something in the place of names."""
    return NAME.sub(lambda match: given.get(match[0], match[0]), text)


def _names(check: Check) -> frozenset[str]:
    return frozenset(NAME.findall(f"{check.subject} {check.wanted}"))
