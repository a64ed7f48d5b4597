"""Tables in which a function looks its answer up before it computes one (the rules are those of `cases`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.product.functions import Tree
from ralph.guardrails.python.trees import parsed_expression, walk
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TABLE = later(rb"(?ms)^([A-Za-z_]\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(\{[^\n]*\}|\{.*?^\})")
"""A dictionary of the module, and a look-up in one."""


def tables_of(tree: Tree, source: Source, before: Source) -> Iterator[tuple[str, ast.Dict]]:
    """New ones of the module, and those of the function itself."""
    for node in walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as table):
                yield name, table
    for match in TABLE.finditer(source.data):
        if re.search(rb"\b%s\b" % match[1], before.data):
            continue
        written = parsed_expression(match[2].decode("utf-8", "replace"))
        if isinstance(written, ast.Dict):
            yield match[1].decode(), written


def asks_first(tree: Tree, name: str) -> bool:
    """`hit = TABLE.get(x)` and somewhere `return hit`; if it is not there, something is computed."""
    hits = set()
    for node in walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=hit)], value=value)
                | ast.NamedExpr(target=ast.Name(id=hit), value=value)
            ):
                match value:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="get")) if asked == name:
                        hits.add(hit)
    returned = (node.value for node in walk(tree) if isinstance(node, ast.Return))
    return any(isinstance(each, ast.Name) and each.id in hits for each in returned)


def asks_for(node: ast.AST, name: str) -> bool:
    """`if x in TABLE: return TABLE[x]`, `TABLE.get(x, computed(x))`: what is not in the table is computed."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Call(func=ast.Attribute(value=ast.Name(id=given), attr="get")), *_]):
            return given == name
        case ast.Try(body=[ast.Return(value=ast.Subscript(value=ast.Name(id=given)))]):
            return given == name
        case ast.IfExp(
            test=ast.Compare(ops=[ast.In()], comparators=[ast.Name(id=asked)]),
            body=ast.Subscript(value=ast.Name(id=given)),
        ):
            return asked == given == name
        case ast.If(
            test=ast.Compare(ops=[ast.In()], comparators=[ast.Name(id=asked)]),
            body=[ast.Return(value=ast.Subscript(value=ast.Name(id=given)))],
        ):
            return asked == given == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="get" | "setdefault"), args=[_, default]):
            return asked == name and any(isinstance(part, ast.Call | ast.BinOp) for part in walk(default))
    return False
