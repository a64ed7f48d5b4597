"""What a file's tests look at: the functions whose answers assertions compare (policy set v2, class G06).

`expect(total(1)).toBe(2)` looks at `total`, and so does `const got = await total(1)` before `expect(got)`. A small
function of the test file that hands on to another looks at that one. A call that is looked at as a call
(`expect(send).toHaveBeenCalled()`) is the business of doubles.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.calls import arguments
from ralph.guardrails.javascript.checks.chain import ACCESSES, chain_from
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.origins import Path

_ABOUT_CALLS = ("toHaveBeen", "toBeCalled", "called", "lastCalled", "nthCalled", "toHaveReturned", "callCount")
_SMALL = 300
"""Bytes of a function that only hands on."""


class Asserted:
    def __init__(self, code: Code) -> None:
        self._code, self._writing = code, Writing(code)
        self.callees = list(self._callees())
        self.paths = {path for callee in self.callees for path in self._paths(callee)}

    def _callees(self) -> Iterator[tree_sitter.Node]:
        """The functions called for what is compared."""
        for call in self._code.calls:
            path = self._code.origins.of(call.child_by_field_name("function"))
            if path is None or path[0] not in ("expect", "assert", "should"):
                continue
            if any(name.startswith(_ABOUT_CALLS) for name in chain_from(self._code, call).names):
                continue
            for argument in arguments(call)[:2]:
                yield from self._called_in(argument)

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
