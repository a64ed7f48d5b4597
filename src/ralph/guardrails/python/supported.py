"""Tests that run on no Python that anybody still uses: to take one away takes nothing away.

A mark counts if its condition is about `sys.version_info` alone and skips on every version that is in use. A mark that
skips for any other reason says nothing about that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ralph.guardrails.python.claims import COMPARE, source_of
from ralph.guardrails.python.conditions import VERSIONS

MARKS = ("mark.skipif", "unittest.skipIf", "skipIf")


def is_of_the_past(marks: Iterable[ast.expr]) -> bool:
    """One of the marks skips the test on all versions."""
    return any(
        isinstance(mark, ast.Call)
        and source_of(mark.func).endswith(MARKS)
        and bool(mark.args)
        and all(_holds(mark.args[0], version) for version in VERSIONS)
        for mark in marks
    )


def _holds(condition: ast.expr, version: tuple[int, int]) -> bool:
    match condition:
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Tuple(elts=parts)]):
            wanted = tuple(part.value for part in parts if isinstance(part, ast.Constant))
            compare = COMPARE.get(type(operator))
            if source_of(left) != "sys.version_info" or len(wanted) != len(parts) or compare is None:
                return False
            return all(isinstance(part, int) for part in wanted) and bool(compare((*version, 1, "final", 0), wanted))
    return False
