"""The assertions of a function, as written (test inventory, class G05).

`expect(…)` and its relatives, functions of `assert` and of a test's context, `should`, supertest's `.expect(200)`,
`if (wrong) throw …`, and helpers: those that the file defines and that check something, and those whose name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks import chai, properties, types
from ralph.guardrails.javascript.checks.asserts import FAILS
from ralph.guardrails.javascript.checks.chain import ACCESSES, Chain, chain_from
from ralph.guardrails.javascript.checks.lending import HELPER, Asked, Lending
from ralph.guardrails.javascript.checks.matchers import MATCHERS, THROWS, WAITED_FOR
from ralph.guardrails.javascript.checks.named import Named, known
from ralph.guardrails.javascript.checks.parameters import parameters
from ralph.guardrails.javascript.checks.putting import Shown
from ralph.guardrails.javascript.checks.reading import Reading
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.record import replace
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
_EXPECTS = frozenset({("expect",), ("expect", "soft"), ("expect", "poll"), ("should",), ("expectAsync",)})
_COUNTS = frozenset({("expect", "assertions"), ("expect", "hasAssertions"), ("expect", "expect")})
_SAY = frozenset({"should", "and"})
"""What asserts in Cypress, and hands on what it looked at."""
_EXITS = later(rb"process\.(?:exit\(\s*[1-9]\d*\s*\)|exitCode\s*=\s*[1-9])")
_EXITING = frozenset({"call_expression", "assignment_expression"})
_NAMED_FUNCTIONS = ("function_declaration", "generator_function_declaration")


class Found(NamedTuple):
    node: tree_sitter.Node
    """What has to be reached, and waited for where `waits`."""
    said: Said
    waits: bool = False
    helper: tree_sitter.Node | None = None
    """The function of the file that does the checking."""
    asked: Asked | None = None
    """What a helper checks that is called as something else is."""


class Finding:
    def __init__(self, code: Code, lending: Lending, fields: Mapping[str, Shown]) -> None:
        self._code, self._lending, self._named = code, lending, Named(code)
        self.writing = Writing(code, fields)
        self.reading, self._types = Reading(code, self.writing), types.Types(code, self.writing)

    def inside(self, root: tree_sitter.Node) -> list[Found]:
        """All assertions of a function, in source order, those of its nested functions included.

        What a nested function with parameters asserts is asserted where it is called; so is, for a whole script, what
        any function of a name does.
        """
        found = [each for call in self._calls(root) for each in self._call(call)]
        found += (each for node in self._shoulds(root) for each in self._should(node))
        found += (each for node in self._throws(root) for each in self._thrown(node))
        called = [each.helper for each in found if each.helper is not None and _is_within(each.helper, root)]
        if root.type == "program":
            called += self._code.names.of_types(*_NAMED_FUNCTIONS, "variable_declarator", "method_definition")
        plain = (each for each in found if not any(_is_within(each.node, function) for function in called))
        return sorted(plain, key=lambda each: (each.node.start_byte, -each.node.end_byte))

    def counts_itself(self, root: tree_sitter.Node) -> bool:
        """True for a test that says how many assertions it expects (`expect.assertions(2)`, `t.plan(2)`)."""
        for call in self._calls(root):
            function = unwrapped(call.child_by_field_name("function"))
            given = arguments(call)
            none = bool(given) and self.writing.number(given[0]) == 0
            name = self._code.constants.member(function) if function is not None else None
            if not none and (known(self._code.origins.of(function)) in _COUNTS or name == "plan"):
                return True
        return False

    @cached_property
    def helpers(self) -> dict[str, tree_sitter.Node]:
        """Functions of the file that check something and are no test's callback, by name."""
        found: dict[str, tree_sitter.Node] = {}
        for node in self._code.names.of_types(*_NAMED_FUNCTIONS, "variable_declarator"):
            function: tree_sitter.Node | None = node
            if node.type == "variable_declarator":
                value = unwrapped(node.child_by_field_name("value"))
                function = value if value is not None and value.type in FUNCTIONS else None
            name = node.child_by_field_name("name")
            if function is None or name is None or self._code.cases.owns(function):
                continue
            if self.is_helper(function) and self.asserts(function):
                found[self._code.names.name(name)] = function
        return found

    def is_helper(self, function: tree_sitter.Node) -> bool:
        """It belongs to no test, and defines none."""
        return not self._code.cases.inside_test(function) and not self._defines_tests(function)

    def asserts(self, function: tree_sitter.Node) -> bool:
        """Something in it says so by itself."""
        return self._may_check(function) and any(True for call in self._calls(function) for _ in self._plain(call))

    def _defines_tests(self, function: tree_sitter.Node) -> bool:
        cases = (case.node for case in self._code.cases.all)
        return any(function.start_byte <= node.start_byte < function.end_byte for node in cases)

    def _may_check(self, function: tree_sitter.Node) -> bool:
        data = self._code.source.data[function.start_byte : function.end_byte]
        return re.search(rb"expect|assert|\bt\.|should", data) is not None

    def _calls(self, root: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
        return self._code.calls_between(root.start_byte, root.end_byte)

    def _call(self, call: tree_sitter.Node) -> Iterator[Found]:
        plain = list(self._plain(call))
        yield from plain
        if not plain:
            yield from self._helper(call)

    def _plain(self, call: tree_sitter.Node) -> Iterator[Found]:
        function = unwrapped(call.child_by_field_name("function"))
        path = known(self._code.origins.of(function))
        if path in _EXPECTS:
            chain = chain_from(self._code, call)
            if not chain.links and self._is_handed_on(call):
                return
            if types.is_about_type(chain):
                yield from (Found(call, said) for said in self._types.chain(chain))
                return
            if (asked := self._judging(call, chain)) is not None:
                yield Found(call, Said(call, chain.links[0].name, CLOSE), asked=asked)
                return
            for said in self.reading.chain(chain):
                yield Found(call, said, self._waits(chain, path))
        elif path == ("expectTypeOf",):
            yield from (Found(call, said) for said in self._types.chain(chain_from(self._code, call)))
        elif path in types.FUNCTIONS and len(arguments(call)) <= types.MOST_GIVEN:
            yield Found(call, self._types.function(call, path))
        elif (name := self._named.of(function, path)) is not None:
            if name in FAILS:
                return
            waits = name in ("rejects", "throwsAsync", "doesNotReject", "notThrowsAsync", "isRejected")
            for said in self.reading.function(name, arguments(call)):
                yield Found(call, said, waits)
        elif function is not None and function.type in ACCESSES:
            yield from self._fluent(call, function)

    def _waited_for(self, call: tree_sitter.Node) -> Iterator[Said]:
        """`vi.waitUntil(() => queue.length === 3)` fails where the condition never holds."""
        function = unwrapped(next(iter(arguments(call)), None))
        body = function.child_by_field_name("body") if function is not None and function.type in FUNCTIONS else None
        if body is not None and body.type != "statement_block":
            for said in self.reading.truth(body):
                if said.relation not in ("exists", "falsy"):  # a flag only says that something is over
                    yield replace(said, grade=min(said.grade, CLOSE))

    def _judging(self, call: tree_sitter.Node, chain: Chain) -> Asked | None:
        """`expect(bill).toBeBill(3)`: a matcher that no framework brings."""
        link, given = chain.links[0] if len(chain.links) == 1 else None, arguments(call)
        if link is None or link.arguments is None or len(given) != 1:
            return None
        name = link.name
        if name in MATCHERS or name in THROWS or name in chai.METHODS or name in chai.PROPERTIES:
            return None
        return self._lending.judging(name, given[0], link.arguments)

    def _is_handed_on(self, call: tree_sitter.Node) -> bool:
        """`const e = expect(x)`, `return expect(x)`: what becomes of it shows elsewhere."""
        parent = self._code.names.parent(call)
        return parent is not None and parent.type in ("variable_declarator", "return_statement", "arguments", "pair")

    def _waits(self, chain: Chain, path: tuple[str, ...] | None) -> bool:
        names = set(chain.names)
        return (
            bool(names & {"resolves", "rejects", "eventually"})
            or path in (("expect", "poll"), ("expectAsync",))
            or (b"playwright" in self._code.source.data and any(WAITED_FOR.fullmatch(name) for name in names))
        )

    def _fluent(self, call: tree_sitter.Node, function: tree_sitter.Node) -> Iterator[Found]:
        """Cypress' `.should("eq", x)` and supertest's `.expect(200)`."""
        name = self._code.constants.member(function)
        subject = function.child_by_field_name("object")
        given = arguments(call)
        if name in _SAY and given and self._code.constants.value(given[0]) is not None:
            for said in self.reading.should(self._first(subject), given):
                yield Found(call, said)
        elif name == "waitUntil":
            yield from (Found(call, said, True) for said in self._waited_for(call))
        elif name == "expect" and given and self._code.origins.of(function) is None:
            grade = CLOSE if unwrapped(given[0]) is not None and given[0].type in FUNCTIONS else EXACT
            yield Found(call, Said(self._first(subject), "==", grade, given[-1]))

    def _first(self, node: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """What a chain of `.expect(…)`, or of `.should("…").and("…")`, begins with."""
        plain = unwrapped(node)
        while plain is not None and plain.type == "call_expression":
            function = unwrapped(plain.child_by_field_name("function"))
            if function is None or function.type not in ACCESSES:
                break
            name, texts = self._code.constants.member(function), map(self._code.constants.value, arguments(plain)[:1])
            if name != "expect" and not (name in _SAY and any(isinstance(each, str) for each in texts)):
                break
            plain = unwrapped(function.child_by_field_name("object"))
        return plain

    def _helper(self, call: tree_sitter.Node) -> Iterator[Found]:
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type not in ("identifier", *ACCESSES):
            return
        name = self._code.constants.member(function) if function.type in ACCESSES else self._code.names.name(function)
        path = self._code.origins.of(function)
        if name is None or (path is not None and path[0] in ("expect", "console")) or properties.only_tells(call):
            return
        if function.type == "identifier" and (nested := self._nested(function)) is not None:
            yield Found(call, Said(call, name, CLOSE), helper=nested)
        elif function.type == "identifier" and name in self.helpers:
            yield Found(call, Said(call, name, CLOSE), helper=self.helpers[name])
        elif (asked := self._lending.of(call)) is not None:
            yield Found(call, Said(call, name, CLOSE), asked=asked)
        elif name in self.helpers or (HELPER.fullmatch(name) and not self._is_subject(function)):
            yield Found(call, Said(call, name, CLOSE))

    def _nested(self, name: tree_sitter.Node) -> tree_sitter.Node | None:
        """A function with parameters that a test defines for itself, and that checks something."""
        binding = self._code.names.binding(name)
        function = unwrapped(binding.value) if binding is not None and not binding.path else None
        if function is None or function.type not in FUNCTIONS or not self._code.cases.inside_test(function):
            return None
        if function.start_byte <= name.start_byte < function.end_byte or not _takes(self._code, function):
            return None
        return function if self.asserts(function) else None

    def _is_subject(self, function: tree_sitter.Node) -> bool:
        """A name like `check` that an assertion or a variable takes the result of is no helper."""
        call = self._code.names.parent(function)
        parent = self._code.names.parent(call) if call is not None else None
        while parent is not None and parent.type in ("await_expression", "parenthesized_expression"):
            parent = self._code.names.parent(parent)
        return parent is None or parent.type not in ("expression_statement", "return_statement", "arrow_function")

    def _shoulds(self, root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        if b".should" not in self._code.source.data:
            return
        for node in self._code.source.walk(root):
            if node.type in ACCESSES and self._code.constants.member(node) == "should":
                yield node

    def _should(self, node: tree_sitter.Node) -> Iterator[Found]:
        """`total(1).should.equal(2)`."""
        chain, above = chain_from(self._code, node), self._code.names.parent(node)
        if chain.links and above is not None and above.type != "call_expression":
            for said in self.reading.links(node.child_by_field_name("object"), chain.links):
                yield Found(node, said)

    def _throws(self, root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        data = self._code.source.data[root.start_byte : root.end_byte]
        exits = root.type == "program" and _EXITS.search(data) is not None
        if b"throw" not in data and b"fail" not in data and not exits:
            return
        for node in self._code.source.walk(root):
            left = exits and node.type in _EXITING and _EXITS.match(node.text or b"") is not None
            if left or node.type == "throw_statement" or (node.type == "call_expression" and self._named.fails(node)):
                yield node

    def _thrown(self, node: tree_sitter.Node) -> Iterator[Found]:
        """The `if` around, whose condition is what is checked."""
        child = node
        for parent in self._code.names.above(node):
            if parent.type == "if_statement" and child == parent.child_by_field_name("consequence"):
                for said in self.reading.condition(parent.child_by_field_name("condition")):
                    yield Found(parent, said)
                return
            if parent.type not in ("statement_block", "expression_statement"):
                return
            child = parent


def _takes(code: Code, function: tree_sitter.Node) -> bool:
    """Something that it has one name for."""
    return not all(each.key for each in parameters(code, function)[:1])


def _is_within(node: tree_sitter.Node, function: tree_sitter.Node) -> bool:
    return function.start_byte < node.start_byte and node.end_byte <= function.end_byte
