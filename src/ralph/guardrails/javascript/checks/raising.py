"""How much an assertion demands that wants an error (test inventory, class G05)."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.fallback import is_settled
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.checks.vague import matches_all
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.record import replace

_ANY_ERROR = frozenset({"Error", "Object", "Function"})
_EXACT = ("string", "template_string", "new_expression", "object", "call_expression")


def raises(code: Code, writing: Writing, subject: tree_sitter.Node | None, given: Sequence[tree_sitter.Node]) -> Said:
    """`toThrow(wanted)`, `throw(TypeError, "message")`, `assert.throws(subject, wanted)`."""
    if _throws_itself(code, writing, subject):
        return Said(subject, "raises", Grade.NOTHING, why="the test throws by itself")
    wanted = unwrapped(given[0]) if given else None
    if len(given) > 1:
        said = raises(code, writing, subject, given[1:])
        return replace(said, wanted_node=None, wanted=f"{writing.of(given[0])} {writing.of(given[1])}")
    meant = writing.value(wanted)  # a constant of the file is what it was given
    if meant is None or code.text(meant) in _ANY_ERROR:
        return Said(subject, "raises", Grade.EXISTS, wanted)
    if meant.type == "regex":
        return Said(subject, "raises", Grade.EXISTS if matches_all(meant) else Grade.CLOSE, wanted)
    return Said(subject, "raises", Grade.EXACT if meant.type in _EXACT else Grade.CLOSE, wanted)


def _throws_itself(code: Code, writing: Writing, subject: tree_sitter.Node | None) -> bool:
    """`expect(() => { throw x; }).toThrow()`, `expect(Promise.reject(x)).rejects…` say nothing about the code."""
    if is_settled(code, writing, subject):
        return True
    function = writing.value(subject) if subject is not None else None
    if subject is not None and subject.type == "identifier":
        binding = code.names.binding(subject)
        function = unwrapped(binding.value) if binding is not None and binding.value is not None else function
    if function is None or function.type not in FUNCTIONS:
        return False
    body = function.child_by_field_name("body")
    statements = [child for child in body.named_children if "comment" not in child.type] if body is not None else []
    return bool(statements) and statements[-1].type == "throw_statement"
