"""Wanted values that a test may take from the very result that it compares with them (policy set v2, class G05).

Rule: a name that is compared was given, above the assertion, something that may be the other side
(`WANTED.get(name, total(1))`), or is a parameter that a branch overwrites with it: the assertion only says that there
is one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.python.assertions.comparing import fallbacks
from ralph.guardrails.python.claims import text
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.record import replace

WHY = "what is wanted may be the result itself"


def without_taken_over(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    nodes: Sequence[ast.AST],
    inliner: Inliner,
    found: Sequence[Check],
    before: int,
) -> list[Check]:
    """The assertions; `before` is the line before the first of the text that the nodes were read from."""
    parameters = {each.arg for each in function.args.args}
    given = [
        (node.targets[0].id, node.lineno, inliner.put_in(node.value, node.lineno))
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    taken = {
        (name, answer, line)
        for name, line, value in given
        for answer in (fallbacks(value) | ({text(value)} if name in parameters else set()))
    }
    return [
        replace(check, grade=min(check.grade, Grade.EXISTS), why=WHY)
        if check.relation == "==" and any(_is_about(check, *each, before) for each in taken)
        else check
        for check in found
    ]


def _is_about(check: Check, name: str, answer: str, line: int, before: int) -> bool:
    sides = {check.subject, check.wanted}
    return sides == {name, answer} and name != answer and line < check.line - before
