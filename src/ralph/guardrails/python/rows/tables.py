"""The rows of tables that a Python test goes through in a loop, as those of its parameters are (see `bodies`).

Rule: a loop over a literal table, be it a constant of the file, gives its rows, if an assertion in the loop wants what
one of the loop's names, or an entry of its row, holds: that comes last. A table of nothing but inputs gives none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.model import ROW, Check
from ralph.guardrails.python.claims import source_of, text
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.guardrails.python.trees import walk

MOST = 500
"""A longer table is not looked into."""
Row = dict[str, ast.expr]
"""What the names of a loop, or the keys of its row, hold in one round."""


def looped(nodes: Sequence[ast.AST], inliner: Inliner, found: Sequence[Check], before: int) -> list[Row]:
    """The rows of all such loops, with what is wanted last; `before` is the line before the text's first."""
    rows: list[Row] = []
    for node in nodes:
        if isinstance(node, ast.For):
            inside = [each for each in found if node.lineno <= each.line - before <= (node.end_lineno or 0)]
            if any(each.grade for each in inside):
                rows += _wanted_last(
                    list(_rows(node, inliner)), {name for each in inside for name in (each.subject, each.wanted)}
                )
    return rows


def written(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ROW.join(map(text, row.values())) for row in rows))


def constants(rows: Sequence[Row]) -> frozenset[str]:
    parts = (part for row in rows for value in row.values() for part in walk(value))
    return frozenset(repr(part.value) for part in parts if isinstance(part, ast.Constant))


def _wanted_last(rows: list[Row], wanted: set[str]) -> Iterator[Row]:
    names = rows[0].keys() & wanted if 0 < len(rows) <= MOST else set()
    if len(names) == 1 and all(row.keys() == rows[0].keys() and len(row) > 1 for row in rows):
        for row in rows:
            yield {**{name: value for name, value in row.items() if name not in names}, **{n: row[n] for n in names}}


def _rows(loop: ast.For, inliner: Inliner) -> Iterator[Row]:
    target, items = loop.target, inliner.put_in(loop.iter, loop.lineno)
    match target, items:
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[rest, *_]):
            target, items = inner, rest
    match target, items:
        case ast.Name(id=name), ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if key is not None:
                    yield {name: key, f"{source_of(items)}[{name}]": value}
        case ast.Name(id=name), ast.List(elts=elements) | ast.Tuple(elts=elements):
            for each in elements:
                yield from _entries(name, each)
        case ast.Tuple(elts=names), _:
            for parts in _parts(items):
                if len(parts) == len(names):
                    yield {source_of(one): part for one, part in zip(names, parts, strict=True)}


def _entries(name: str, row: ast.expr) -> Iterator[Row]:
    """`case["want"]`, `case[1]`."""
    match row:
        case ast.Dict(keys=keys, values=values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            yield {f"{name}[{source_of(key)}]": value for key, value in pairs if key is not None}
        case ast.Tuple(elts=values) | ast.List(elts=values):
            yield {f"{name}[{index}]": value for index, value in enumerate(values)}


def _parts(items: ast.expr) -> Iterator[list[ast.expr]]:
    match items:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            yield from (each.elts for each in elements if isinstance(each, ast.Tuple | ast.List))
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items")):
            yield from ([key, value] for key, value in zip(keys, values, strict=True) if key is not None)
        case ast.Call(func=ast.Name(id="zip"), args=[ast.List(elts=ones), ast.List(elts=others)]):
            yield from ([one, other] for one, other in zip(ones, others, strict=False))
