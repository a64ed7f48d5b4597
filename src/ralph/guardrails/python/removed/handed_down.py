"""Tests that are gone from a class, which still has them from its bases (policy set v2, class G04).

Rule: nothing is lost where the class is still there and still collected, does not define the name itself, and each of
its bases that does defines the very same test, or one that the change edited or added and that asks all that the old
one asked. How far a text over several lines is indented as a whole makes no other test. A base that another package
gives says nothing.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.readers import after, before
from ralph.guardrails.model import Change
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.removed.inherited import DEEPEST, Modules
from ralph.guardrails.python.trees import shape

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, ast.ClassDef]


class HandedDown:
    """What the classes of the head inherit, as far as the project defines it."""

    def __init__(self, matching: Matching, change: Change) -> None:
        self._old, self._new = Modules(before(change)), Modules(after(change))
        self._matching = matching

    def has(self, test: Test) -> bool:
        """The class that the test was in still runs it."""
        if len(test.parts) != 2 or not test.path.endswith(".py"):
            return False
        owner, name = test.parts
        was = self._old.classes(test.path).get(owner)
        now = self._new.classes(test.path).get(owner)
        written = _defined(was, name) if was is not None else None
        if was is None or now is None or written is None or _defined(now, name) is not None:
            return False
        chain = list(self._chain((test.path, now)))
        there = [(place, found) for place in chain if (found := _defined(place[1], name)) is not None]
        return bool(there) and _is_collected(was, chain) and all(self._asks(*each, written, test) for each in there)

    def _chain(self, place: Place, depth: int = DEEPEST) -> Iterator[Place]:
        """The class itself and its bases, the nearest first."""
        yield place
        for each in place[1].bases if depth else ():
            base = self._new.base(place[0], source_of(each))
            if base is not None and base[1] is not place[1]:
                yield from self._chain(base, depth - 1)

    def _asks(self, place: Place, found: Function, written: Function, test: Test) -> bool:
        if _same(found) == _same(written):
            return True
        known = self._touched.get((place[0], place[1].name, found.name))
        return known is not None and _asked(test) <= _asked(known)

    @cached_property
    def _touched(self) -> dict[tuple[str, ...], Test]:
        tests = (*self._matching.added, *(pair.new for pair in self._matching.pairs))
        return {(each.path, *each.parts): each for each in tests if each.kind == "test"}


def _same(function: Function) -> str:
    try:
        return shape(_Dedented().visit(copy.deepcopy(function)))
    except RecursionError:
        return shape(function)


class _Dedented(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        if isinstance(text, str) and "\n" in text:
            return ast.Constant(value=f"{type(node.value).__name__} {textwrap.dedent(text)}")
        return node


def _defined(tree: ast.ClassDef, name: str) -> Function | None:
    """The last one counts."""
    found = [
        each for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == name
    ]
    return found[-1] if found else None


def _is_collected(was: ast.ClassDef, chain: list[Place]) -> bool:
    """It is called as tests are or kept its bases, and neither makes its objects itself nor says that it is no test."""
    now = chain[0][1]
    kept = {source_of(each) for each in was.bases} <= {source_of(each) for each in now.bases}
    said = next((value for _, each in chain if (value := _said(each)) is not None), True)
    made = any(_defined(each, "__init__") is not None for _, each in chain) and _defined(was, "__init__") is None
    return (now.name.startswith("Test") or (kept and bool(was.bases))) and said and not made


def _said(tree: ast.ClassDef) -> bool | None:
    """What it gives `__test__`; nothing if it does not."""
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id="__test__")], value=value):
                return isinstance(value, ast.Constant) and value.value is True
    return None


def _asked(test: Test) -> Counter[tuple[object, ...]]:
    checks = test.facts().checks
    return Counter((*each.key, each.grade, each.slack) for each in checks if each.grade)
