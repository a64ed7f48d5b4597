"""Go: what the assertions of gotest.tools demand, as far as testify has no name for them.

Rules (policy set v2, class G04): `assert.Assert(t, condition)` and `assert.Check(t, condition)` demand that it holds;
with a comparison of the package `cmp` (`is.Equal(a, b)`) they demand what its name says. `NilError` wants no error.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import error_before, is_testing, named_call, own_work
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared, holds
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import parent_of
from ralph.system.patterns import later

PACKAGE = "assert"
CONDITIONS = frozenset({"Assert", "Check"})
OF_CMP = later(r"is|cmp")
EQUAL = frozenset({"Equal", "DeepEqual"})
GRADES = {
    "Contains": Grade.SHAPE,
    "Regexp": Grade.CLOSE,
    "ErrorContains": Grade.CLOSE,
    "ErrorIs": Grade.CLOSE,
    "ErrorType": Grade.CLOSE,
    "Error": Grade.EXACT,
    "Nil": Grade.CLOSE,
    "Panics": Grade.CLOSE,
}


def gotest(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    package, name, listed = named_call(node)
    if package != PACKAGE or len(listed) < 2 or not is_testing(text_of(listed[0]), node):
        return
    if name in CONDITIONS:
        yield from _condition(listed[1], writing)
    elif name == "DeepEqual" and len(listed) > 2:
        yield compared(listed[1], "==", listed[2], writing)
    elif name == "NilError":
        yield own_work(Said(writing.of(listed[1]), "NoError", "", Grade.CLOSE), error_before(node))


def is_comparison(node: tree_sitter.Node) -> bool:
    """`is.Equal(a, b)`, with which an assertion asks: it demands nothing by itself."""
    listed = parent_of(node)
    above = parent_of(listed) if listed is not None and listed.type == "argument_list" else None
    if above is None:
        return False
    package, name, _ = named_call(above)
    return package == PACKAGE and name in CONDITIONS and OF_CMP.fullmatch(named_call(node)[0]) is not None


def _condition(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    package, name, listed = named_call(node)
    if not OF_CMP.fullmatch(package):
        yield from holds(node, writing)
    elif name in EQUAL and len(listed) > 1:
        yield compared(listed[0], "==", listed[1], writing)
    elif name == "Len" and len(listed) > 1:
        known = writing.is_constant(listed[1])
        yield Said(f"len({writing.of(listed[0])})", "==", writing.of(listed[1]), Grade.EXACT, known)
    elif listed:
        first, rest = (listed[1], listed[:1]) if name == "Regexp" and len(listed) > 1 else (listed[0], listed[1:2])
        wanted = writing.of(rest[0]) if rest else ""
        known = bool(rest) and writing.is_constant(rest[0])
        yield Said(writing.of(first), name, wanted, GRADES.get(name, Grade.CLOSE), known)
