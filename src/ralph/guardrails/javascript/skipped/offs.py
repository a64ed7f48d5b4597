"""What keeps a file's tests from running (spec: governance engine 1.4; classes G02 and G03).

A test does not run if it is defined with a modifier or an option that says so, without a body, from a table without
rows or behind a condition, or if its body skips itself. How it is spelled makes no difference: members may be dotted,
in brackets, escaped, computed, aliased or destructured. A modifier that cannot be read counts as one that skips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import tree_sitter

from ralph.guardrails.javascript.collected.cases import Case, Cases
from ralph.guardrails.javascript.collected.frameworks import FOCUS, FOCUS_OPTIONS, OFF, OFF_IF, OFF_IN_BODY, OFF_OPTIONS
from ralph.guardrails.javascript.collected.roots import ACCESSES, Modifier, Ref
from ralph.guardrails.javascript.skipped.guards import Guards
from ralph.guardrails.javascript.syntax.calls import TEXTS, arguments, first, functions, has_shape, is_object
from ralph.guardrails.javascript.syntax.constants import Verdict
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import record
from ralph.system.patterns import later

What = Literal["skip", "condition", "focus", "focus-option"]


@record
class Off:
    """Something that keeps tests from running. `case` is what it is about; None is the whole file."""

    what: What
    label: str
    verdict: Verdict
    node: tree_sitter.Node
    case: Case | None
    is_value: bool = False
    """A skipping function that is named, not called: which tests it skips shows where it is used."""
    condition: tuple[tree_sitter.Node, bool] | None = None
    """What it depends on, and what that is when the test is skipped."""


ROOT_HOOKS = frozenset({"beforeAll", "beforeEach"})


def _is_skip(ref: Ref | None) -> bool:
    """`skip` of the context that a framework gives a callback."""
    return ref is not None and ref.kind == "context" and any(each.name in OFF_IN_BODY for each in ref.modifiers)


NAME_OF_TEST = later(
    r"\bcurrentTest\b|\bcurrentTestName\b|\b(?:test|task|ctx|context|testInfo)\.(?:task\.)?(?:title|name|full(?:Title|Name))\b"
)

PARTS_OF_TEST = later(
    r"\b(?:const|let|var)\s*\{(?P<parts>[^{}]*)\}\s*=\s*(?:this|ctx|context)\.currentTest\b"
    r"|\b(?:const|let|var)\s+(?P<held>\w+)\s*=\s*(?:this|ctx|context)\.currentTest\b"
)


class Definitions:
    """What is off where a test is defined, or in its body."""

    def __init__(self, cases: Cases) -> None:
        self._cases, self._names, self._constants = cases, cases.names, cases.constants

    def where_defined(self) -> Iterator[Off]:
        guards = Guards(self._names, self._constants, self._cases.roots)
        for case, ref in self._cases.defined.values():
            yield from self._modified(case, ref)
            yield from self._options(case)
            if self._is_pending(case, ref):
                yield Off("skip", "no body", Verdict.OPT_IN, case.node, case)
            callback = next(iter(functions(self._names, case.node)), None)
            for node, verdict in guards.around(case.node, callback if case.kind == "test" else None):
                yield Off("condition", "condition", verdict, node, case)

    def in_bodies(self) -> Iterator[Off]:
        for call in self._cases.calls:
            if call.id not in self._cases.defined:
                yield from self._in_body(call)
                yield from self._on_unknown(call)

    def hooks(self) -> Iterator[Off]:
        """Of a file without tests: hooks that skip every test of the run, whatever it is."""
        for call in self._cases.calls:
            ref = self._cases.roots.settled(call.child_by_field_name("function"))
            if (_is_skip(ref) or self._skips_in_root_hooks(call)) and all(
                map(self._is_about_name, self._branches(call, None))
            ):
                yield Off("skip", "skip", Verdict.OPT_IN, self._place(call), None)

    def _is_about_name(self, branch: tuple[tree_sitter.Node, bool]) -> bool:
        """It picks tests by what they are called, or by their files, also where a name holds that."""
        asked = self._names.source.text(branch[0])
        if NAME_OF_TEST.search(asked) is not None:
            return True
        told = PARTS_OF_TEST.findall(self._names.source.data.decode("utf-8", "replace"))
        held = {name.rpartition(":")[2].strip() for group in told for names in group for name in names.split(",")}
        return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", asked) for name in held if name)

    def _skips_in_root_hooks(self, call: tree_sitter.Node) -> bool:
        """`this.skip()` in a function of Mocha's `mochaHooks`."""
        if self._names.source.text(call) != "this.skip()":
            return False
        keys = {
            self._names.source.text(name)
            for above in self._names.above(call)
            if (name := above.child_by_field_name("name") or above.child_by_field_name("key")) is not None
        }
        return bool(keys & ROOT_HOOKS) and b"mochaHooks" in self._names.source.data

    def _modified(self, case: Case, ref: Ref) -> Iterator[Off]:
        place = self._place(case.node)
        for modifier in ref.modifiers:
            if modifier.name in FOCUS:
                yield Off("focus", "only", Verdict.OPT_IN, place, case)
            elif modifier.name in ("each", "for") and self._constants.is_empty_list(modifier.argument):
                yield Off("skip", "table without rows", Verdict.OPT_IN, place, case)
            elif modifier.is_off and (verdict := self._verdict(modifier)) is not Verdict.NEVER_SKIPS:
                asked = (
                    (modifier.argument, OFF_IF[modifier.name])
                    if modifier.argument and modifier.name in OFF_IF
                    else None
                )
                yield Off("skip", modifier.name, verdict, place, case, condition=asked)

    def _verdict(self, modifier: Modifier) -> Verdict:
        if modifier.guard is not None:
            return self._constants.judge(*modifier.guard)
        if modifier.name not in OFF_IF:
            return Verdict.OPT_IN
        return self._constants.judge(modifier.argument, skips_when=OFF_IF[modifier.name])

    def _place(self, call: tree_sitter.Node) -> tree_sitter.Node:
        """The member that skips or focuses, else what is called."""
        function = call.child_by_field_name("function")
        node = unwrapped(function)
        while node is not None:
            member = node.child_by_field_name("property") or node.child_by_field_name("index")
            if node.type in ACCESSES and member is not None:
                name = self._constants.member(node)
                if name is None or name in OFF or name in OFF_IF or name in FOCUS:
                    return member
            node = unwrapped(node.child_by_field_name("object") or node.child_by_field_name("function"))
        return function or call

    def _options(self, case: Case) -> Iterator[Off]:
        for argument in arguments(case.node):
            literal = self._constants.object_of(argument)
            for name, value, place in self._constants.options(literal) if literal is not None else ():
                if name not in OFF_OPTIONS and name not in FOCUS_OPTIONS:
                    continue
                verdict = self._constants.judge(value, skips_when=True)
                if verdict is not Verdict.NEVER_SKIPS:
                    inside = case.node.start_byte <= place.start_byte < case.node.end_byte
                    what: What = "focus-option" if name in FOCUS_OPTIONS else "skip"
                    yield Off(what, name, verdict, place if inside else argument, case)

    def _is_pending(self, case: Case, ref: Ref) -> bool:
        """A title and nothing to run."""
        title, *others = arguments(case.node) or [case.node]
        if case.kind != "test" or ref.matters or getattr(unwrapped(title), "type", "") not in TEXTS:
            return False
        return all(self._constants.value(other) is None or is_object(other) for other in others)

    def _in_body(self, call: tree_sitter.Node) -> Iterator[Off]:
        """`ctx.skip()`, `this.skip()`, Jasmine's `pending()` and Playwright's `test.skip(condition)`."""
        ref = self._cases.roots.settled(call.child_by_field_name("function"))
        if ref is None:
            if self._is_pending_call(call) and (around := self._cases.around(call)) is not None:
                yield Off("skip", "pending", Verdict.OPT_IN, call, around)
            return
        is_context = _is_skip(ref)
        is_test = ref.defines and self._cases.counts(ref) and (ref.last in OFF_IN_BODY or ref.last == "fail")
        if not is_context and not is_test:
            return
        around = self._cases.around(call)
        condition = first(call)
        if condition is not None and not isinstance(self._constants.value(condition), str):
            asked: list[tuple[tree_sitter.Node, bool]] = [(condition, True)]
        else:
            asked = list(self._branches(call, around))
        verdicts = [self._constants.judge(*each) for each in asked]
        if Verdict.NEVER_SKIPS in verdicts:
            return
        platform = next((each for each, said in zip(asked, verdicts, strict=True) if said is Verdict.PLATFORM), None)
        verdict = Verdict.PLATFORM if platform else Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.OPT_IN
        yield Off("skip", ref.last, verdict, self._place(call), around, condition=platform)

    def _branches(self, call: tree_sitter.Node, around: Case | None) -> Iterator[tuple[tree_sitter.Node, bool]]:
        """The conditions in the test itself under which the call is reached."""
        child = call
        for parent in self._names.above(call):
            if around is not None and parent == around.node:
                return
            condition = parent.child_by_field_name("condition") or parent.child_by_field_name("left")
            if parent.type in ("if_statement", "ternary_expression") and condition is not None and child != condition:
                yield condition, child == parent.child_by_field_name("consequence")
            elif parent.type == "binary_expression" and condition is not None and child != condition:
                operator = parent.child_by_field_name("operator")
                yield condition, operator is not None and operator.type == "&&"
            child = parent

    def _is_pending_call(self, call: tree_sitter.Node) -> bool:
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type != "identifier" or self._names.name(function) != "pending":
            return False
        return self._names.binding(function) is None

    def _on_unknown(self, call: tree_sitter.Node) -> Iterator[Off]:
        """`t.skip("title", () => {})` on whatever `t` is, in a file of tests: nothing else looks like this."""
        function = unwrapped(call.child_by_field_name("function"))
        if function is None or function.type not in ACCESSES:
            return
        name = self._constants.member(function)
        if name is None or (name not in OFF and name not in FOCUS) or self._cases.roots.settled(function) is not None:
            return
        if has_shape(self._names, call) and not is_object(first(call)):
            what: What = "focus" if name in FOCUS else "skip"
            yield Off(what, name, Verdict.OPT_IN, self._place(call), self._cases.case_of(call, "test"))
