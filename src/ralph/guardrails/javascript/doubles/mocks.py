"""Tests of a double in the place of what they are about (policy set v2, class G06).

Rules:

- A module is a test's subject if the test bears its name, or compares answers of what it exports. A mock of it, or a
  spy or an assignment that gives one of these exports an answer of its own, blocks. What a mock takes over unchanged
  (`requireActual`, `importOriginal`) is not mocked, nor is what a collaborator is replaced by.
- A method of the object that a test made counts as asked if it calls it, and compares something of that object. Where
  the object was handed on (`cart.add("tea").total()`), it is asked if its answer is the one that is wanted.
- An assertion on the answer of a function that the test made with `jest.fn` and its kind blocks: it compares the test
  with itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.config.readers import SCRIPT_SUFFIXES
from ralph.guardrails.javascript.checks.chain import chain_from
from ralph.guardrails.javascript.code import Code, code, may_use_tests
from ralph.guardrails.javascript.doubles.asserted import Asserted
from ralph.guardrails.javascript.doubles.mocking import (
    ACTUAL,
    ANSWERS,
    MADE,
    MODULE_MOCKS,
    REPLACES,
    SPIES,
    TAKEN_OVER,
    WRITES,
)
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.javascript.product.stubs import statements
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE, Path
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.record import record

WORDS = (
    r"mock|\bstub\b|\bfake\b|spyon|createspy|sinon\.spy|\breplace(?:Property|Getter|Setter)?\s*\(|\.fn\s*\(",
    r"rewire|proxyquire|testdouble|\btd\b|\bnew\s+Proxy\b",
    r"[.]\s*\w+\s*=\s*(?:async\s*)?(?:\(|function|\w+\s*=>)",
    r"[]]\s*=\s*(?:async\s*)?(?:\(|function|\w+\s*=>)|\bdefine_?Propert(?:y|ies)\b|\b(?:assign|set)\s*\(",
    r"require\s*\.\s*cache|prototype\s*\.\s*\w+\s*=|getPrototypeOf",
)

FAKED = "test.subject-faked"
SUFFIXES = (*SCRIPT_SUFFIXES, ".jsx", ".tsx", ".vue")


@record
class Mocked:
    """A mock of a module of the project; `keys` are the exports that it answers, None for all."""

    call: tree_sitter.Node
    module: str
    keys: frozenset[str] | None


def mocks(source: Source) -> Iterator[Hit]:
    if may_use_tests(source) and (found := code(source)).cases.are_tests:
        yield from Doubles(found).hits()


class Doubles:
    def __init__(self, code: Code) -> None:
        self._code = code
        self._stem = stem(code.source.path)

    @cached_property
    def _asserted(self) -> Asserted:
        return Asserted(self._code)

    @cached_property
    def _paths(self) -> frozenset[Path]:
        """What the tests ask about, its modules by their names alone."""
        return frozenset((stem(path[0]), *path[1:]) for path in self._asserted.paths if LOCAL_MODULE.match(path[0]))

    def hits(self) -> Iterator[Hit]:
        for call in self._code.calls:
            path = self._code.origins.of(call.child_by_field_name("function"))
            if path in MODULE_MOCKS or (path is not None and path[:1] == ("mock-require",)):
                yield from self._mocked(call)
            elif path in SPIES or path in REPLACES:
                yield from self._spied(call, path or ())
            elif path in WRITES:
                yield from self._written(call)
            else:
                yield from self._told(call)
        for node in self._code.names.of_types("assignment_expression"):
            yield from self._assigned(node)
        yield from self._made()

    def modules(self) -> Iterator[Mocked]:
        """Every module of the project that is mocked and not taken over unchanged, whoever it is."""
        for call in self._code.calls:
            if self._code.origins.of(call.child_by_field_name("function")) not in MODULE_MOCKS:
                continue
            module, given = self._module(call), arguments(call)
            factory = unwrapped(given[1]) if len(given) > 1 else None
            if module is None:
                continue
            if factory is not None and ACTUAL.search(self._code.text(factory)):
                if own := self._own(factory):
                    yield Mocked(call, module, own)
            elif factory is None or factory.type != "object":
                keys = self._keys(factory)
                yield Mocked(call, module, None if keys is None else frozenset(keys))

    def _own(self, factory: tree_sitter.Node) -> frozenset[str]:
        """What a factory answers itself, beside what it takes over of the real module."""
        literal = self._returned(factory)
        given = self._code.constants.options(literal) if literal is not None else ()
        return frozenset(name for name, value, _ in given if not TAKEN_OVER.search(self._code.text(value)))

    def automocked(self) -> Iterator[str]:
        """Subjects that are mocked without saying by what: a file in `__mocks__` tells."""
        for call in self._code.calls:
            if self._code.origins.of(call.child_by_field_name("function")) in MODULE_MOCKS:
                module = self._module(call)
                if module is not None and len(arguments(call)) < 2 and any(True for _ in self._mocked(call)):
                    yield module

    def _module(self, call: tree_sitter.Node) -> str | None:
        """The project's module that is mocked: `"./total"`, or `import("./total")`."""
        given = arguments(call)
        if not given:
            return None
        name = self._code.constants.value(given[0])
        if not isinstance(name, str):
            path = self._code.origins.of(given[0])
            name = path[0] if path is not None and len(path) == 1 else ""
        return name if LOCAL_MODULE.match(name) else None

    def _mocked(self, call: tree_sitter.Node) -> Iterator[Hit]:
        module = self._module(call)
        if module is None:
            return
        factory = unwrapped(arguments(call)[1]) if len(arguments(call)) > 1 else None
        if factory is not None and factory.type == "object" and b"spy" in (factory.text or b""):
            return  # Vitest: everything is watched, nothing replaced
        keys = self._keys(factory)
        partial = factory is not None and ACTUAL.search(self._code.text(factory)) is not None
        compared = {path[1] if len(path) > 1 else "default" for path in self._paths if path[0] == stem(module)}
        replaced = compared & keys if keys is not None else compared
        whole = stem(module) == self._stem and not partial and not self._has_actual(module)
        if replaced or (whole and not compared - (keys or compared)):
            yield self._code.source.hit(FAKED, call, f"mock {module}", detail=module)

    def _keys(self, factory: tree_sitter.Node | None) -> set[str] | None:
        """The exports that a factory gives; None for all of them."""
        if factory is None or factory.type not in FUNCTIONS:
            return None
        literal = self._returned(factory) or next(
            (node for node in self._code.source.walk(factory) if node.type == "object"), None
        )
        return None if literal is None else self._names(literal)

    def _returned(self, factory: tree_sitter.Node) -> tree_sitter.Node | None:
        """The object that a factory ends with: tables may stand before it."""
        value = unwrapped(factory.child_by_field_name("body"))
        if value is not None and value.type == "statement_block" and (steps := statements(value)):
            last = steps[-1]
            value = last.named_children[0] if last.type == "return_statement" and last.named_children else None
        return self._code.constants.object_of(value)

    def _names(self, literal: tree_sitter.Node) -> set[str]:
        return {name for name, _, _ in self._code.constants.options(literal)} | {
            self._code.text(child.child_by_field_name("name"))
            for child in literal.named_children
            if child.type == "method_definition"
        }

    def _has_actual(self, module: str) -> bool:
        """The real module is fetched elsewhere in the file."""
        pattern = rf"(?:requireActual|importActual|unmock)\w*\s*(?:<[^>]*>)?\(\s*[\"'`]{re.escape(module)}"
        return re.search(pattern, self._code.source.data.decode("utf-8", "replace")) is not None

    def _spied(self, call: tree_sitter.Node, path: Path) -> Iterator[Hit]:
        given = arguments(call)
        if len(given) < 2:
            return
        name = self._code.constants.value(given[1])
        answer = self._code.text(chain_from(self._code, call).whole)
        answered = len(given) > 2 or path in REPLACES
        parent = self._code.names.parent(call)
        if parent is not None and parent.type == "member_expression":
            answered = answered or any(ANSWERS.fullmatch(link.name) for link in chain_from(self._code, call).links)
        elif parent is not None and not answered and (later_on := self._answered_later(parent)):
            answered, answer = True, later_on
        if not answered or not isinstance(name, str):
            return
        if self._is_compared(given[0], name, answer) or self._is_asked(given[0], name):
            yield self._code.source.hit(FAKED, call, f"spy on {self._code.text(given[0])}.{name}")

    def _answered_later(self, holder: tree_sitter.Node) -> str:
        """`const spy = vi.spyOn(…)`, and then `spy.mockReturnValue(7)`."""
        name = holder.child_by_field_name("name") or holder.child_by_field_name("left")
        if name is None or name.type != "identifier":
            return ""
        called = re.compile(
            rf"(?<![\w$.]){re.escape(self._code.text(name))}\s*\.\s*(?:mock\w+|returns|callsFake|resolves).*"
        )
        return "\n".join(called.findall(self._code.source.data.decode("utf-8", "replace")))

    def _is_asked(self, target: tree_sitter.Node, name: str) -> bool:
        """The test calls the method of an object of the project's, and compares something of the object."""
        path = self._code.origins.of(target)
        if target.type != "identifier" or path is None or not LOCAL_MODULE.match(path[0]) or len(path) < 2:
            return False
        test = self._code.names.parent(target)
        while test is not None and test.type not in FUNCTIONS:
            test = self._code.names.parent(test)
        text, owner = self._code.source.text(test) if test is not None else "", re.escape(self._code.text(target))
        called = re.search(rf"^\s*(?:await\s+)?{owner}\.{re.escape(name)}\(", text, re.MULTILINE)
        return called is not None and re.search(rf"\bexpect\(\s*(?:await\s+)?{owner}\.(?!{name}\b)\w", text) is not None

    def _written(self, call: tree_sitter.Node) -> Iterator[Hit]:
        """`Object.assign(basket, {total: () => 7})`, `Object.defineProperty(basket, "total", …)`."""
        given = arguments(call)
        if len(given) < 2:
            return
        literal = self._code.constants.object_of(given[1])
        names = {self._code.constants.value(given[1])} if literal is None else self._names(literal)
        answer = " ".join(map(self._code.text, given[1:]))
        if any(isinstance(name, str) and self._is_compared(given[0], name, answer) for name in names):
            yield self._code.source.hit(FAKED, call, f"assignment to {self._code.text(given[0])}")

    def _told(self, call: tree_sitter.Node) -> Iterator[Hit]:
        """`vi.mocked(price).mockReturnValue(7)`, where `price` is compared."""
        function = unwrapped(call.child_by_field_name("function"))
        name = self._code.constants.member(function) if function is not None else None
        if function is None or name is None or not name.startswith("mock") or not ANSWERS.fullmatch(name):
            return
        told = unwrapped(function.child_by_field_name("object"))
        if told is not None and told.type == "call_expression" and arguments(told):
            inner = self._code.origins.of(told.child_by_field_name("function"))
            told = arguments(told)[0] if inner is not None and inner[-1:] == ("mocked",) else None
        path, answer = self._code.origins.of(told), " ".join(map(self._code.text, arguments(call)))
        if self._is_compared_at(path) or (told is not None and self._is_handed_on(told, answer)):
            yield self._code.source.hit(FAKED, call, f"answer of {self._code.text(told)}")

    def _is_compared(self, target: tree_sitter.Node, name: str, answer: str) -> bool:
        path = self._code.origins.of(target)
        return self._is_compared_at(path and (*path, name)) or self._is_answer(target, name, answer)

    def _is_compared_at(self, path: Path | None) -> bool:
        if path is None or len(path) < 2 or not LOCAL_MODULE.match(path[0]):
            return False
        return (stem(path[0]), *path[1:]) in self._paths

    def _is_handed_on(self, method: tree_sitter.Node, answer: str) -> bool:
        name, target = self._code.constants.member(method), method.child_by_field_name("object")
        return name is not None and target is not None and self._is_answer(target, name, answer)

    def _is_answer(self, target: tree_sitter.Node, name: str, answer: str) -> bool:
        """What the method is made to say is what is wanted of a method of that name and maker."""
        if not any(known == name for _, known in self._asserted.handed_on):
            return False
        wanted = self._asserted.handed_on.get((self._asserted.maker(target) or (), name), ())
        return any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", answer) for each in wanted)

    def _assigned(self, node: tree_sitter.Node) -> Iterator[Hit]:
        """`mod.total = () => 33`, `Stock.prototype.count = …`."""
        left, right = node.child_by_field_name("left"), unwrapped(node.child_by_field_name("right"))
        if left is None or left.type not in ("member_expression", "subscript_expression") or right is None:
            return
        asked = self._is_compared_at(self._code.origins.of(left))
        if asked or self._is_handed_on(left, self._asserted.answer(right)):
            yield self._code.source.hit(FAKED, node, f"assignment to {self._code.text(left)}")

    def _made(self) -> Iterator[Hit]:
        """Functions made of `jest.fn()` whose answers are compared."""
        seen: set[int] = set()
        for callee in self._asserted.callees:
            binding = self._code.names.binding(callee) if callee.type == "identifier" else None
            value = unwrapped(binding.value) if binding is not None and not binding.path else None
            if value is None or value.id in seen or not self._is_made(value):
                continue
            seen.add(value.id)
            yield self._code.source.hit(FAKED, value, f"double {self._code.text(callee)}")

    def _is_made(self, value: tree_sitter.Node) -> bool:
        node: tree_sitter.Node | None = value
        answered = False
        while node is not None and node.type == "call_expression":
            function = unwrapped(node.child_by_field_name("function"))
            path, given = self._code.origins.of(function), arguments(node)
            if path in MADE or (path == ("sinon", "spy") and given and given[0].type in FUNCTIONS):
                return answered or bool(given)
            name = self._code.constants.member(function) if function is not None else None
            answered = answered or bool(name and ANSWERS.fullmatch(name))
            node = unwrapped(function.child_by_field_name("object")) if function is not None else None
        return False
