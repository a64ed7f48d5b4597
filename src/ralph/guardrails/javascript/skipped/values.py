"""Skipping and focusing functions that are passed on as values (spec: governance engine 1.4; classes G02 and G03).

An alias, an argument, a branch of a conditional expression, a part of destructuring: `const { skip: spec } = it`,
`[it.only].forEach(…)`, `slow ? it.skip : it`. To look at one (`typeof it.skip`, `expect(it.skip)`) or to replace it
(`test.only = …`) is no such use. What passes a global `it.skip` on need not define a test itself: a setup file can
put it in the place of `it`.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.collected.cases import Cases
from ralph.guardrails.javascript.collected.frameworks import FOCUS, OFF, OFF_IF, kind_of
from ralph.guardrails.javascript.collected.roots import ACCESSES, Ref
from ralph.guardrails.javascript.skipped.offs import Off
from ralph.guardrails.javascript.syntax.calls import has_shape
from ralph.guardrails.javascript.syntax.constants import Verdict
from ralph.guardrails.javascript.syntax.destructuring import targets_of
from ralph.guardrails.javascript.syntax.names import WRAPPERS, unwrapped

_READS = frozenset({"unary_expression", "if_statement", "while_statement", "expression_statement", "call_expression"})
_CHOICES = frozenset({"&&", "||", "??"})
_CHECKS = frozenset({"expect", "assert"})
_UNMISTAKABLE = frozenset({"it", "test", "describe", "xit", "xtest", "xdescribe"})


class Values:
    def __init__(self, cases: Cases) -> None:
        self._cases, self._names, self._roots = cases, cases.names, cases.roots

    def offs(self) -> Iterator[Off]:
        giving = ("variable_declarator", "assignment_expression")
        for node in self._names.of_types(*ACCESSES, "identifier", *giving):
            yield from self._destructured(node) if node.type in giving else self._value(node)

    def _value(self, node: tree_sitter.Node) -> Iterator[Off]:
        if node.type == "identifier":
            if kind_of(self._names.name(node)) is None or self._names.binding(node) is not None:
                return
        else:
            name = self._cases.constants.member(node)
            if name is not None and name not in OFF and name not in OFF_IF and name not in FOCUS:
                return
        ref = self._roots.settled(node)
        if ref is not None and self._matters(ref) and self._is_passed_on(node):
            verdict = self._choice(node)
            if verdict is not Verdict.NEVER_SKIPS:
                yield _off(ref, node, verdict)

    def _destructured(self, node: tree_sitter.Node) -> Iterator[Off]:
        pattern = node.child_by_field_name("name") or node.child_by_field_name("left")
        if pattern is None or pattern.type != "object_pattern":
            return
        ref = self._roots.ref(node.child_by_field_name("value") or node.child_by_field_name("right"))
        if ref is None:
            return
        for target, path in targets_of(self._names.source, pattern):
            part = self._roots.along(ref, path)
            if part is not None and self._matters(part) and not self._fits_curves(ref, target):
                yield _off(part, target, Verdict.OPT_IN)

    def _fits_curves(self, ref: Ref, target: tree_sitter.Node) -> bool:
        """A function of the project that is called `fit`, and never with a title."""
        if not ref.local.startswith("./") or self._names.name(target) != "fit":
            return False
        named = (call for call in self._cases.calls if self._cases.source.text(call).startswith("fit("))
        return not any(has_shape(self._names, call) for call in named)

    def _matters(self, ref: Ref) -> bool:
        if not ref.matters or ref.kind not in ("test", "suite"):
            return False
        of_framework = not ref.local and all(modifier.name != "?" for modifier in ref.modifiers)
        return of_framework or self._cases.counts(ref) or ref.local in _UNMISTAKABLE

    def _is_passed_on(self, node: tree_sitter.Node) -> bool:
        parent = self._names.parent(node)
        while parent is not None and (parent.type in WRAPPERS or _is_last(node, parent)):
            node, parent = parent, self._names.parent(parent)
        if parent is None or parent.type in _READS:
            return False
        if parent.type == "assignment_expression":
            return parent.child_by_field_name("right") == node
        if parent.type in ACCESSES:
            return parent.child_by_field_name("object") != node
        if parent.type == "binary_expression":
            operator = parent.child_by_field_name("operator")
            return operator is not None and operator.type in _CHOICES
        if parent.type == "arguments":
            return not self._is_check(parent)
        return parent.type not in ("import_specifier", "pair_pattern")

    def _is_check(self, arguments: tree_sitter.Node) -> bool:
        call = self._names.parent(arguments)
        callee = unwrapped(call.child_by_field_name("function")) if call is not None else None
        return callee is not None and self._cases.source.text(callee).split(".")[0] in _CHECKS

    def _choice(self, node: tree_sitter.Node) -> Verdict:
        """Why it is chosen, where it is a branch of `x ? it.skip : it`."""
        child = node
        for above in self._names.above(node):
            condition = above.child_by_field_name("condition") if above.type == "ternary_expression" else None
            if condition is not None and condition != child:
                is_yes = above.child_by_field_name("consequence") == child
                return self._cases.constants.judge(condition, skips_when=is_yes)
            if above.type != "parenthesized_expression":
                break
            child = above
        return Verdict.OPT_IN


def _is_last(node: tree_sitter.Node, parent: tree_sitter.Node) -> bool:
    """True for the part of a comma expression that is its value."""
    return parent.type == "sequence_expression" and parent.named_children[-1] == node


def _off(ref: Ref, node: tree_sitter.Node, verdict: Verdict) -> Off:
    last = next(modifier for modifier in reversed(ref.modifiers) if modifier.is_off or modifier.name in FOCUS)
    return Off("focus" if last.name in FOCUS else "skip", last.name, verdict, node, None, is_value=True)
