"""What a file's tests look at: the functions whose answers assertions compare (policy set v2, class G06).

`expect(total(1)).toBe(2)` looks at `total`, and so does `const got = await total(1)` before `expect(got)`. A small
function of the test file that hands on to another looks at that one. A call that is looked at as a call
(`expect(send).toHaveBeenCalled()`) is the business of doubles.

Where an object is only handed on (`cart.add("tea").total()`, `const cart = Cart.empty()`), nobody can tell whose method
is asked: what is known is the class or function that made it, the method's name, and what is wanted of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES, chain_from
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE, Path

_ABOUT_CALLS = ("toHaveBeen", "toBeCalled", "called", "lastCalled", "nthCalled", "toHaveReturned", "callCount")
_SMALL = 300
"""Bytes of a function that only hands on."""
_MEANT = {"toBeTruthy": "true", "ok": "true", "true": "true", "toBeFalsy": "false", "false": "false", "null": "null"}
_MOST_STEPS = 12
"""Calls and variables between an object and its module."""


class Asserted:
    def __init__(self, code: Code) -> None:
        self._code, self._writing = code, Writing(code)
        self._compared = list(self._callees())
        self.callees = [callee for callee, _ in self._compared]
        self.paths = {path for callee in self.callees for path in self._paths(callee)}

    @cached_property
    def handed_on(self) -> dict[tuple[Path, str], set[str]]:
        """What is wanted of a method of an object that is only handed on, by its maker and name."""
        found: dict[tuple[Path, str], set[str]] = {}
        for callee, assertion in self._compared:
            name = self._code.constants.member(callee) if callee.type in ACCESSES else None
            if name is not None and self._code.origins.of(callee) is None:
                maker = self.maker(callee.child_by_field_name("object"))
                if maker is not None:
                    found.setdefault((maker, name), set()).update(self._wanted(assertion))
        return found

    def maker(self, node: tree_sitter.Node | None) -> Path | None:
        """The class or function of the project that makes an object, however it is handed on from there."""
        for _ in range(_MOST_STEPS):
            node = unwrapped(node)
            if node is None:
                return None
            path = self._code.origins.of(node)
            if path is not None:
                return path[:2] if path[-1] == "prototype" and LOCAL_MODULE.match(path[0]) else None
            if node.type == "identifier":
                binding = self._code.names.binding(node)
                given = (
                    [] if binding is None or binding.path else [binding.value, *(each for each, _ in binding.assigned)]
                )
                values = [value for value in given if value is not None]
                node = values[0] if len(values) == 1 else None
            elif node.type == "call_expression":
                function = unwrapped(node.child_by_field_name("function"))
                called = self._code.origins.of(function)
                if called == ("Object", "assign"):
                    node = next(iter(arguments(node)), None)
                elif called is not None and LOCAL_MODULE.match(called[0]):
                    return called[:2]
                else:
                    node = function.child_by_field_name("object") if function is not None else None
            else:
                return None
        return None

    def _wanted(self, assertion: tree_sitter.Node) -> Iterator[str]:
        """All that an assertion is given, or asks for by name, but for the calls that it looks at."""
        for argument in arguments(assertion)[:2]:
            if not any(True for _ in self._called_in(argument)):
                yield self._code.text(argument)
        for link in chain_from(self._code, assertion).links:
            yield from map(self._code.text, link.arguments or ())
            if link.name in _MEANT:
                yield _MEANT[link.name]

    def answer(self, node: tree_sitter.Node) -> str:
        """What is given, or what the variable holds that is given."""
        return self._code.text(self._writing.value(node) or node)

    def _callees(self) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
        """The functions called for what is compared, and the assertions."""
        for call in self._code.calls:
            path = self._code.origins.of(call.child_by_field_name("function"))
            if path is None or path[0] not in ("expect", "assert", "should"):
                continue
            if any(name.startswith(_ABOUT_CALLS) for name in chain_from(self._code, call).names):
                continue
            for argument in arguments(call)[:2]:
                yield from ((callee, call) for callee in self._called_in(argument))

    def _called_in(self, node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        value = self._writing.value(node)
        if value is not None and value.type == "arrow_function":
            value = unwrapped(value.child_by_field_name("body"))
        while value is not None and value.type in (*ACCESSES, "call_expression"):
            if value.type == "call_expression":
                callee = unwrapped(value.child_by_field_name("function"))
                if callee is not None:
                    yield callee
                value = callee.child_by_field_name("object") if callee is not None else None
            else:
                value = value.child_by_field_name("object")
            value = self._writing.value(value) if value is not None else None

    def _paths(self, callee: tree_sitter.Node, depth: int = 0) -> Iterator[Path]:
        path = self._code.origins.of(callee)
        if path is not None:
            yield path
        binding = self._code.names.binding(callee) if callee.type == "identifier" and depth < 3 else None
        function = unwrapped(binding.value) if binding is not None and binding.value is not None else None
        if function is None or function.type not in FUNCTIONS or function.end_byte - function.start_byte > _SMALL:
            return
        for call in self._code.calls:
            if function.start_byte <= call.start_byte and call.end_byte <= function.end_byte:
                inner = unwrapped(call.child_by_field_name("function"))
                if inner is not None:
                    yield from self._paths(inner, depth + 1)
