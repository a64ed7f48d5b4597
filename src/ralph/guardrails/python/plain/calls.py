"""What a plain script calls at its top level, put in the place of the calls: `main()` is what stands in `main`.

Rules: a function of the file without parameters is put in, as are those in it; so is each of a list of functions that a
loop calls, and each of those that are called `test...` where a loop looks for them in `globals()`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.plain.statements import Function, passed_on, said
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

DEEPEST = 4
MOST = 200
"""So many calls are put in."""
LOOKS_UP = later(r"\b(?:globals|locals|vars|dir)\(\)|\b(?:vars|dir|getmembers)\(")
CHOOSES = later(r"\.startswith\(|\bcallable\(|\bisfunction\(")
BLOCKS = ("body", "orelse", "finalbody")


class Calls:
    """`bodies` are what stands in the functions that can be put in."""

    def __init__(self, functions: Mapping[str, Function], bodies: Mapping[str, list[ast.stmt]]) -> None:
        self._bodies = {name: bodies[name] for name, each in functions.items() if _takes_nothing(each)}
        self._coroutines = {name for name, each in functions.items() if isinstance(each, ast.AsyncFunctionDef)}
        self._left = MOST

    def put_in(self, statements: Iterable[ast.stmt], depth: int = DEEPEST) -> list[ast.stmt]:
        return [new for each in statements for new in self._read(each, depth)]

    def _read(self, node: ast.stmt, depth: int) -> Iterator[ast.stmt]:
        called = _called(node)
        if called in self._coroutines and _is_bare(node):
            return
        if called in self._bodies and depth and self._left:
            self._left -= 1
            yield from _block(self.put_in(copy.deepcopy(self._bodies[called]), depth - 1), node)
        elif isinstance(node, ast.For) and depth and (names := list(self._gone_through(node))):
            for name in names:
                yield from self.put_in(_with_name(node, name), depth)
        elif any(isinstance(getattr(node, name, None), list) for name in BLOCKS) and not isinstance(
            node, Function | ast.ClassDef
        ):
            yield self._inside(node, depth)
        else:
            yield node

    def _inside(self, node: ast.stmt, depth: int) -> ast.stmt:
        fresh = copy.copy(node)
        for name in BLOCKS:
            if block := getattr(node, name, None):
                setattr(fresh, name, self.put_in(block, depth))
        return fresh

    def _gone_through(self, loop: ast.For) -> Iterator[str]:
        """The functions that a loop calls one after the other."""
        if LOOKS_UP.search(source_of(loop.iter)):
            yield from (name for name in self._bodies if name.startswith("test"))
        elif isinstance(loop.iter, ast.List | ast.Tuple) and isinstance(loop.target, ast.Name):
            listed = [each.id for each in loop.iter.elts if isinstance(each, ast.Name)]
            yield from (name for name in listed if name in self._bodies)


def _called(node: ast.stmt) -> str:
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    given = passed_on(value.value if isinstance(value, ast.Await) else value) if value is not None else None
    return given.func.id if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) else ""


def _is_bare(node: ast.stmt) -> bool:
    """Nothing waits for what is called, or runs it."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    return isinstance(value, ast.Call) and passed_on(value) is value


def _block(body: list[ast.stmt], place: ast.stmt) -> list[ast.stmt]:
    """What leaves the function does not leave the script, and at its end leaves nothing out."""
    match body:
        case [*body, ast.Return(value=value)]:
            body += [said(value, place)] if value is not None else []
    if any(isinstance(each, ast.Return) for part in body for each in walk(part)):
        return [ast.copy_location(ast.With(items=[], body=body), place)]
    return body


def _with_name(loop: ast.For, name: str) -> list[ast.stmt]:
    """The body of a loop, for one of the functions that it calls."""
    targets = {each.id for each in walk(loop.target) if isinstance(each, ast.Name)}
    body = list(_chosen(copy.deepcopy(loop.body)))
    for part in (each for statement in body for each in walk(statement)):
        if isinstance(part, ast.Call) and _is_one_of(part.func, targets):
            part.func = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), part.func)
            part.args = []
    return body


def _chosen(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Without the conditions that choose a function by its name or kind."""
    for each in body:
        if not isinstance(each, ast.If) or not CHOOSES.search(source_of(each.test)):
            yield each
        elif not isinstance(each.body[-1], ast.Continue):
            yield from each.body


def _is_one_of(called: ast.expr, targets: set[str]) -> bool:
    if isinstance(called, ast.Subscript):  # `globals()[name]()`
        return isinstance(called.slice, ast.Name) and called.slice.id in targets
    return isinstance(called, ast.Name) and called.id in targets


def _takes_nothing(function: Function) -> bool:
    asked = function.args
    given = len(asked.defaults) + sum(each is not None for each in asked.kw_defaults)
    return len(asked.posonlyargs) + len(asked.args) + len(asked.kwonlyargs) == given and not function.decorator_list
