"""The tests of a file, and what keeps them from running (spec: governance engine 1.4; classes G02 and G03).

A test does not run if it is defined with a modifier or an option that says so, without a body, behind a condition,
or if its body skips itself. How it is spelled makes no difference: members may be dotted, in brackets, escaped,
computed, aliased or destructured. A modifier that cannot be read counts as one that skips.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import tree_sitter

from ralph.guardrails.javascript.constants import UNKNOWN, Constants, Verdict
from ralph.guardrails.javascript.frameworks import (
    FOCUS, FOCUS_OPTIONS, OFF, OFF_IF, OFF_IN_BODY, OFF_OPTIONS, kind_of,
)
from ralph.guardrails.javascript.guards import Guards
from ralph.guardrails.javascript.names import FUNCTIONS, Names, unwrapped
from ralph.guardrails.javascript.roots import ACCESSES, Modifier, Ref, Roots
from ralph.guardrails.source import Source

_TEXTS = frozenset({"string", "template_string"})
_READS = frozenset({"unary_expression", "if_statement", "while_statement", "expression_statement"})
_CHECKS = frozenset({"expect", "assert"})


@dataclass(frozen=True, slots=True)
class Case:
    """A test or suite. `title` holds the titles of the suites around it, too."""

    kind: Literal["test", "suite"]
    title: tuple[str, ...]
    node: tree_sitter.Node


@dataclass(frozen=True, slots=True)
class Off:
    """Something that keeps tests from running. `case` is what it is about; None is the whole file."""

    what: Literal["skip", "condition", "focus", "focus-option"]
    label: str
    verdict: Verdict
    node: tree_sitter.Node
    case: Case | None
    is_value: bool = False
    """A skipping function that is named, not called: which tests it skips shows where it is used."""


class Tests:
    """All cases of one file, and all that is off."""

    def __init__(self, source: Source) -> None:
        self.names = Names(source)
        self._source = source
        self._constants = Constants(self.names)
        self._roots = Roots(self.names, self._constants)
        self._calls = [node for node in self.names.nodes if node.type == "call_expression"]
        self._evidence: set[str] = set()
        self._owners: dict[int, Case] = {}
        self._defined: dict[int, tuple[Case, Ref]] = {}
        self._collect()
        self.cases = [case for case, _ in self._defined.values()]

    def offs(self) -> Iterator[Off]:
        if not self._evidence:
            return
        guards = Guards(self.names, self._constants, self._roots)
        for case, ref in self._defined.values():
            yield from self._modified(case, ref)
            yield from self._options(case)
            if self._is_pending(case):
                yield Off("skip", "no body", Verdict.OPT_IN, case.node, case)
            callback = next((node for node in self._functions(case.node)), None)
            for node, verdict in guards.around(case.node, callback if case.kind == "test" else None):
                yield Off("condition", "condition", verdict, node, case)
        for call in self._calls:
            if call.id not in self._defined:
                yield from self._in_body(call)
                yield from self._on_unknown(call)
        for node in self.names.nodes:
            yield from self._mentioned(node)

    def _collect(self) -> None:
        """Definitions in source order, outer ones first: a callback makes its parameters known to what is inside."""
        found: list[tuple[tree_sitter.Node, Ref]] = []
        for call in self._calls:
            ref = self._roots.ref(call.child_by_field_name("function"))
            if ref is None or ref.kind in ("context", "module"):
                continue
            if ref.defines or ref.kind == "hook":
                for function in self._functions(call):
                    self._roots.callbacks[function.id] = ref
                if ref.defines:
                    found.append((call, ref))
                    if self._has_shape(call) or not ref.local:
                        self._evidence.add(ref.local)
        for call, ref in found:
            if self._counts(ref) and (ref.kind == "test" or ref.kind == "suite") and self._is_definition(call, ref):
                around = self._around(call)
                case = Case(ref.kind, (*(around.title if around else ()), self._title(call)), call)
                self._defined[call.id] = (case, ref)
                for function in self._functions(call):
                    self._owners[function.id] = case

    def _counts(self, ref: Ref) -> bool:
        return ref.local in self._evidence if ref.local.startswith("./") else bool(self._evidence)

    def _has_shape(self, call: tree_sitter.Node) -> bool:
        """A title and a function: what every framework wants, and little else looks like."""
        first = unwrapped(_first(call))
        return first is not None and (first.type in _TEXTS or first.type == "object") and bool(self._functions(call))

    def _is_definition(self, call: tree_sitter.Node, ref: Ref) -> bool:
        """`test.skip(condition, "why")`, as Playwright has it, defines no test."""
        if not ref.matters:
            return True
        first = unwrapped(_first(call))
        if first is None:
            return False
        return first.type in (*_TEXTS, "object") or any(node.id != first.id for node in self._functions(call))

    def _title(self, call: tree_sitter.Node) -> str:
        first = unwrapped(_first(call))
        if first is None:
            return ""
        if (literal := self._constants.object_of(first)) is not None:
            first = next((value for name, value, _ in self._constants.options(literal) if name == "name"), first)
        value = self._constants.value(first)
        return value if isinstance(value, str) else " ".join(self._source.text(first).split())[:100]

    def _functions(self, call: tree_sitter.Node) -> list[tree_sitter.Node]:
        """The functions among the arguments: literal, by name, or in an object (`{name, fn() {}}`)."""
        return [function for argument in _arguments(call) if (function := self._function(argument)) is not None]

    def _function(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        plain = unwrapped(node)
        if plain is None or plain.type in FUNCTIONS:
            return plain
        if plain.type == "identifier" and (binding := self.names.binding(plain)) is not None:
            if binding.value is not None and not binding.path and binding.kind in ("value", "definition"):
                value = unwrapped(binding.value)
                return value if value is not None and value.type in FUNCTIONS else None
        if plain.type == "object":
            inner = (child.child_by_field_name("value") if child.type == "pair" else child for child in plain.named_children)
            return next((child for child in inner if child is not None and child.type in FUNCTIONS), None)
        return None

    def _around(self, node: tree_sitter.Node) -> Case | None:
        return next((self._owners[above.id] for above in self.names.above(node) if above.id in self._owners), None)

    def _modified(self, case: Case, ref: Ref) -> Iterator[Off]:
        place = self._place(case.node)
        for modifier in ref.modifiers:
            if modifier.name in FOCUS:
                yield Off("focus", "only", Verdict.OPT_IN, place, case)
            elif modifier.name in ("each", "for") and self._constants.is_empty_list(modifier.condition):
                yield Off("skip", "table without rows", Verdict.OPT_IN, place, case)
            elif modifier.is_off and (verdict := self._verdict(modifier)) is not Verdict.NEVER_SKIPS:
                yield Off("skip", modifier.name, verdict, place, case)

    def _verdict(self, modifier: Modifier) -> Verdict:
        if modifier.name not in OFF_IF:
            return Verdict.OPT_IN
        return self._constants.judge(modifier.condition, skips_when=OFF_IF[modifier.name])

    def _place(self, call: tree_sitter.Node) -> tree_sitter.Node:
        """The member that skips or focuses, else what is called."""
        function = call.child_by_field_name("function")
        node = unwrapped(function)
        while node is not None:
            if node.type in ACCESSES:
                member = node.child_by_field_name("property") or node.child_by_field_name("index")
                name = self._member(node)
                if member is not None and (name is None or name in OFF or name in OFF_IF or name in FOCUS):
                    return member
            node = unwrapped(node.child_by_field_name("object") or node.child_by_field_name("function"))
        return function or call

    def _member(self, access: tree_sitter.Node) -> str | None:
        member = access.child_by_field_name("property")
        if member is not None:
            return self.names.name(member)
        index = access.child_by_field_name("index")
        return self._constants.property_name(index) if index is not None else None

    def _options(self, case: Case) -> Iterator[Off]:
        for argument in _arguments(case.node):
            literal = self._constants.object_of(argument)
            for name, value, place in self._constants.options(literal) if literal is not None else ():
                if name not in OFF_OPTIONS | FOCUS_OPTIONS:
                    continue
                verdict = self._constants.judge(value, skips_when=True)
                if verdict is not Verdict.NEVER_SKIPS:
                    inside = case.node.start_byte <= place.start_byte < case.node.end_byte
                    what: Literal["skip", "focus-option"] = "focus-option" if name in FOCUS_OPTIONS else "skip"
                    yield Off(what, name, verdict, place if inside else argument, case)

    def _is_pending(self, case: Case) -> bool:
        """A title and nothing to run."""
        arguments = _arguments(case.node)
        if case.kind != "test" or not arguments or self._defined[case.node.id][1].matters:
            return False
        if getattr(unwrapped(arguments[0]), "type", "") not in _TEXTS:
            return False
        return all(self._constants.value(argument) is None or _is_object(argument) for argument in arguments[1:])

    def _in_body(self, call: tree_sitter.Node) -> Iterator[Off]:
        """`ctx.skip()`, `this.skip()`, Jasmine's `pending()` and Playwright's `test.skip(condition)`."""
        function = call.child_by_field_name("function")
        ref = self._roots.ref(function)
        condition = _first(call)
        if ref is None:
            plain = unwrapped(function)
            if plain is None or plain.type != "identifier" or self.names.name(plain) != "pending":
                return
            if self.names.binding(plain) is not None or self._around(call) is None:
                return
            yield Off("skip", "pending", Verdict.OPT_IN, call, self._around(call))
            return
        if not any(modifier.name in OFF_IN_BODY | {"fail"} for modifier in ref.modifiers):
            return
        if ref.kind == "context":
            if ref.last == "fail":
                return
        elif ref.kind not in ("test", "suite") or not self._counts(ref) or ref.last not in OFF_IN_BODY | {"fail"}:
            return
        if condition is None or isinstance(self._constants.value(condition), str):
            verdict = Verdict.OPT_IN
        else:
            verdict = self._constants.judge(condition, skips_when=True)
        if verdict is not Verdict.NEVER_SKIPS:
            yield Off("skip", ref.last, verdict, self._place(call), self._around(call))

    def _on_unknown(self, call: tree_sitter.Node) -> Iterator[Off]:
        """`t.skip("title", () => {})` on whatever `t` is, in a file of tests: nothing else looks like this."""
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type not in ACCESSES or self._roots.ref(function) is not None:
            return
        name = self._member(function)
        if name not in OFF | FOCUS or not self._has_shape(call) or _is_object(_arguments(call)[0]):
            return
        around = self._around(call)
        case = Case("test", (*(around.title if around else ()), self._title(call)), call)
        yield Off("focus" if name in FOCUS else "skip", name, Verdict.OPT_IN, self._place(call), case)

    def _mentioned(self, node: tree_sitter.Node) -> Iterator[Off]:
        """A skipping function as a value: an alias, an argument, a branch, a part of destructuring."""
        if node.type in ACCESSES or (node.type == "identifier" and kind_of(self.names.name(node)) is not None):
            yield from self._value(node)
        elif node.type in ("variable_declarator", "assignment_expression"):
            pattern = node.child_by_field_name("name") or node.child_by_field_name("left")
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            if pattern is None or pattern.type != "object_pattern" or value is None:
                return
            ref = self._roots.ref(value)
            for target, path in self.names.targets(pattern) if ref is not None and self._counts(ref) else ():
                part = ref
                for key in path:
                    part = self._roots.accessed(part, key) if part is not None else None
                if part is not None and part.matters and part.kind in ("test", "suite"):
                    yield self._as_value(part, target)

    def _value(self, node: tree_sitter.Node) -> Iterator[Off]:
        name = self._member(node) if node.type in ACCESSES else None
        if node.type in ACCESSES and not (name is None or name in OFF or name in OFF_IF or name in FOCUS):
            return
        if node.type == "identifier" and self.names.binding(node) is not None:
            return
        ref = self._roots.ref(node)
        if ref is None or not ref.matters or ref.kind not in ("test", "suite") or not self._counts(ref):
            return
        if self._is_value(node):
            yield self._as_value(ref, node)

    def _as_value(self, ref: Ref, node: tree_sitter.Node) -> Off:
        last = next(modifier for modifier in reversed(ref.modifiers) if modifier.is_off or modifier.name in FOCUS)
        what: Literal["focus", "skip"] = "focus" if last.name in FOCUS else "skip"
        return Off(what, last.name, Verdict.OPT_IN, node, None, is_value=True)

    def _is_value(self, node: tree_sitter.Node) -> bool:
        """False where the function is called, only looked at, or replaced."""
        parent = self.names.parent(node)
        while parent is not None and unwrapped(parent) == unwrapped(node) and parent.type != "assignment_expression":
            node, parent = parent, self.names.parent(parent)
        if parent is None or parent.type in _READS:
            return False
        if parent.type == "assignment_expression":
            return parent.child_by_field_name("right") == node
        if parent.type == "call_expression":
            return False
        if parent.type in ACCESSES and parent.child_by_field_name("object") == node:
            return False
        if parent.type == "binary_expression":
            operator = parent.child_by_field_name("operator")
            return operator is not None and operator.type in ("&&", "||", "??")
        if parent.type == "arguments" and (call := self.names.parent(parent)) is not None:
            callee = unwrapped(call.child_by_field_name("function"))
            return callee is None or self._source.text(callee).split(".")[0] not in _CHECKS
        return parent.type not in ("import_specifier", "pair_pattern")


def looks_like_test(source: Source) -> bool:
    """True for a file that defines a test."""
    return any(case.kind == "test" for case in Tests(source).cases)


def _arguments(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    children = [child for child in arguments.named_children if "comment" not in child.type]
    function = unwrapped(call.child_by_field_name("function"))
    member = function.child_by_field_name("property") if function is not None else None
    return children[1:] if member is not None and member.text == b"call" else children


def _first(call: tree_sitter.Node) -> tree_sitter.Node | None:
    return next(iter(_arguments(call)), None)


def _is_object(node: tree_sitter.Node) -> bool:
    plain = unwrapped(node)
    return plain is not None and plain.type == "object"
