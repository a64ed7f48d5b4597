"""Loops over a part of a list only: `CASES[:2]`, `islice(CASES, 3)`, `set(CASES) - {3}` (policy set v2, class G05).

An assertion in such a loop is the one in a loop over the whole list, run for fewer cases.
"""

from __future__ import annotations

import ast
import copy

from ralph.guardrails.python.claims import constant_value, is_constant, name_of, source_of
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

KEEPING = frozenset({"list", "tuple", "enumerate", "sorted", "reversed", "iter", "zip", "set"})
"""What gives the elements of what it is given."""
SAMPLES = later(r"(?:^|\.)(?:islice|sample|choices)$")


def whole(items: ast.expr) -> ast.expr:
    """What is gone through, without what cuts it: the same tree where nothing does."""
    match items:
        case ast.Subscript(value=inner, slice=ast.Slice() as cut) if _cuts(cut):
            return whole(inner)
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return whole(inner) if whole(inner) is not inner else items
        case ast.Call(args=[inner, _, *_]) if SAMPLES.search(name_of(items)):
            return whole(inner)
        case ast.BinOp(left=inner, op=ast.BitAnd() | ast.Sub(), right=ast.Set()):
            return whole(inner)
        case ast.BinOp(left=ast.Set(), op=ast.BitAnd(), right=inner):
            return whole(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="intersection" | "difference"), args=[ast.expr() as other]):
            return whole(inner) if is_constant(other) else whole(other) if is_constant(inner) else items
        case ast.Call(func=ast.Name(id=name), args=given) if name in KEEPING:
            parts = [whole(each) for each in given]
            if any(new is not old for new, old in zip(parts, given, strict=True)):
                return ast.Call(func=items.func, args=parts, keywords=items.keywords)
    return items


def is_cut(loop: ast.For | ast.AsyncFor, items: ast.expr) -> bool:
    """It goes through a part of them: it is handed one, or leaves at the end of its first round."""
    return whole(items) is not items or any(isinstance(each, ast.Break | ast.Return) for each in loop.body)


def over_of(items: ast.expr) -> str:
    """What is gone through, as a whole and in whatever order."""
    items = whole(items)
    while isinstance(items, ast.Call) and name_of(items) in KEEPING and len(items.args) == 1:
        items = items.args[0]
    return source_of(items)


def in_whole(tree: ast.expr) -> ast.expr:
    """The tree with comprehensions over whole lists: the same where none goes through a part."""
    parts = [each for each in walk(tree) if isinstance(each, ast.comprehension)]
    if all(whole(each.iter) is each.iter for each in parts):
        return tree
    fresh = copy.deepcopy(tree)
    for part in walk(fresh):
        if isinstance(part, ast.comprehension):
            part.iter = whole(part.iter)
    return fresh


def _cuts(cut: ast.Slice) -> bool:
    """`[:]` and `[::-1]` leave nothing out."""
    step = None if cut.step is None else constant_value(cut.step)
    first = None if cut.lower is None else constant_value(cut.lower)
    return (
        cut.upper is not None
        or first not in (None, (0,))
        or (cut.lower is not None and first is None)
        or (cut.step is not None and step not in ((1,), (-1,)))
    )


def length_of(number: int, cut: ast.Slice) -> int | None:
    """How many of so many elements are left; None if nobody can tell."""
    ends: list[int | None] = []
    for each in (cut.lower, cut.upper, cut.step):
        known = None if each is None else constant_value(each)
        if each is not None and (known is None or not isinstance(known[0], int)):
            return None
        ends.append(known[0] if known is not None and isinstance(known[0], int) else None)
    return len(range(number)[slice(*ends)]) if ends[2] != 0 else None
