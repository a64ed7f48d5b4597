"""Assertions of a branch that no version of Python takes which a project still supports (policy set v2, class G05).

Rule: the head's `requires-python` has a lowest version, and an `if` around the assertion asks for the version alone,
and is never taken that way from there on. To take such an assertion away takes nothing away. What asks for anything
else as well may be taken anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.model import Change
from ralph.guardrails.python.claims import COMPARE, source_of
from ralph.guardrails.python.removed.floors import supported_versions
from ralph.guardrails.texts import UnreadableError, decoded
from ralph.system.patterns import later

Version = tuple[int, int]
ASKS = later(rb"version_info|\bPY[23]\b")
VERSION = later(r"(?:sys\.)?version_info(?:\[:(?P<parts>\d)\])?")
MAJOR = later(r"(?:sys\.)?version_info(?:\[0\]|\.major)")
NOT_YET = (3, 99)
"""What holds from some later version on will hold."""
OLD, NEW = later(r"(?:\w+\.)*(?:IS_)?PY2"), later(r"(?:\w+\.)*(?:IS_)?PY3")


def stands_in_dead_branch(check: Check, test: Test, change: Change) -> bool:
    """An assertion of a test of the base."""
    data = change.blobs.before(test.path) if test.path.endswith(".py") else None
    if data is None or not check.line or ASKS.search(data) is None:
        return False
    versions = supported_versions(test.path, change)
    versions = (*versions, NOT_YET) if versions else ()
    try:
        tree = ast.parse(decoded("python", data)) if versions else None
    except (SyntaxError, ValueError, RecursionError, UnreadableError):
        return False
    return tree is not None and any(
        all(truth(condition, version) is not taken for version in versions)
        and all(truth(condition, version) is not None for version in versions)
        for condition, taken in _conditions(tree, check.line)
    )


def _conditions(tree: ast.Module, line: int) -> Iterator[tuple[ast.expr, bool]]:
    """What is asked around a line, and which answer leads there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            for statements, taken in ((node.body, True), (node.orelse, False)):
                if statements and statements[0].lineno <= line <= (statements[-1].end_lineno or 0):
                    yield node.test, taken


def truth(condition: ast.expr, version: Version) -> bool | None:
    """The answer on this version; None if it depends on anything else."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            answer = truth(inner, version)
            return None if answer is None else not answer
        case ast.BoolOp(op=operator, values=values):
            answers = [truth(each, version) for each in values]
            decides = isinstance(operator, ast.Or)
            return decides if decides in answers else None if None in answers else not decides
        case ast.Compare(left=left, ops=[compared], comparators=[right]):
            return _compared(source_of(left), compared, right, version)
    written = source_of(condition)
    return False if OLD.fullmatch(written) else True if NEW.fullmatch(written) else None


def _compared(left: str, operator: ast.cmpop, right: ast.expr, version: Version) -> bool | None:
    compare, whole = COMPARE.get(type(operator)), VERSION.fullmatch(left)
    wanted = _constant(right)
    running: Any = version[0] if MAJOR.fullmatch(left) else None
    if whole is not None:
        running = (*version, 1, 0, 0)[: int(whole["parts"] or 5)]
    if compare is None or running is None or wanted is None or type(wanted) is not type(running):
        return None
    return bool(compare(running, wanted))


def _constant(node: ast.expr) -> Any:
    """A number, or several."""
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Tuple(elts=parts):
            numbers = tuple(_constant(each) for each in parts)
            return numbers if all(isinstance(each, int) for each in numbers) else None
    return None
