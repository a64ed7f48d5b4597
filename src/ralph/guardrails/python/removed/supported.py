"""Tests that run nowhere: to take one away, or to write it anew so that it runs, takes nothing away.

A mark with a condition counts if that is about `sys.version_info` alone and skips on every version that is in use; one
without counts, and so does a skip that is the first thing a test does. What may hold anywhere says nothing about that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ralph.guardrails.python.bodies import without_docstring
from ralph.guardrails.python.claims import COMPARE, source_of
from ralph.guardrails.python.skipped.conditions import VERSIONS
from ralph.system.patterns import later

MARKS = ("mark.skipif", "unittest.skipIf", "skipIf")
ALWAYS = later(r"(?:pytest\.)?mark\.skip|(?:unittest\.)?skip")
SKIPS = later(r"(?:pytest\.)?skip|self\.skipTest|(?:unittest\.)?SkipTest|(?:pytest\.)?skip\.Exception")
VERSION = later(r"(?:sys\.)?version_info(?:\[:(?P<parts>[23])\])?")


def runs_nowhere(
    marks: Iterable[ast.expr], body: list[ast.stmt], versions: Sequence[tuple[int, int]] = VERSIONS
) -> bool:
    """One of the marks skips the test on all versions, or it begins with a skip."""
    return any(_skips(mark, versions) for mark in marks) or _begins_with_skip(without_docstring(body))


def _skips(mark: ast.expr, versions: Sequence[tuple[int, int]]) -> bool:
    called = mark.func if isinstance(mark, ast.Call) else mark
    if ALWAYS.fullmatch(source_of(called)):
        return True
    if not isinstance(mark, ast.Call) or not source_of(called).endswith(MARKS) or not mark.args:
        return False
    return all(_holds(mark.args[0], version) for version in versions)


def _begins_with_skip(body: list[ast.stmt]) -> bool:
    match body[:1]:
        case [ast.Expr(value=ast.Call(func=called))] | [ast.Raise(exc=ast.Call(func=called))]:
            return SKIPS.fullmatch(source_of(called)) is not None
    return False


def _holds(condition: ast.expr, version: tuple[int, int]) -> bool:
    match condition:
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Tuple(elts=parts)]):
            wanted = tuple(part.value for part in parts if isinstance(part, ast.Constant))
            compare, asked = COMPARE.get(type(operator)), VERSION.fullmatch(source_of(left))
            if asked is None or len(wanted) != len(parts) or compare is None:
                return False
            running = (*version, 1, "final", 0)[: int(asked["parts"] or 5)]
            return all(isinstance(part, int) for part in wanted) and bool(compare(running, wanted))
    return False
