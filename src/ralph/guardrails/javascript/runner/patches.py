"""Assertions, test functions and the clock replaced by something milder (policy set v2, class G08).

Rules:

- A matcher of the framework's own name given to `expect.extend`, or a matcher or equality tester that always passes,
  blocks. So does an assignment to a function of `assert`, `expect` or chai, however it is made (`=`, `defineProperty`,
  `assign`, a spy or stub with an answer of its own, chai's `overwriteMethod`).
- A test function (`it`, `describe`, `expect`, ...) replaced by a function of one's own blocks; by another framework's
  it is how frameworks are mixed. What was taken from there before is put back.
- `Object.is`, methods of all lists, texts or promises (`prototypes`), `asymmetricMatch` that is always true, and in
  product code the clock: what equality and time limits rest on. Tests may set the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.matchers import BUILT_IN
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.collected.frameworks import MODULES, OFF
from ralph.guardrails.javascript.places import is_product, is_test_code
from ralph.guardrails.javascript.runner.computed import WORDS as COMPUTED_WORDS
from ralph.guardrails.javascript.runner.computed import computed
from ralph.guardrails.javascript.runner.own_reports import is_own
from ralph.guardrails.javascript.runner.prototypes import WORDS as PROTOTYPE_WORDS
from ralph.guardrails.javascript.runner.prototypes import is_replaced
from ralph.guardrails.javascript.runner.testers import is_lenient
from ralph.guardrails.javascript.runner.told import tells_the_caught
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.destructuring import key_of
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import Path
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut
from ralph.syntax import walk
from ralph.system.patterns import later

WORDS = (
    *COMPUTED_WORDS,
    *PROTOTYPE_WORDS,
    r"\bexpect\b\s*(?:/\*.*\*/\s*)?(?:\??\.|\[)\s*[\"'`]?(?:extend|prototype|addEqualityTesters|addSnapshotSerializer)",
    r"\baddEqualityTesters?\b|\baddSnapshotSerializer\b|\boverwrite(?:Method|Property|ChainableMethod)\b",
    r"\b(?:assert|expect|chai|should)\b[^\n;]{0,200}[^=!<>]=(?:[^=>]|$)",
    r"\b(?:defineProperty|defineProperties|assign|stub|replace|spyOn|fake|method|set)\s*\(\s*(?:assert|expect|chai|Object|global|Date|performance)",
    r"\b(?:globalThis|global|window|self)\b[^\n;]*(?:\bx?(?:it|test|describe|specify|suite|expect|assert)\b|\[)[^\n]*=",
    r"asymmetricMatch|numFailed|numRuntimeError|currentTest|\bonEnd\b",
    r"\b(?:results?|stats|runner|task|testResults?|test)\s*\.\s*(?:failures|failed|state|status|success|err|errors|result)\s*=",
    r"_updateSnapshot|\bRunner\b.*\bprototype\b|\bSuite\b.*\bprototype\b",
    r"\bObject\s*\.\s*is\s*=|\b(?:Date|performance|process)\s*\.\s*(?:now|hrtime)\s*=|\bglobal(?:This)?\s*\.\s*Date\s*=",
    r"^\s*(?:it|test|describe|specify|suite|expect|assert|Date)\s*=[^=>]",
)

_TEST_FUNCTIONS = frozenset({"it", "test", "describe", "specify", "suite", "context", "expect", "assert"})
_ASSERTING = frozenset({"assert", "expect", "should"})
_ANSWERS = later(
    r"mock(?:Implementation|ReturnValue|ResolvedValue)(?:Once)?|returns|resolves|callsFake|value|get|returnsArg"
)
_WRITING = ("assignment_expression", "call_expression", "pair", "method_definition", "public_field_definition")
_SETTERS = frozenset({("Object", "defineProperty"), ("Reflect", "defineProperty"), ("Reflect", "set")})
_MERGERS = frozenset({("Object", "assign"), ("Object", "defineProperties")})
_STUBS = frozenset({("sinon", "stub"), ("sinon", "replace"), ("jest", "spyOn"), ("spyOn",), ("mock", "method")})
_CLOCK = frozenset({("Date", "now"), ("performance", "now"), ("process", "hrtime"), ("Date",)})
_RESULTS = later(r"num(?:Failed|RuntimeError)\w+|failures|failed|state|status|success|err|error|errors|exitCode")
_ALWAYS_RESULTS = later(r"num(?:Failed|RuntimeError)\w+")
_RECEIVERS = later(
    r"(?:^|\.)(?:currentTest|testResults?|results?|aggregatedResults?|runner|stats|_runnable|task|event\.test|test)"
    r"(?:\.(?:result|stats))?$"
)
"""What holds the results of tests."""
_JUDGES = later(rb"Failed|handleTestEvent|\bon(?:Test(?:Case)?(?:End|Result|Finished)|RunComplete|Finished)\b")
"""Words of files that look at results."""
_KNOWN = frozenset({"expect", "assert", "chai", "framework", "jest", "sinon"}) | _TEST_FUNCTIONS


def patches(source: Source) -> Iterator[Hit]:
    found = code(source)
    yield from _Patches(found).hits()
    for node in computed(found):
        yield source.hit("js.test-function-replaced", node, f"{cut(found.text(node), 60)} replaced")


class _Patches:
    def __init__(self, code: Code) -> None:
        self._code, self._origins = code, code.origins

    def hits(self) -> Iterator[Hit]:
        for node in self._code.names.of_types(*_WRITING):
            if node.type == "assignment_expression":
                yield from self._assigned(node)
            elif node.type == "call_expression":
                yield from self._called(node)
            else:
                yield from self._asymmetric(node)

    def _assigned(self, node: tree_sitter.Node) -> Iterator[Hit]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        path = self._target(left)
        if self._looks_at_results:
            yield from self._rewritten(node, left)
        yield from self._snapshots(node, left)
        if path is not None:
            yield from self._replaced(node, path, right)

    @cached_property
    def _looks_at_results(self) -> bool:
        source = self._code.source
        return is_test_code(source.path) or self._code.cases.are_tests or _JUDGES.search(source.data) is not None

    def _snapshots(self, node: tree_sitter.Node, left: tree_sitter.Node | None) -> Iterator[Hit]:
        """Jest's own switch that decides whether snapshots are compared or written."""
        name = self._code.constants.member(left) if left is not None and left.type in ACCESSES else None
        if name == "_updateSnapshot":
            yield self._hit("js.assertion-patched", node, ("snapshots", name))

    def _target(self, left: tree_sitter.Node | None) -> Path | None:
        """What is assigned to; a bare name only where nothing declares it."""
        if left is not None and left.type == "identifier":
            binding = self._code.names.binding(left)
            undeclared = binding is None or (binding.kind == "value" and binding.value is None and not binding.path)
            return (self._code.names.name(left),) if undeclared and not self._is_declared(left) else None
        return self._origins.of(left)

    def _is_declared(self, name: tree_sitter.Node) -> bool:
        return self._code.names.name(name) in self._declared

    @cached_property
    def _declared(self) -> frozenset[str]:
        declarators = self._code.names.of_types("variable_declarator")
        return frozenset(self._code.text(node.child_by_field_name("name")) for node in declarators)

    def _rewritten(self, node: tree_sitter.Node, left: tree_sitter.Node | None) -> Iterator[Hit]:
        """`results.numFailedTests = 0`, `this.currentTest.state = "passed"`."""
        name = self._code.constants.member(left) if left is not None and left.type in ACCESSES else None
        whole = name == "result" and "state" in self._code.text(node.child_by_field_name("right"))
        if left is None or name is None or not (whole or _RESULTS.fullmatch(name)):
            return
        if tells_the_caught(self._code, name, node.child_by_field_name("right")) or is_own(self._code, left, name):
            return
        receiver = self._code.text(left.child_by_field_name("object"))
        if _ALWAYS_RESULTS.fullmatch(name) or _RECEIVERS.search(receiver):
            yield self._hit("js.results-rewritten", node, (receiver, name))

    def _replaced(self, node: tree_sitter.Node, path: Path, value: tree_sitter.Node | None) -> Iterator[Hit]:
        origin = self._origins.of(value)
        if origin == path:
            return  # it is put back
        if len(path) == 1 and path[0] in _TEST_FUNCTIONS:
            mixed = origin is not None and (origin[0] in _KNOWN or MODULES.fullmatch(origin[0]))
            if not mixed or (origin is not None and origin[-1] in OFF and len(origin) > 1):
                yield self._hit("js.test-function-replaced", node, path)
        elif (
            path[0] in _ASSERTING
            or path[:2] == ("Assertion", "prototype")
            or path[:2] in (("chai", "expect"), ("chai", "assert"), ("chai", "Assertion"))
        ):
            if path[-1] not in ("config", "showDiff", "truncateThreshold", "includeStack", "only", "skip"):
                yield self._hit("js.assertion-patched", node, path)
        elif path[0] == "mocha" and "prototype" in path:
            yield self._hit("js.test-function-replaced", node, path)
        elif path == ("Object", "is") or self._is_of_all(path, node, value):
            yield self._hit("js.assertion-patched", node, path)
        elif path in _CLOCK and is_product(self._code.source.path):
            yield self._hit("js.clock-patched", node, path)

    def _is_of_all(self, path: Path, node: tree_sitter.Node, value: tree_sitter.Node | None) -> bool:
        """A method of all lists, texts or promises; in product code only what all objects have."""
        own = path[0] != "Object" and is_product(self._code.source.path) and not self._code.cases.are_tests
        return not own and is_replaced(self._code, path, node, value)

    def _called(self, call: tree_sitter.Node) -> Iterator[Hit]:
        path = self._origins.of(call.child_by_field_name("function"))
        given = arguments(call)
        if path is None or not given:
            yield from self._overwritten(call, given)
        elif path == ("expect", "extend"):
            yield from self._extended(call, given[0])
        elif path[-1] in ("addEqualityTesters", "addEqualityTester", "addSnapshotSerializer"):
            parts = self._code.source.walk(given[0])
            if any(self._always(part) is not None or is_lenient(self._code, part) for part in parts):
                yield self._hit("js.assertion-patched", call, path)
        elif path in _SETTERS and len(given) > 1:
            target, name = self._origins.of(given[0]), self._code.constants.value(given[1])
            if target is not None and isinstance(name, str):
                yield from self._replaced(call, self._member(target, name), given[2] if len(given) > 2 else None)
        elif path in _MERGERS:
            yield from self._merged(call, given)
        elif path in _STUBS and len(given) > 1:
            yield from self._stubbed(call, path, given)
        else:
            yield from self._overwritten(call, given)

    def _member(self, target: Path, name: str) -> Path:
        return (name,) if target[0] in ("globalThis", "global", "window", "self", "framework") else (*target, name)

    def _merged(self, call: tree_sitter.Node, given: list[tree_sitter.Node]) -> Iterator[Hit]:
        target = self._origins.of(given[0])
        literal = self._code.constants.object_of(given[1]) if len(given) > 1 else None
        if literal is None or target is None:
            return
        for name, value, place in self._code.constants.options(literal):
            yield from self._replaced(place, self._member(target, name), value)
        for method in literal.named_children:
            if method.type == "method_definition":
                name = self._code.text(method.child_by_field_name("name"))
                yield from self._replaced(method, self._member(target, name), method)

    def _stubbed(self, call: tree_sitter.Node, path: Path, given: list[tree_sitter.Node]) -> Iterator[Hit]:
        """A spy alone calls through; with an answer of its own it replaces."""
        target, name = self._origins.of(given[0]), self._code.constants.value(given[1])
        replaced = self._member(target, name) if target is not None and isinstance(name, str) else ("",)
        if replaced[0] not in (*_ASSERTING, "chai"):
            return
        parent = self._code.names.parent(call)
        answered = len(given) > 2 or path == ("sinon", "stub")
        if parent is not None and parent.type == "member_expression":
            answered = answered or _ANSWERS.fullmatch(self._code.constants.member(parent) or "") is not None
        if answered:
            yield self._hit("js.assertion-patched", call, replaced)

    def _overwritten(self, call: tree_sitter.Node, given: list[tree_sitter.Node]) -> Iterator[Hit]:
        function = unwrapped(call.child_by_field_name("function"))
        name = self._code.constants.member(function) if function is not None else None
        if name in ("overwriteMethod", "overwriteProperty", "overwriteChainableMethod") and given:
            yield self._hit("js.assertion-patched", call, ("chai", self._code.text(given[0])))

    def _extended(self, call: tree_sitter.Node, argument: tree_sitter.Node) -> Iterator[Hit]:
        literal = self._code.constants.object_of(argument)
        for child in literal.named_children if literal is not None else ():
            name = child.child_by_field_name("key") or child.child_by_field_name("name")
            value = child if child.type == "method_definition" else child.child_by_field_name("value")
            matcher = self._code.constants.property_name(key_of(self._code.source, name)) if name is not None else None
            if matcher is not None and BUILT_IN.fullmatch(matcher):
                yield self._hit("js.assertion-patched", child, ("expect", matcher))
            elif self._passes(value):
                yield self._hit("js.assertion-patched", child, ("expect", matcher or "?"))

    def _passes(self, node: tree_sitter.Node | None) -> bool:
        """A matcher whose only answer is `pass: true`."""
        function = unwrapped(node)
        if function is None or function.type not in FUNCTIONS:
            return False
        passes = [
            part.child_by_field_name("value")
            for part in self._code.source.walk(function)
            if part.type == "pair" and self._code.text(part.child_by_field_name("key")).strip("\"'") == "pass"
        ]
        return len(passes) == 1 and self._code.constants.value(passes[0]) is True and not _branches(function)

    def _always(self, node: tree_sitter.Node) -> bool | None:
        """True for a function that gives a constant that is true."""
        if node.type not in FUNCTIONS:
            return None
        body = node.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            statements = [child for child in body.named_children if "comment" not in child.type]
            if len(statements) != 1 or statements[0].type != "return_statement" or not statements[0].named_children:
                return None
            body = statements[0].named_children[0]
        return True if body is not None and self._code.constants.value(body) is True and body.type == "true" else None

    def _asymmetric(self, node: tree_sitter.Node) -> Iterator[Hit]:
        """An object whose `asymmetricMatch` is always true equals everything."""
        name = node.child_by_field_name("key") or node.child_by_field_name("name")
        given = self._code.constants.property_name(key_of(self._code.source, name)) if name is not None else None
        if given is not None and _ALWAYS_RESULTS.fullmatch(given) and self._is_copied(node):
            yield self._hit("js.results-rewritten", node, ("results", given))
        if given == "onEnd" and self._calls_it_passed(node):
            yield self._hit("js.results-rewritten", node, ("onEnd", "status"))
        if given != "asymmetricMatch":
            return
        value = node if node.type == "method_definition" else unwrapped(node.child_by_field_name("value"))
        if value is not None and self._always(value):
            yield self._hit("js.assertion-patched", node, ("asymmetricMatch",))

    def _calls_it_passed(self, method: tree_sitter.Node) -> bool:
        """A reporter of Playwright's that gives a status of its own for the whole run."""
        returned = (part for part in self._code.source.walk(method) if part.type == "return_statement")
        literals = (self._code.constants.object_of(next(iter(part.named_children), None)) for part in returned)
        options = (option for literal in literals if literal for option in self._code.constants.options(literal))
        return any(name == "status" and self._code.constants.value(value) == "passed" for name, value, _ in options)

    def _is_copied(self, pair: tree_sitter.Node) -> bool:
        """`{...results, numFailedTests: 0}`."""
        above, value = pair.parent, pair.child_by_field_name("value")
        spread = above is not None and any(child.type == "spread_element" for child in above.named_children)
        return spread and value is not None and self._code.constants.value(value) == 0

    def _hit(self, rule: str, node: tree_sitter.Node, path: Path) -> Hit:
        return self._code.source.hit(rule, node, f"{'.'.join(path)} replaced", detail=".".join(path))


def _branches(function: tree_sitter.Node) -> bool:
    kinds = ("if_statement", "ternary_expression", "switch_statement", "throw_statement")
    return any(node.type in kinds for node in walk(function))
