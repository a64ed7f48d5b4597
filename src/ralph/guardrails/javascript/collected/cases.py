"""The tests and suites that a file defines (spec: governance engine 1.4; classes G02 and G03).

A call of a test function defines one. Suites give their titles to what they hold, and callbacks make their
parameters known as a test's context to what stands inside them.
"""

from __future__ import annotations

from typing import Literal

import tree_sitter

from ralph.guardrails.javascript.collected.frameworks import FOCUS
from ralph.guardrails.javascript.collected.roots import Ref, Roots
from ralph.guardrails.javascript.syntax.calls import TEXTS, arguments, first, functions, has_shape
from ralph.guardrails.javascript.syntax.constants import Constants
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Names, unwrapped
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

CHOICES = frozenset({"if_statement", "ternary_expression", "switch_statement", "binary_expression"})
NAMED_SO = later(r"(?i)only|focus|solo|\bf(?:it|test|describe|context|specify)")
WORD = later(r"[\w$]+")
FEWEST, LONGEST = 2, 200


@record
class Case:
    """A test or suite. `title` holds the titles of the suites around it, too."""

    kind: Literal["test", "suite"]
    title: tuple[str, ...]
    node: tree_sitter.Node

    def holds(self, other: Case) -> bool:
        return self.node.start_byte <= other.node.start_byte and other.node.end_byte <= self.node.end_byte


class Cases:
    """All cases of one file, and the means to ask about its code."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names = Names(source)
        self.constants = Constants(self.names)
        self.roots = Roots(self.names, self.constants)
        self.calls = self.names.calls
        self.defined: dict[int, tuple[Case, Ref]] = {}
        """By the id of the call."""
        self._evidence: set[str] = set()
        self._owners: dict[int, Case] = {}
        self._define(self._definitions())

    @property
    def all(self) -> list[Case]:
        return [case for case, _ in self.defined.values()]

    @property
    def are_tests(self) -> bool:
        """True for a file that uses a test framework."""
        return bool(self._evidence)

    def counts(self, ref: Ref) -> bool:
        """True unless only the name suggests that it is a test function."""
        if ref.local.startswith("./") and not ref.matters:
            return ref.local in self._evidence
        return self.are_tests

    def around(self, node: tree_sitter.Node) -> Case | None:
        """The innermost case whose callback holds the node."""
        return next((self._owners[above.id] for above in self.names.above(node) if above.id in self._owners), None)

    def inside_test(self, node: tree_sitter.Node) -> bool:
        around = self.around(node)
        return around is not None and around.kind == "test"

    def owns(self, function: tree_sitter.Node) -> bool:
        """True if a test framework calls the function."""
        return function.id in self._owners or function.id in self.roots.callbacks

    def case_of(self, call: tree_sitter.Node, kind: Literal["test", "suite"]) -> Case:
        around = self.around(call)
        return Case(kind, (*(around.title if around else ()), self._title(call)), call)

    def _definitions(self) -> list[tuple[tree_sitter.Node, Ref]]:
        """In source order, so that an outer callback is known before what is inside."""
        found: list[tuple[tree_sitter.Node, Ref]] = []
        for call in self.calls:
            ref = self.roots.ref(call.child_by_field_name("function"))
            if ref is None or not (ref.defines or ref.kind == "hook"):
                continue
            for function in functions(self.names, call):
                self.roots.callbacks[function.id] = ref
            if ref.defines:
                found.append((call, ref))
                shaped = has_shape(self.names, call) or self._is_handed_on(call, ref)
                if not ref.local or (shaped and not _is_own_prefix(call, ref)):
                    self._evidence.add(ref.local)
        return found

    def _define(self, found: list[tuple[tree_sitter.Node, Ref]]) -> None:
        for call, ref in found:
            if self.counts(ref) and self._defines_case(call, ref):
                case = self.case_of(call, "suite" if ref.kind == "suite" else "test")
                self.defined[call.id] = (case, ref)
                for function in functions(self.names, call):
                    self._owners[function.id] = case

    def _defines_case(self, call: tree_sitter.Node, ref: Ref) -> bool:
        """`test.skip(condition, "why")`, as Playwright has it, defines no test."""
        if not ref.matters:
            return True
        title = unwrapped(first(call))
        if title is None:
            return False
        shaped = title.type in (*TEXTS, "object") or any(node.id != title.id for node in functions(self.names, call))
        return shaped or self._is_handed_on(call, ref)

    def _is_handed_on(self, call: tree_sitter.Node, ref: Ref) -> bool:
        """A function that focuses whatever test it is handed, and whose name does not say so; nor does it choose."""
        given = [unwrapped(each) for each in arguments(call)]
        names = [self.source.text(each) for each in given if each is not None and each.type == "identifier"]
        if (
            ref.local.startswith("./")
            or len(given) < FEWEST
            or not names
            or not any(each.name in FOCUS for each in ref.modifiers)
        ):
            return False  # what is imported by such a name may be anything: `fit(text, width)`
        for above in self.names.above(call):
            if above.type in CHOICES:
                return False
            if above.type in FUNCTIONS:
                named = above.child_by_field_name("name") or self.names.parent(above)
                head = self.source.text(named).partition("=>")[0][:LONGEST] if named is not None else ""
                taken = above.child_by_field_name("parameters")
                handed = set(WORD.findall(self.source.text(taken))) if taken is not None else set()
                return names[-1] in handed and NAMED_SO.search(head.partition("(")[0]) is None
        return False

    def _title(self, call: tree_sitter.Node) -> str:
        title = unwrapped(first(call))
        if title is None:
            return ""
        if (literal := self.constants.object_of(title)) is not None:
            title = next((value for name, value, _ in self.constants.options(literal) if name == "name"), title)
        value = self.constants.value(title)
        return value if isinstance(value, str) else " ".join(self.source.text(title).split())[:100]


def _is_own_prefix(call: tree_sitter.Node, ref: Ref) -> bool:
    """A function of the project that is called `fit` may do statistics."""
    function = unwrapped(call.child_by_field_name("function"))
    return ref.local.startswith("./") and ref.matters and function is not None and function.type == "identifier"
