"""Tests that may fail and still pass, or take as long as they like (policy set v2, class G14).

Rules:

- Retries of more than one attempt in a test, a suite or a file block: `jest.retryTimes(3)`, `this.retries(3)`,
  `{retry: 3}`, `describe.configure({retries: 2})`. One attempt is for a person; a number that cannot be read, too.
- So do retries that a hook or a set-up file gives all tests: `suite.retries(3)`, `this.currentTest.retries(3)`,
  `task.retry = 3`, `Cypress.config("retries", 3)`.
- A time limit of a test that is switched off or raised to two minutes or more is for a person. So is a test of the base
  that Playwright gives three times as long (`test.slow()`).
- The key is the kind, the number its scope: fewer retries than before are no finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code, code, may_use_tests
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_support
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"retr(?:y|ies)", r"\btimeouts?\b|testTimeout|\bslow\b", r"\d[\d_]*000\b", r"repeats")

ONE = 1
LONG_MS = 120_000
_RETRIES = frozenset({"retries", "retry", "retryTimes", "flakyRetries"})
_TIMEOUTS = frozenset({"timeout", "setTimeout", "setDefaultTimeout"})
SLOW = "slow"
_OF_RUNNERS = later(r"(?i)(?:root_?|parent_?|current_?)*(?:suite|test|runnable|task|mocha|root)")
"""What hooks call the tests and suites that a runner hands them."""
_MOST = 60
"""Numbers above are one and the same for comparing sides."""


def retries(source: Source) -> Iterator[Hit]:
    beside = is_support(source.path) or is_test_file(source.path)
    if beside or (may_use_tests(source) and code(source).cases.are_tests):
        yield from _Retries(code(source)).hits()


class _Retries:
    def __init__(self, code: Code) -> None:
        self._code, self._writing = code, Writing(code)

    def hits(self) -> Iterator[Hit]:
        for call in self._code.calls:
            yield from self._called(call)
        for node in self._code.names.naming:
            if node.type == "assignment_expression":
                yield from self._assigned(node)
        for case in self._code.cases.all:
            for argument in arguments(case.node):
                yield from self._options(argument)
                if case.kind == "test" and self._is_long(argument):
                    yield self._code.source.hit("test.timeout-raised", argument, "timeout of a test", frozenset())

    def _called(self, call: tree_sitter.Node) -> Iterator[Hit]:
        function = unwrapped(call.child_by_field_name("function"))
        name = self._code.constants.member(function) if function is not None else None
        receiver = unwrapped(function.child_by_field_name("object")) if function is not None else None
        given = arguments(call)
        if name is None or receiver is None:
            return
        ref = self._code.cases.roots.ref(receiver)
        if name == SLOW and ref is not None and not given:
            yield from self._slow(call)
        if not given:
            return
        path = self._code.origins.of(function)
        ours = receiver.type == "this" or ref is not None or (path is not None and path[0] in ("jest", "jasmine"))
        if not ours and receiver.type == "call_expression":
            inner = unwrapped(receiver.child_by_field_name("function"))
            ours = inner is not None and self._code.cases.roots.ref(inner) is not None
        if not ours:
            if name in _RETRIES and self._is_of_runner(receiver):
                yield from self._retried(call, given[0])
            elif path == ("Cypress", "config"):
                yield from self._configured(call, given)
            return
        if name in _RETRIES:
            yield from self._retried(call, given[0])
        elif name in _TIMEOUTS and self._is_long(given[0]):
            yield self._code.source.hit("test.timeout-raised", call, "timeout", frozenset())
        elif name in ("configure", "use", "setConfig"):
            yield from self._options(given[0])

    def _configured(self, call: tree_sitter.Node, given: Sequence[tree_sitter.Node]) -> Iterator[Hit]:
        """`Cypress.config("retries", 3)`, `Cypress.config({ retries: 3 })`."""
        if len(given) > 1 and self._code.constants.value(given[0]) in _RETRIES:
            yield from self._retried(call, given[1])
        elif len(given) == 1:
            yield from self._options(given[0])

    def _assigned(self, node: tree_sitter.Node) -> Iterator[Hit]:
        """`test._retries = 3`, `context.task.retry = 3`."""
        left, right = unwrapped(node.child_by_field_name("left")), node.child_by_field_name("right")
        name = self._code.constants.member(left) if left is not None and left.type == "member_expression" else None
        receiver = unwrapped(left.child_by_field_name("object")) if left is not None else None
        if name is None or name.lstrip("_") not in _RETRIES or right is None or receiver is None:
            return
        if self._is_of_runner(receiver):
            yield from self._retried(node, right)

    def _is_of_runner(self, node: tree_sitter.Node) -> bool:
        """A test or a suite, as a hook is handed it: `suite`, `this.test.parent`, `context.task`."""
        if node.type == "identifier":
            binding = self._code.names.binding(node)
            handed = binding is not None and binding.kind == "parameter"
            return handed and _OF_RUNNERS.fullmatch(self._code.names.name(node)) is not None
        name = self._code.constants.member(node) if node.type == "member_expression" else None
        inner = unwrapped(node.child_by_field_name("object")) if name is not None else None
        if name is None or inner is None:
            return False
        of_this = inner.type == "this" or self._is_of_runner(inner)
        return of_this or (_OF_RUNNERS.fullmatch(name) is not None and inner.type == "identifier" and name != "test")

    def _slow(self, call: tree_sitter.Node) -> Iterator[Hit]:
        around = [case for case in self._code.cases.all if case.node.start_byte < call.start_byte < case.node.end_byte]
        if around and around[-1].kind == "test":
            yield self._code.source.hit("test.timeout-raised", call, f"{SLOW} {around[-1].title[-1]}", frozenset())

    def _options(self, node: tree_sitter.Node) -> Iterator[Hit]:
        literal = self._code.constants.object_of(node)
        for name, value, place in self._code.constants.options(literal) if literal is not None else ():
            if name in _RETRIES:
                yield from self._retried(place, value)
            elif name in ("timeout", "testTimeout") and self._is_long(value):
                yield self._code.source.hit("test.timeout-raised", place, "timeout", frozenset())

    def _retried(self, place: tree_sitter.Node, value: tree_sitter.Node) -> Iterator[Hit]:
        literal = self._code.constants.object_of(value)
        if literal is not None:  # Cypress: {runMode: 2, openMode: 0}
            for _, inner, _ in self._code.constants.options(literal):
                yield from self._retried(place, inner)
            return
        number = self._number(value)
        if number is None or number > 0:
            rule = "test.retried" if number is not None and number > ONE else "js.test-retried-once"
            yield self._code.source.hit(rule, place, "retries", _up_to(number))

    def _number(self, value: tree_sitter.Node) -> float | None:
        """The largest of the numbers that it may be."""
        plain = self._writing.value(value)
        if plain is not None and plain.type == "ternary_expression":
            parts = [
                self._number(part)
                for name in ("consequence", "alternative")
                if (part := plain.child_by_field_name(name))
            ]
            return None if None in parts else max(part for part in parts if part is not None)
        return self._writing.number(plain)

    def _is_long(self, value: tree_sitter.Node) -> bool:
        plain = unwrapped(value)
        if plain is None or plain.type in ("string", "arrow_function", "function_expression", "object"):
            return False
        number = self._writing.number(plain)
        return number is not None and (number == 0 or number >= LONG_MS)


def of_new_test(hit: Hit, before: bytes | None) -> bool:
    """It gives a test more time that the base did not have."""
    kind, _, title = hit.key.partition(" ")
    return hit.rule == "test.timeout-raised" and kind == SLOW and title.encode() not in (before or b"")


def _up_to(number: float | None) -> frozenset[str] | None:
    """Fewer retries lie within more."""
    return None if number is None else frozenset(str(each) for each in range(1, int(min(number, _MOST)) + 1))
