"""Whether a failed assertion is kept from the runner: empty `catch`, `.catch(() => {})`, `expect(…).toThrow()`."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.model import SWALLOWED
from ralph.guardrails.javascript.checks.chain import chain_from
from ralph.guardrails.javascript.checks.matchers import THROWS
from ralph.guardrails.javascript.checks.uncalled import LOOKS
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

EXPECTED = "its failure is what is expected"
_FAILS = later(r"fail|reject|done|next|cb|callback|raise|abort|exit|report|error")
_WRAPPERS = later(
    r"(?i)(?:attempt|swallow|suppress|ignore|silenc|quiet|no_?throw|safe(?:ly)?$|try_?catch|allsettled|^race$|^any$)"
)
_OTHERS_ONLY = later(
    r"if\s*\(\s*(?:!\s*\(?\s*\w+\s+instanceof\s+[\w.]*AssertionError|\w+\.(?:name|code)\s*!==?\s*[\"'](?:AssertionError"
    r"|ERR_ASSERTION))"
)
"""The question before what is done about other errors than failed assertions."""
_AVA = later(rb"[\"']ava[\"']")
_DISCARDS = later(r"\bdiscard\b")
_LOOKS_AT_IT = later(r"\bcommit\b|\bpassed\b|\berrors\b")
_EXPECT_FAILURE = frozenset({"throws", "rejects", "throwsAsync", "assertThrows", "assertRejects", "isRejected"})


class Swallow:
    def __init__(self, code: Code) -> None:
        self._code = code

    def passes_on(self, handler: tree_sitter.Node) -> bool:
        """True for a `catch` clause that throws again or tells somebody that the test failed: of a failed assertion,
        not only of what is none."""
        if _OTHERS_ONLY.search(self._code.text(handler)):
            return False
        return self.fails(handler.child_by_field_name("body"))

    def fails(self, block: tree_sitter.Node | None) -> bool:
        """Something in the block fails the test: a `throw`, `fail()`, `done(error)`."""
        if block is None:
            return False
        for node in self._code.source.walk(block):
            if node.type == "throw_statement":
                return True
            if node.type == "call_expression":
                function = unwrapped(node.child_by_field_name("function"))
                name = self._code.constants.member(function) if function is not None else None
                if function is not None and function.type == "identifier":
                    name = self._code.names.name(function)
                told = name in ("done", "next", "cb", "callback", "resolve") and not arguments(node)
                if name and _FAILS.fullmatch(name) and not told and self._not_console(function):
                    return True
        return False

    def _not_console(self, function: tree_sitter.Node | None) -> bool:
        return function is not None and not self._code.source.text(function).startswith(("console", "log"))

    def returns(self, block: tree_sitter.Node) -> bool:
        """`finally { return; }` throws the failure away."""
        return any(
            node.type in ("return_statement", "break_statement", "continue_statement")
            for node in self._code.source.walk(block)
        )

    def chain(self, child: tree_sitter.Node, parent: tree_sitter.Node) -> str:
        """Why a promise that fails at `child` does not fail outside of `parent`; empty if it does."""
        if parent.type == "member_expression":
            call = self._code.names.parent(parent)
            name = self._code.constants.member(parent)
            if call is None or call.type != "call_expression" or parent.child_by_field_name("object") != child:
                return ""
            given = arguments(call)
            handler = given[0] if name == "catch" and given else given[1] if name == "then" and len(given) > 1 else None
            return SWALLOWED if handler is not None and self._drops(handler) else ""
        return ""

    def _drops(self, handler: tree_sitter.Node) -> bool:
        function = unwrapped(handler)
        if function is None or function.type not in FUNCTIONS:
            return bool(re.fullmatch(r"\w*noop|undefined|null|console\.\w+|identity", self._code.text(function)))
        body = function.child_by_field_name("body")
        if body is not None and body.type != "statement_block":
            call = body.type == "call_expression"
            name = self._code.source.text(body).split("(")[0].split(".")[-1] if call else ""
            return not (call and bool(_FAILS.fullmatch(name)) and self._not_console(body))
        return not self.fails(body) and not self._asserts(body)

    def _asserts(self, block: tree_sitter.Node | None) -> bool:
        return (
            block is not None
            and re.search(rb"\b(?:expect|assert)\b", self._code.source.data[block.start_byte : block.end_byte])
            is not None
        )

    def expected(self, call: tree_sitter.Node, given: tree_sitter.Node) -> str:
        """`expect(() => expect(x).toBe(1)).toThrow()` and `assert.throws(…)` are glad of a failure of what they call
        first; the function that is `given` behind it looks at the error, and fails for itself."""
        path = self._code.origins.of(call.child_by_field_name("function"))
        if path is not None and path[0] == "expect":
            names = chain_from(self._code, call).names
            if path == ("expect",) and given.type in FUNCTIONS and all(LOOKS.fullmatch(name) for name in names):
                return "nobody calls it"
            glad = bool(THROWS.intersection(names)) or "rejects" in names or "rejected" in names
            return EXPECTED if glad and "not" not in names else ""
        if path is None or path[-1] not in _EXPECT_FAILURE or path[0] not in ("assert", "t"):
            return ""
        looks = given in arguments(call)[1:2]
        return "" if looks else EXPECTED

    def wrapper(self, call: tree_sitter.Node) -> str:
        """`Promise.allSettled([…])`, `attempt(() => …)`."""
        function = unwrapped(call.child_by_field_name("function"))
        if function is None:
            return ""
        name = self._code.constants.member(function) or self._code.text(function)
        return SWALLOWED if _WRAPPERS.match(name) or self._tries(function) or self._is_discarded(name, call) else ""

    def _is_discarded(self, name: str, call: tree_sitter.Node) -> bool:
        """AVA counts what an attempt asserts if it is committed; one that is discarded is as if it had never been."""
        if name != "try" or not _AVA.search(self._code.source.data):
            return False
        owner = next((above for above in self._code.names.above(call) if above.type in FUNCTIONS), None)
        text = self._code.source.text(owner) if owner is not None else ""
        return _DISCARDS.search(text) is not None and _LOOKS_AT_IT.search(text) is None

    def is_only_settled(self, call: tree_sitter.Node, root: tree_sitter.Node) -> bool:
        """`const all = list.map(async () => …); await Promise.allSettled(all);`, and nobody looks at them."""
        holder = self._code.names.parent(call)
        name = holder.child_by_field_name("name") if holder is not None else None
        if holder is None or holder.type != "variable_declarator" or name is None or name.type != "identifier":
            return False
        words = (node for node in self._code.source.walk(root) if node.type == "identifier")
        uses = [node for node in words if node.text == name.text and node != name]
        return bool(uses) and all(map(self._is_settled, uses))

    def _is_settled(self, use: tree_sitter.Node) -> bool:
        listed = self._code.names.parent(use)
        call = self._code.names.parent(listed) if listed is not None and listed.type == "arguments" else None
        above = self._code.names.parent(call) if call is not None and call.type == "call_expression" else None
        if call is None or above is None or not self.wrapper(call):
            return False
        if above.type == "await_expression":
            above = self._code.names.parent(above)
        return above is not None and above.type == "expression_statement"

    def _tries(self, callee: tree_sitter.Node) -> bool:
        """A function of the file that calls what it is given, and has an empty `catch` for its failure."""
        binding = self._code.names.binding(callee) if callee.type == "identifier" else None
        function = unwrapped(binding.value) if binding is not None and not binding.path else None
        if function is None or function.type not in FUNCTIONS or self.fails(function.child_by_field_name("body")):
            return False
        listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        given = {node.text for node in self._code.source.walk(listed) if node.type == "identifier"} if listed else set()
        for node in self._code.source.walk(function):
            handler = node.child_by_field_name("handler") if node.type == "try_statement" else None
            tried = node.child_by_field_name("body") if handler is not None else None
            if handler is not None and tried is not None and self._is_idle(handler.child_by_field_name("body")):
                calls = (part for part in self._code.source.walk(tried) if part.type == "call_expression")
                if any((asked := call.child_by_field_name("function")) and asked.text in given for call in calls):
                    return True
        return False

    def _is_idle(self, block: tree_sitter.Node | None) -> bool:
        """Nothing but comments and notes to the console."""
        return block is not None and all(
            "comment" in child.type or self._code.source.text(child).startswith("console.")
            for child in block.named_children
        )
