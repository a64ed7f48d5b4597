"""Cypress told to let failing tests pass (policy set v2, class G08).

Rules:

- Where something listens to `fail`, a test only fails if the listener throws. One that never does (`() => false`, a
  function that only logs) blocks. One that looks at the error with an assertion, as tests of failures do, is none.
- A listener to `uncaught:exception` that gives `false` for every error blocks: errors of the product no longer fail
  its tests. One that looks at its arguments or gives it under a condition, for certain errors, is how it is meant; so
  is what stands inside of a test, or came with it.
- `should` overwritten without asking the one that it replaces blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\b(?:cy|Cypress)\s*\.\s*(?:on|once|\w+Listener)\s*\(", r"\bCypress\s*\.\s*Commands\s*\.\s*overwrite\b")
UNCAUGHT = "uncaught:exception"

_LISTENS = frozenset({"on", "once", "prependListener", "addListener", "prependOnceListener"})
_OVERWRITES = ("Cypress", "Commands", "overwrite")
_ASSERTS = frozenset({"expect", "assert", "chai"})
_CHECKS = frozenset({"should", "and"})
_FAILS = later(r"(?i)fail|throw|reject|abort")
_CONDITIONS = frozenset({"if_statement", "ternary_expression", "switch_statement"})


def cypress(source: Source) -> Iterator[Hit]:
    yield from _Cypress(code(source)).hits()


class _Cypress:
    def __init__(self, code: Code) -> None:
        self._code = code

    def hits(self) -> Iterator[Hit]:
        for call in self._code.calls:
            path, given = self._code.origins.of(call.child_by_field_name("function")), arguments(call)
            if path is None or path[0] not in ("cy", "Cypress") or len(given) < 2:
                continue
            name, function = self._code.constants.value(given[0]), self._function(given[1])
            if path[-1] in _LISTENS and len(path) == 2:
                if name == "fail" and self._lets_pass(given[1], function):
                    yield self._code.source.hit("js.results-rewritten", call, "fail of Cypress goes nowhere")
                elif name == UNCAUGHT and self._swallows(call, function):
                    yield self._code.source.hit("js.results-rewritten", call, f"{UNCAUGHT} of Cypress goes nowhere")
            elif path == _OVERWRITES and name in _CHECKS and function is not None and not self._asks_first(function):
                yield self._code.source.hit("js.assertion-patched", call, f"{name} of Cypress replaced")

    def _function(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        found = unwrapped(node)
        binding = self._code.names.binding(found) if found is not None and found.type == "identifier" else None
        if binding is not None and binding.kind in ("value", "definition") and not binding.assigned:
            found = unwrapped(binding.value)
        return found if found is not None and found.type in FUNCTIONS else None

    def _lets_pass(self, given: tree_sitter.Node, function: tree_sitter.Node | None) -> bool:
        if function is None:
            return self._code.text(given).endswith("noop")
        parts = list(self._code.source.walk(function))
        if any(part.type == "throw_statement" for part in parts):
            return False
        return not any(self._may_fail(part) for part in parts if part.type == "call_expression")

    def _may_fail(self, call: tree_sitter.Node) -> bool:
        """An assertion, `done(error)`, or something whose name says that it throws."""
        function = unwrapped(call.child_by_field_name("function"))
        path = self._code.origins.of(function)
        if path is not None:
            return path[0] in _ASSERTS or _FAILS.search(path[-1]) is not None
        own = self._function(function) if function is not None else None
        if own is not None:
            return any(part.type == "throw_statement" for part in self._code.source.walk(own))
        given = (
            function is not None and function.type == "identifier" and self._code.names.binding(function) is not None
        )
        return given or _FAILS.search(self._code.text(function)) is not None

    def _swallows(self, call: tree_sitter.Node, function: tree_sitter.Node | None) -> bool:
        """It gives `false` whatever came, for more than one test."""
        if function is None or self._code.cases.inside_test(call):
            return False
        parts = list(self._code.source.walk(function))
        if any(part.type in _CONDITIONS or self._decides(part) for part in parts):
            return False
        body = function.child_by_field_name("body")
        answers = [part.named_children[0] for part in parts if part.type == "return_statement" and part.named_children]
        if body is not None and body.type != "statement_block":
            answers = [body]
        return bool(answers) and all(self._code.constants.value(answer) is False for answer in answers)

    def _decides(self, node: tree_sitter.Node) -> bool:
        operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
        return operator is not None and operator.type in ("&&", "||", "??")

    def _asks_first(self, function: tree_sitter.Node) -> bool:
        """The function that it is given first is used."""
        listed = function.child_by_field_name("parameters")
        first = (
            next(iter(listed.named_children), None) if listed is not None else function.child_by_field_name("parameter")
        )
        if first is None:
            return False
        name = self._code.text(first.child_by_field_name("pattern") or first)
        body = function.child_by_field_name("body")
        words = (part for part in self._code.source.walk(body) if part.type == "identifier") if body is not None else ()
        return name.startswith("...") or any(self._code.text(word) == name for word in words)
