"""What a Python test asserts through functions of its file, or of one beside it.

A call says what the function says, of what it is handed: `check(total(1), 2)` is `assert total(1) == 2`. Where nobody
can tell which parameter is given what, or the function asserts a lot, the call is one assertion, as strict as the
strictest of the function's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from ralph.guardrails.inventory.lending.calling import MOST
from ralph.guardrails.inventory.model import Check, Facts
from ralph.guardrails.python.assertions.facts import facts_of
from ralph.guardrails.python.claims import text
from ralph.guardrails.python.lending.scope import FunctionDef, Scope
from ralph.record import replace

DEEPEST = 2
"""Helpers that call helpers are followed so far."""


class Helping:
    """Those of a file. Each is read when a test calls it: most are never asked about."""

    def __init__(
        self, functions: Iterable[FunctionDef], values: Mapping[str, ast.expr], deepest: int = DEEPEST
    ) -> None:
        self._functions = {function.name: _handed_out(function) for function in functions}
        self._values = values
        self._deepest = deepest
        self._facts: dict[str, Facts | None] = {}
        self._called: dict[str, tuple[Check, ...]] = {}

    def get(self, name: str) -> Facts | None:
        if name not in self._facts:
            facts = self._read(self._functions[name]) if self._deepest and name in self._functions else None
            self._facts[name] = facts if facts is not None and facts.checks else None
        return self._facts[name]

    def called(self, name: str, call: ast.Call) -> tuple[Check, ...]:
        written = text(call)
        if written not in self._called:
            facts = self.get(name)
            self._called[written] = () if facts is None else self._said(name, call, facts)
        return self._called[written]

    def _said(self, name: str, call: ast.Call, facts: Facts) -> tuple[Check, ...]:
        given = _with_given(self._functions[name], call) if len(facts.checks) <= MOST else None
        if given is None:
            return (as_one(call, facts),)
        return tuple(replace(each, through=name) for each in self._read(given).checks)

    def _read(self, function: FunctionDef) -> Facts:
        known = Scope(self._values, Helping(self._functions.values(), self._values, self._deepest - 1))
        return facts_of(function, known, 1, is_test=False)


def _handed_out(function: FunctionDef) -> FunctionDef:
    """A fixture that returns a function of its own is that function, to those who ask for it."""
    match function.body[-1:]:
        case [ast.Return(value=ast.Name(id=name))] | [ast.Expr(value=ast.Yield(value=ast.Name(id=name)))]:
            inner = [each for each in function.body if isinstance(each, FunctionDef) and each.name == name]
            return inner[-1] if inner and function.decorator_list else function
    return function


def as_one(call: ast.Call, facts: Facts) -> Check:
    """A call as a whole."""
    grade = max(check.grade for check in facts.checks)
    times = None if len(facts.checks) > 1 else 1
    return Check(subject=text(call), relation="helper", wanted="", grade=grade, line=0, column=0, times=times)


def _with_given(function: FunctionDef, call: ast.Call) -> FunctionDef | None:
    """The function without parameters: it begins by giving them what the call hands over."""
    asked = function.args
    named = [*asked.posonlyargs, *asked.args]
    if named and named[0].arg in ("self", "cls") and isinstance(call.func, ast.Attribute):
        named = named[1:]
    keywords = {each.arg: each.value for each in call.keywords}
    unclear = asked.kwarg or None in keywords or any(isinstance(each, ast.Starred) for each in call.args)
    if unclear or (len(call.args) > len(named) and asked.vararg is None):
        return None
    defaults = zip(named[::-1], asked.defaults[::-1], strict=False)
    given = {each.arg: value for each, value in defaults}
    given |= {each.arg: value for each, value in zip(asked.kwonlyargs, asked.kw_defaults, strict=True) if value}
    given |= {each.arg: value for each, value in zip(named, call.args, strict=False)}
    given |= {name: value for name, value in keywords.items() if name}
    if asked.vararg is not None:  # `def check(rows, *expected)`
        named = [*named, asked.vararg]
        given[asked.vararg.arg] = ast.Tuple(elts=list(call.args[len(named) - 1 :]), ctx=ast.Load())
    if {each.arg for each in (*named, *asked.kwonlyargs)} != given.keys():
        return None
    first: list[ast.stmt] = [
        ast.Assign([ast.Name(name, ast.Store())], value, lineno=function.lineno, col_offset=0)
        for name, value in given.items()
    ]
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    kind = type(function)
    return kind(
        function.name, none, [*first, *function.body], function.decorator_list, lineno=function.lineno, col_offset=0
    )
