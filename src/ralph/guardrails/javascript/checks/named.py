"""Functions of `assert`, and of a test's context, that a call names (test inventory, class G05)."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.javascript.checks.asserts import FAILS, PASSES
from ralph.guardrails.javascript.checks.asserts import FUNCTIONS as ASSERTS
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.types import FUNCTIONS as TYPES
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

_CONTEXTS = later(r"(?:t|tt|st|assert|test|is|qunit|assertions?|ctx)", re.IGNORECASE)
_TAKEN = frozenset({("expect",), ("expectTypeOf",), *TYPES})
_FAILS = frozenset({("fail",), ("assert", "fail"), ("expect", "fail"), ("expect", "unreachable")})


def known(path: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """`expect` from a file of the project is the framework's, or does more: `import { expect } from "./fixtures"`."""
    return path if path is None or path[1:2] not in _TAKEN else path[1:]


class Named:
    def __init__(self, code: Code) -> None:
        self._code = code

    def of(self, function: tree_sitter.Node | None, path: tuple[str, ...] | None) -> str | None:
        """The name of the assertion function that is called."""
        if path is not None and path[0] == "assert":
            return path[-1]
        if path is not None and path[:2] in (("sinon", "assert"), ("chai", "assert")):
            return path[-1]
        if path is not None and len(path) == 1 and path[0] in ASSERTS and path[0].startswith("assert"):
            return path[0]
        if function is None or function.type not in ACCESSES:
            return None
        name = self._code.constants.member(function)
        if name is None or (name not in ASSERTS and name not in FAILS and name not in PASSES):
            return None
        receiver = unwrapped(function.child_by_field_name("object"))
        if receiver is None:
            return None
        ref = self._code.cases.roots.ref(receiver)
        is_context = (ref is not None and ref.kind == "context") or self._is_context_name(receiver)
        return name if is_context else None

    def fails(self, call: tree_sitter.Node) -> bool:
        """It is a failed assertion wherever it is reached."""
        function = unwrapped(call.child_by_field_name("function"))
        path = self._code.origins.of(function)
        if path in _FAILS:
            return True
        name = self._code.constants.member(function) if function is not None and function.type in ACCESSES else None
        return name == "fail" and self.of(function, path) == "fail"

    def _is_context_name(self, receiver: tree_sitter.Node) -> bool:
        """`t`, `assert` and the like as a parameter of any function, `t.assert`."""
        if receiver.type in ACCESSES:
            return self._code.constants.member(receiver) == "assert"
        if receiver.type != "identifier" or not _CONTEXTS.fullmatch(self._code.names.name(receiver)):
            return False
        binding = self._code.names.binding(receiver)
        return binding is not None and binding.kind == "parameter"
