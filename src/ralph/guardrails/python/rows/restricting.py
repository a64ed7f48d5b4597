"""What a test with made-up values (Hypothesis) leaves out: `assume(...)`, `.filter(...)`, bounds of strategies, or
values of its own in place of those made up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy

from ralph.guardrails.inventory.model import Tries
from ralph.guardrails.python.claims import constant_value, name_of, source_of
from ralph.guardrails.python.lending.scope import FunctionDef
from ralph.guardrails.python.rows.generating import GIVEN, SAMPLED, is_few
from ralph.system.patterns import later

ASSUMES = later(r"(?:^|\.)assume$")
POSITIONAL = {
    **dict.fromkeys(("integers", "floats", "decimals", "fractions", "dates", "datetimes"), ("min_value", "max_value")),
    "text": ("alphabet",),
}
"""What the first arguments of a strategy are."""
LOWER, UPPER = frozenset({"min_value", "min_size"}), frozenset({"max_value", "max_size"})


def tries_of(function: FunctionDef, nodes: Iterable[ast.AST], values: Mapping[str, ast.expr]) -> Tries:
    limits = _Limits(values)
    given = (each for each in function.decorator_list if isinstance(each, ast.Call) and GIVEN.search(name_of(each)))
    listed = list(given)
    strategies = "; ".join(source_of(limits.visit(deepcopy(each))) for each in listed)
    made = [part for each in listed for part in (*each.args, *(option.value for option in each.keywords))]
    singles = sum(is_few(values.get(each.id, each) if isinstance(each, ast.Name) else each) for each in made)
    left_out = (*_assumed(nodes), *(_given_anew(function, nodes) if listed else ()))
    return Tries(strategies, {**limits.found, **dict.fromkeys(left_out, 0.0)}, singles)


def _given_anew(function: FunctionDef, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Whatever was made up for a parameter, the test takes another value: `text = text.strip()`."""
    names = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names:
                yield f"{name} = {source_of(value)}"


def _assumed(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Call) and len(node.args) == 1 and ASSUMES.search(name_of(node)):
            yield from (f"assume({source_of(each)})" for each in _parts(node.args[0]))


def _parts(condition: ast.expr) -> Sequence[ast.expr]:
    both = isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And)
    return condition.values if both and isinstance(condition, ast.BoolOp) else [condition]


class _Limits(ast.NodeTransformer):
    """Takes filters and bounds out of strategies and notes them, each with the number of the strategy it belongs to."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.found: dict[str, float] = {}
        self._values = values
        self._number = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A strategy that a constant of the file holds."""
        value = self._values.get(node.id)
        return self.visit_Call(deepcopy(value)) if isinstance(value, ast.Call) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="filter"), args=[condition]):
                self.found[f"{self._number} .filter({source_of(condition)})"] = 0.0
                found: ast.expr = self.visit(inner)
                return found
        self._number += 1
        name = name_of(node).rpartition(".")[2]
        match node.args:
            case [ast.List(elts=elements) | ast.Tuple(elts=elements)] if SAMPLED.search(name):
                self.found[f"{self._number} {name}"] = -float(len(elements))
                node.args = []
        bounds = dict(zip(POSITIONAL.get(name, ()), node.args, strict=False))
        node.args = node.args[len(bounds) :]
        bounds |= {each.arg: each.value for each in node.keywords if each.arg in LOWER | UPPER | {"alphabet"}}
        node.keywords = [each for each in node.keywords if each.arg not in bounds]
        for option, value in bounds.items():
            self._note(f"{self._number} {name}({option}", option, value)
        self.generic_visit(node)
        return node

    def _note(self, place: str, option: str, value: ast.expr) -> None:
        """The more, the narrower; a bound that is no number is what it is."""
        known = constant_value(value)
        match known[0] if known else None:
            case None if known:
                return
            case bool():
                return
            case int() | float() as number:
                self.found[f"{place}=…)"] = float(number) if option in LOWER else -float(number)
            case str() as letters:
                self.found[f"{place}=…)"] = -float(len(letters))
            case _:
                self.found[f"{place}={source_of(value)})"] = 0.0
