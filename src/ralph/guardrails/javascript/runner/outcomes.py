"""Outcomes of tests that are changed by what a runner loads: environments, runners, reporters, plugins (class G08).

Rules, for tests, their support, and files whose words are those of such a piece:

- Failures taken out of what a test holds: `event.test.errors.length = 0`, `result.failures.splice(0)`,
  `delete task.result.errors`, `specResult.failedExpectations = []`, a list of failures that is filtered.
- A result that is called passed: `test.status = "passed"`, `task.result = { state: "pass" }`,
  `Object.assign(result, …)`.
- A failure that is no longer told: `runner.removeAllListeners("fail")`, an empty `onTestFailure`, `event.error = null`.
- All tests skipped or repeated by the piece itself: `test.mode = "skip"`, `global[Symbol.for("RETRY_TIMES")] = 3`.

A list that the piece keeps for itself (`this.errors`, `const failures = []`) is its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.places import is_test_code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

WORDS = (
    r"\b(?:errors|failures|failedExpectations|suppressedErrors|failure(?:Messages|Details))\b[!?]*\s*(?:=[^=]|\.\s*(?:splice|pop|shift|clear))",
    r"\b(?:error|err|failureMessage|testExecError)\s*=\s*(?:null|undefined|void)|\bdelete\b[^\n]*(?:err|fail)",
    r"\.length\s*=\s*0\b|unhandledErrors",
    r"numFail|RETRY_TIMES|removeAllListeners|onTest(?:File)?Failure|\.name\s*=\s*[\"'`]test_",
    r"\b(?:state|status|outcome|ok|passed)\b[\"'\]]*\s*[=:]\s*(?:[\"'`](?:pass|success|ok|expected)|true)",
    r"\bmode\b[\"'\]]*\s*=\s*[\"'`](?:skip|todo)|this\.global\.(?:expect|test|it|describe|assert)\s*=",
)
REWRITTEN, SKIPPED, RETRIED = "js.results-rewritten", "js.test-skip", "test.retried"
PIECE = later(
    rb"handleTestEvent|\bon(?:Test(?:Case)?(?:Start|End|Result|Finished|Failure)|RunComplete|TaskUpdate|(?:Before|After)(?:Run|Try)(?:Task|Suite|Files)|Finished)\b"
    rb"|\bextends\s+[\w.]*(?:Environment|Reporter|TestRunner|BaseRunner|Runner|Base)\b|\b(?:spec|suite|jasmine)Done\b"
    rb"|testResultsProcessor|EVENT_TEST_FAIL|\btestInfo\b|jest-circus|RETRY_TIMES"
)
FAILURES = later(
    r"errors|unhandledErrors|failures|failedExpectations|suppressedErrors|failureMessages|failureDetails|numFail\w+"
)
ONE = later(r"error|err|failureMessage|testExecError")
TAKEN_OUT = frozenset({"splice", "pop", "shift", "clear"})
CALLED = frozenset({"status", "state", "outcome", "ok", "passed"})
PASSED = frozenset({"pass", "passed", "success", "succeeded", "ok", "expected"})
HOLDER = later(
    r"(?:.*\.)?(?:event|state|test|currentTest|task|spec|testCase|testInfo|\w*[rR]esults?|runnable|_runnable|tests\[.*\])"
    r"(?:\.result|\.meta|\.test|\.task)*"
)
"""What holds the outcome of a test, as such pieces call it."""
FAIL_EVENTS = frozenset({"fail", "test-file-failure", "EVENT_TEST_FAIL"})
GLOBALS = frozenset({"expect", "test", "it", "describe", "assert"})


def outcomes(source: Source) -> Iterator[Hit]:
    if is_test_code(source.path) or PIECE.search(source.data):
        yield from _Outcomes(code(source)).hits()


class _Outcomes:
    def __init__(self, code: Code) -> None:
        self._code = code
        self._is_piece = PIECE.search(code.source.data) is not None

    def hits(self) -> Iterator[Hit]:
        for node in self._code.names.of_types("assignment_expression"):
            yield from self._assigned(node)
        for node in self._code.calls:
            yield from self._called(node)
        for node in self._code.names.of_types("unary_expression"):
            argument = node.child_by_field_name("argument")
            if node.children[0].type == "delete" and argument is not None:
                holder, name = self._parts(argument)
                if (FAILURES.fullmatch(name) or ONE.fullmatch(name)) and self._holds(holder):
                    yield self._hit(REWRITTEN, node)
        if self._is_piece:
            yield from self._silent_methods()

    def _assigned(self, node: tree_sitter.Node) -> Iterator[Hit]:
        left, right = unwrapped(node.child_by_field_name("left")), unwrapped(node.child_by_field_name("right"))
        if left is None or right is None or left.type not in ACCESSES:
            return
        holder, name = self._parts(left)
        value = self._code.constants.value(right)
        if name == "length" and value == 0 and self._is_failures(holder):
            yield self._hit(REWRITTEN, node)
        elif not self._is_piece:
            return
        elif "RETRY_TIMES" in self._code.text(left) and isinstance(value, float) and value > 1:
            yield self._hit(RETRIED, node)
        elif self._changes(holder, name, right) and self._holds(holder):
            yield self._hit(REWRITTEN, node)
        elif name == "mode" and value in ("skip", "todo") and self._holds(holder):
            yield self._hit(SKIPPED, node)
        elif name in GLOBALS and self._code.text(holder) == "this.global":
            yield self._hit("js.test-function-replaced", node)

    def _changes(self, holder: tree_sitter.Node | None, name: str, value: tree_sitter.Node) -> bool:
        """Whether the outcome of a test is another one with this value under this name."""
        known = self._code.constants.value(value)
        if FAILURES.fullmatch(name):
            return self._is_less(value) or known == 0.0
        if ONE.fullmatch(name):
            return known is None
        if name == "name":
            return isinstance(known, str) and known.startswith("test_") and self._code.text(holder).endswith("event")
        if name == "result":
            return self._says_passed(value)
        return name in CALLED and (known is True or known in PASSED)

    def _is_less(self, value: tree_sitter.Node) -> bool:
        """An empty list, nothing, or a part of the list."""
        text = self._code.text(value)
        empty = self._code.constants.is_empty_list(value) or text in ("null", "undefined", "new Set()", "new Map()")
        return empty or (value.type == "call_expression" and (".filter(" in text or ".slice(" in text))

    def _says_passed(self, value: tree_sitter.Node) -> bool:
        literal = self._code.constants.object_of(value)
        options = self._code.constants.options(literal) if literal is not None else ()
        return any(name in CALLED and self._code.constants.value(given) in PASSED for name, given, _ in options)

    def _called(self, call: tree_sitter.Node) -> Iterator[Hit]:
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type not in ACCESSES:
            return
        holder, name = self._parts(function)
        given = arguments(call)
        if name in TAKEN_OUT and self._is_failures(holder) and (name != "splice" or len(given) < 3):
            yield self._hit(REWRITTEN, call)
        elif name == "assign" and len(given) > 1 and self._is_piece and self._holds(unwrapped(given[0])):
            if any(map(self._says_passed, given[1:])):
                yield self._hit(REWRITTEN, call)
        elif name == "removeAllListeners" and self._is_piece:
            about = [self._code.text(each).strip("\"'`").rpartition(".")[2] for each in given]
            if not about or about[0] in FAIL_EVENTS:
                yield self._hit(REWRITTEN, call)

    def _silent_methods(self) -> Iterator[Hit]:
        """A runner that does nothing where a test failed."""
        for node in self._code.names.of_types("method_definition", "public_field_definition"):
            name = self._code.text(node.child_by_field_name("name") or node.child_by_field_name("property"))
            value = node if node.type == "method_definition" else unwrapped(node.child_by_field_name("value"))
            body = value.child_by_field_name("body") if value is not None else None
            if name in ("onTestFailure", "onTestFileFailure") and body is not None and _does_nothing(body):
                yield self._hit(REWRITTEN, node)

    def _parts(self, access: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str]:
        plain = unwrapped(access)
        if plain is None or plain.type not in ACCESSES:
            return None, ""
        return unwrapped(plain.child_by_field_name("object")), self._code.constants.member(plain) or ""

    def _is_failures(self, node: tree_sitter.Node | None) -> bool:
        """`event.test.errors`, or a name that was taken from there."""
        if node is None:
            return False
        if node.type == "identifier":
            binding = self._code.names.binding(node)
            if binding is None or binding.kind != "value" or binding.value is None:
                return False
            if not binding.path:
                return unwrapped(binding.value) is not node and self._is_failures(unwrapped(binding.value))
            last = binding.path[-1]
            return isinstance(last, str) and bool(FAILURES.fullmatch(last)) and self._holds(unwrapped(binding.value))
        holder, name = self._parts(node)
        return FAILURES.fullmatch(name) is not None and self._holds(holder)

    def _holds(self, node: tree_sitter.Node | None) -> bool:
        """It holds the outcome of a test: by its name, or by that of what it was taken from."""
        if node is None or self._code.text(node).startswith("this."):
            return node is not None and ".currentTest" in self._code.text(node)
        if HOLDER.fullmatch(self._code.text(node).replace("?.", ".")):
            return (self._is_piece or "test" in self._code.text(node)) and not self._is_own(node)
        binding = self._code.names.binding(node) if node.type == "identifier" else None
        if binding is None or binding.kind != "value" or binding.value is None or not self._is_piece:
            return False
        last = binding.path[-1] if binding.path else ""
        value = unwrapped(binding.value)
        if isinstance(last, str) and last:
            return HOLDER.fullmatch(last) is not None
        return (
            value is not None and value.type in (*ACCESSES, "identifier") and value is not node and self._holds(value)
        )

    def _is_own(self, node: tree_sitter.Node) -> bool:
        """Something that the file made itself: `const result = { errors: [] }`."""
        first: tree_sitter.Node | None = node
        while first is not None and first.type in ACCESSES:
            first = unwrapped(first.child_by_field_name("object"))
        binding = self._code.names.binding(first) if first is not None and first.type == "identifier" else None
        value = unwrapped(binding.value) if binding is not None and not binding.path else None
        return value is not None and value.type in ("object", "array", "new_expression")

    def _hit(self, rule: str, node: tree_sitter.Node) -> Hit:
        text = cut(self._code.text(node), 100)
        return self._code.source.hit(rule, node, f"{text} replaced", detail=text)


def _does_nothing(body: tree_sitter.Node) -> bool:
    return body.type == "statement_block" and all("comment" in each.type for each in body.named_children)
