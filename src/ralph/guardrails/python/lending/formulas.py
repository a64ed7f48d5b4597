"""Functions of a test file that only pass a question on: `def total(days): return rental(days)["total"]`.

A call of one is written out as what it returns, so that a question that moved into such a function, or out of one, is
the same question. Rules: it returns one expression of calls, attributes, items, parameters and constants, and nothing
else; what is asked in the end is no part of the file itself and no function of Python's own. Anything that computes,
chooses or answers from a table may give another answer than what was asked: it stays what its name says. But
`assert same(a, b)` asserts the comparisons that `same` returns.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ralph.guardrails.python.bodies import Function, without_docstring
from ralph.guardrails.python.lending.making import made
from ralph.guardrails.python.trees import walk
from ralph.record import record

PLAIN = (
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.Name,
    ast.Constant,
    ast.keyword,
    ast.expr_context,
    ast.Tuple,
    ast.List,
    ast.Dict,
)
OWN = frozenset(dir(builtins))
PutIn = Callable[[ast.expr], ast.expr]
"""Writes an expression out as it stands on some line."""


@record
class Formula:
    parameters: tuple[str, ...]
    defaults: Mapping[str, ast.expr]
    value: ast.expr


class Formulas:
    """`own` are the names that the file itself defines, `values` what it gives to names."""

    def __init__(self, functions: Iterable[Function], own: AbstractSet[str], values: Mapping[str, ast.expr]) -> None:
        listed = list(functions)
        names = Counter(each.name for each in listed)
        read = {each.name: _read(each) for each in listed if names[each.name] == 1}
        self._known = {name: formula for name, formula in read.items() if formula is not None and _is_plain(formula)}
        self._decides = {name: formula for name, formula in read.items() if formula is not None and _decides(formula)}
        self._own, self._values = own, values

    def __bool__(self) -> bool:
        return bool(self._known or self._decides)

    def asked(self, nodes: Iterable[ast.AST], put_in: Callable[[int], PutIn]) -> dict[str, frozenset[str]]:
        """Those that stand for what they return in some code, each with the functions that it calls itself."""
        found = dict[str, frozenset[str]]()
        for node in nodes:
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in self._known and name not in found:
                    if self.applied(node, put_in(node.lineno)) is not None:
                        found[name] = frozenset(_called(self._known[name].value))
        return found

    def applied(self, call: ast.Call, put_in: PutIn) -> ast.expr | None:
        """What a call stands for; None for any other call."""
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                formula = self._known.get(name)
            case _:
                return None
        given = None if formula is None else _bound(formula, call)
        if formula is None or given is None:
            return None
        value = _Given({name: put_in(argument) for name, argument in given.items()}).visit(copy.deepcopy(formula.value))
        return value if isinstance(value, ast.expr) and self._asks_others(value) else None

    def decided(self, call: ast.Call, put_in: PutIn) -> ast.expr | None:
        """What has to hold where `assert same(a, b)` does."""
        formula = self._decides.get(call.func.id) if isinstance(call.func, ast.Name) else None
        given = None if formula is None else _bound(formula, call)
        if formula is None or given is None:
            return None
        written = {name: put_in(argument) for name, argument in given.items()}
        value = _Given(written).visit(copy.deepcopy(formula.value))
        return value if isinstance(value, ast.expr) else None

    def _asks_others(self, value: ast.expr) -> bool:
        root, called = value, False
        while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
            called = called or isinstance(root, ast.Call)
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name) or not called or root.id in OWN:
            return False
        return root.id in self._known or (root.id not in self._own and root.id not in self._values)


class _Given(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _called(value: ast.expr) -> Iterator[str]:
    for each in walk(value):
        match each:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name


def _read(function: Function) -> Formula | None:
    arguments = function.args
    if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list or arguments.vararg or arguments.kwarg:
        return None
    value = made(without_docstring(function.body))
    if value is None:
        return None
    places = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    defaults = dict(zip(reversed(places), reversed(arguments.defaults), strict=False))
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        places.append(each.arg)
        defaults |= {each.arg: default} if default is not None else {}
    return Formula(tuple(each for each in places if each not in ("self", "cls")), defaults, value)


def _is_plain(formula: Formula) -> bool:
    parts = walk(formula.value)
    own = (isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in OWN for each in parts)
    return all(isinstance(each, PLAIN) for each in parts) and not any(own)


def _decides(formula: Formula) -> bool:
    """It is true where all of its comparisons are."""
    parts = formula.value.values if isinstance(formula.value, ast.BoolOp) else [formula.value]
    every = not isinstance(formula.value, ast.BoolOp) or isinstance(formula.value.op, ast.And)
    return every and all(isinstance(each, ast.Compare) for each in parts)


def _bound(formula: Formula, call: ast.Call) -> dict[str, ast.expr] | None:
    """What the parameters are given; None for a call that cannot be told apart."""
    named = {each.arg: each.value for each in call.keywords if each.arg}
    if len(named) != len(call.keywords) or len(call.args) > len(formula.parameters):
        return None
    given = dict(zip(formula.parameters, call.args, strict=False))
    if any(isinstance(each, ast.Starred) for each in call.args) or given.keys() & named.keys():
        return None
    given = {**formula.defaults, **given, **named}
    return given if given.keys() == set(formula.parameters) else None
