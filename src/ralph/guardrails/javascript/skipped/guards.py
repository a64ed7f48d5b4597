"""Conditions around a test: `if (process.env.FULL) it(…)` and its spellings (spec: governance engine 1.4; class G02).

Looked at are `if`, `&&`, `||`, `?:`, an early `return` before the definition and one at the start of the test's own
body. A condition that cannot be read is reported as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.collected.roots import Roots
from ralph.guardrails.javascript.syntax.constants import Constants, Verdict
from ralph.guardrails.javascript.syntax.names import Names, unwrapped

Guard = tuple[tree_sitter.Node, Verdict]


class Guards:
    def __init__(self, names: Names, constants: Constants, roots: Roots) -> None:
        self._names, self._constants, self._roots = names, constants, roots

    def around(self, call: tree_sitter.Node, callback: tree_sitter.Node | None) -> Iterator[Guard]:
        """What decides whether the definition `call` is reached, and whether its body runs."""
        child = call
        for parent in self._names.above(call):
            yield from self._read(child, parent)
            if parent.id in self._roots.callbacks:
                break
            child = parent
        if callback is not None and (body := callback.child_by_field_name("body")) is not None:
            yield from self._early_returns(body, None)

    def _read(self, child: tree_sitter.Node, parent: tree_sitter.Node) -> Iterator[Guard]:
        match parent.type:
            case "if_statement" | "ternary_expression":
                condition = parent.child_by_field_name("condition")
                if child == parent.child_by_field_name("consequence"):
                    yield from self._guard(parent, condition, skips_when=False)
                elif child == parent.child_by_field_name("alternative"):
                    yield from self._guard(parent, condition, skips_when=True)
            case "binary_expression" if child == parent.child_by_field_name("right"):
                operator = parent.child_by_field_name("operator")
                if operator is not None and operator.type in ("&&", "||"):
                    yield from self._guard(parent, parent.child_by_field_name("left"), operator.type == "||")
            case "for_in_statement" if child == parent.child_by_field_name("body"):
                if self._constants.is_empty_list(parent.child_by_field_name("right")):
                    yield parent, Verdict.OPT_IN
            case "call_expression" if child == parent.child_by_field_name("arguments"):
                function = unwrapped(parent.child_by_field_name("function"))
                if function is not None and self._constants.is_empty_list(function.child_by_field_name("object")):
                    yield parent, Verdict.OPT_IN
            case "while_statement" if child == parent.child_by_field_name("body"):
                yield from self._guard(parent, parent.child_by_field_name("condition"), skips_when=False)
            case "statement_block" | "program":
                yield from self._early_returns(parent, child)

    def _early_returns(self, block: tree_sitter.Node, before: tree_sitter.Node | None) -> Iterator[Guard]:
        """Returns among the statements of a block that come before one of them, or before its last."""
        statements = [child for child in block.named_children if "comment" not in child.type]
        for number, statement in enumerate(statements):
            if before is not None and statement.start_byte >= before.start_byte:
                return
            if statement.type == "return_statement" and not statement.named_children and number + 1 < len(statements):
                yield statement, Verdict.OPT_IN
            elif _returns_early(statement):
                yield from self._guard(statement, statement.child_by_field_name("condition"), skips_when=True)

    def _guard(self, node: tree_sitter.Node, condition: tree_sitter.Node | None, skips_when: bool) -> Iterator[Guard]:
        verdict = self._constants.judge(condition, skips_when)
        if verdict is not Verdict.NEVER_SKIPS:
            yield node, verdict


def _returns_early(statement: tree_sitter.Node) -> bool:
    """True for `if (…) return;` without an `else`."""
    if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
        return False
    node = statement.child_by_field_name("consequence")
    if node is not None and node.type == "statement_block":
        node = next((child for child in reversed(node.named_children) if "comment" not in child.type), None)
    return node is not None and node.type == "return_statement"
