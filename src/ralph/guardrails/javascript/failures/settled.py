"""Checks that a script of Node runs, and whose failure it only tells of (policy set v2, class G10; see `wrappers`).

Rule: a function of the script runs a check and throws where it fails. Where the promise of it is settled
(`Promise.allSettled`) or its failure caught (`.catch(…)`, `catch (error) { console.error(error) }`), something has to
fail for it there or later on: another exit status than 0, or a `throw`. What hands the outcome on is not looked into,
nor what another handler does.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.failures.failing import failing
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, WRAPPERS, unwrapped

SETTLES = ("Promise", "allSettled")
WRITES = frozenset({"console", "process"})
MOST_CALLERS = 3
"""Functions that call functions that run something."""


class Settled:
    def __init__(self, code: Code, calls: list[tree_sitter.Node]) -> None:
        """`calls` run other programs."""
        self._code = code
        self._runs = self._running(calls)
        self._fails = list(failing(code, code.names.nodes[0]))

    def places(self) -> Iterator[tree_sitter.Node]:
        for node in self._code.names.nodes:
            handled = self._settled(node) or self._caught(node)
            if handled and not self._is_heard(node):
                yield node

    def _running(self, calls: list[tree_sitter.Node]) -> dict[str, tree_sitter.Node]:
        """Functions of the script that run something, by name."""
        found: dict[str, tree_sitter.Node] = {}
        for _ in range(MOST_CALLERS):
            places = [*calls, *(node for node in self._code.calls if self._called(node) in found)]
            found = {name: function for place in places for name, function in self._named_around(place)}
        return found

    def _named_around(self, place: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        for above in self._code.names.above(place):
            if above.type in FUNCTIONS:
                parent = self._code.names.parent(above)
                name = above.child_by_field_name("name")
                if name is None and parent is not None and parent.type == "variable_declarator":
                    name = parent.child_by_field_name("name")
                if name is not None:
                    yield self._code.text(name), above

    def _called(self, call: tree_sitter.Node) -> str:
        function = unwrapped(call.child_by_field_name("function"))
        return self._code.text(function) if function is not None and function.type == "identifier" else ""

    def _mentions(self, root: tree_sitter.Node) -> bool:
        words = (node for node in self._code.source.walk(root) if node.type == "identifier")
        return any(self._code.text(word) in self._runs for word in words)

    def _settled(self, node: tree_sitter.Node) -> bool:
        if node.type != "call_expression" or self._code.origins.of(node.child_by_field_name("function")) != SETTLES:
            return False
        return self._mentions(node) and not self._is_handed_on(node)

    def _caught(self, node: tree_sitter.Node) -> bool:
        """`run("lint").catch(console.error)`, or a `try` around it."""
        if node.type == "try_statement":
            handler, body = node.child_by_field_name("handler"), node.child_by_field_name("body")
            return handler is not None and body is not None and self._drops(handler) and self._mentions(body)
        function = unwrapped(node.child_by_field_name("function")) if node.type == "call_expression" else None
        if function is None or function.type != "member_expression" or self._code.constants.member(function) != "catch":
            return False
        given, start = next(iter(arguments(node)), None), function.child_by_field_name("object")
        tells = given is not None and (given.type in FUNCTIONS or self._code.text(given).startswith("console."))
        return given is not None and start is not None and tells and self._drops(given) and self._mentions(start)

    def _drops(self, handler: tree_sitter.Node) -> bool:
        """It only tells: it keeps nothing, and hands nothing to another function."""
        if any(_holds(handler, node) for node in self._fails):
            return False
        for node in self._code.source.walk(handler):
            if node.type in ("return_statement", "assignment_expression", "augmented_assignment_expression"):
                return False
            path = self._code.origins.of(node.child_by_field_name("function")) if node.type == "call_expression" else ()
            if path is None or node.type in ("update_expression", "throw_statement"):
                return False
            if path and path[0] not in WRITES:
                return False
        return True

    def _is_handed_on(self, node: tree_sitter.Node) -> bool:
        """To whoever called, or to another function: what it does with it, nobody can tell."""
        child, above = node, self._code.names.parent(node)
        while above is not None and (above.type in WRAPPERS or self._is_then(above)):
            child, above = above, self._code.names.parent(above)
        if above is None or above.type in ("return_statement", "arrow_function", "arguments", "member_expression"):
            return True
        name = above.child_by_field_name("name") if above.type == "variable_declarator" else None
        return name is not None and child is not name and self._leaves(self._code.text(name))

    def _is_then(self, node: tree_sitter.Node) -> bool:
        """`….then((results) => …)`, whose answer goes on as its own does."""
        function = node if node.type == "member_expression" else node.child_by_field_name("function")
        if function is None or function.type != "member_expression":
            return False
        return self._code.constants.member(function) in ("then", "finally")

    def _leaves(self, name: str) -> bool:
        for node in self._code.names.of_types("identifier"):
            if self._code.text(node) != name:
                continue
            parent = self._code.names.parent(node)
            if parent is not None and parent.type in ("return_statement", "pair", "shorthand_property_identifier"):
                return True
            call = self._code.names.parent(parent) if parent is not None and parent.type == "arguments" else None
            path = self._code.origins.of(call.child_by_field_name("function")) if call is not None else ("console",)
            if path is None or path[0] not in WRITES:
                return True
        return False

    def _is_heard(self, place: tree_sitter.Node) -> bool:
        return any(self._hears(node, place) for node in self._fails)

    def _hears(self, node: tree_sitter.Node, place: tree_sitter.Node) -> bool:
        """It may fail for what happened at that place: it comes later, or is in a function that may be called later."""
        above = list(self._code.names.above(node))
        inside = [each for each in above if each.type in FUNCTIONS]
        if any(self._is_handler(each) for each in above):
            return False
        if any(function in self._runs.values() and not _holds(function, place) for function in inside):
            return node.type != "throw_statement" and b"reject" not in (node.text or b"")
        return node.start_byte >= place.end_byte or (bool(inside) and not _holds(inside[0], place))

    def _is_handler(self, node: tree_sitter.Node) -> bool:
        if node.type == "catch_clause":
            return True
        parent = self._code.names.parent(node) if node.type in FUNCTIONS else None
        call = self._code.names.parent(parent) if parent is not None and parent.type == "arguments" else None
        function = unwrapped(call.child_by_field_name("function")) if call is not None else None
        return function is not None and self._code.constants.member(function) == "catch"


def _holds(outer: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
    return outer.start_byte <= inner.start_byte < outer.end_byte
