"""The code of an expression, letter by letter what `ast.unparse` writes, in half of its time.

What most expressions are made of is written here: names, members, constants, calls, items, lists, tuples, tables, and
operators between these. Whatever may need parentheses where it stands, or is rarer, is left to `ast`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

ALIKE = frozenset({str, bytes, int, bool, type(None)})
"""Constants that `ast` writes as `repr` does."""
BOUND = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""They bind as closely as anything: before a dot, a bracket or a parenthesis they stand as they are."""
PLAIN = (*BOUND, ast.Constant, ast.List, ast.Dict, ast.Tuple)
"""What no operator beside it pulls apart."""
COMPARES: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.MatMult: "@",
    ast.Div: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.FloorDiv: "//",
    ast.Pow: "**",
}
SIGNS: dict[type[ast.unaryop], str] = {ast.Invert: "~", ast.Not: "not ", ast.UAdd: "+", ast.USub: "-"}


def unparsed(tree: ast.AST) -> str:
    """Raises ValueError and RecursionError as `ast.unparse` does, for what is no whole tree or nested too deeply."""
    write = WRITERS.get(type(tree))
    plain = write(tree) if write is not None else None
    return ast.unparse(tree) if plain is None else plain


def _name(tree: ast.Name) -> str:
    return tree.id


def _constant(tree: ast.Constant) -> str | None:
    return repr(tree.value) if type(tree.value) in ALIKE and tree.kind is None else None


def _bound(tree: ast.expr) -> str | None:
    return unparsed(tree) if isinstance(tree, BOUND) else None


def _attribute(tree: ast.Attribute) -> str | None:
    owner = _bound(tree.value)
    return None if owner is None else f"{owner}.{tree.attr}"


def _call(tree: ast.Call) -> str | None:
    called = _bound(tree.func)
    if called is None or (len(tree.args) == 1 and isinstance(tree.args[0], ast.GeneratorExp)):
        return None
    arguments = _items(tree.args)
    if arguments is None:
        return None
    for each in tree.keywords:
        arguments.append(f"{'**' if each.arg is None else f'{each.arg}='}{unparsed(each.value)}")
    return f"{called}({', '.join(arguments)})"


def _items(trees: list[ast.expr]) -> list[str] | None:
    """Each on its own; `*items` only of what needs no parentheses."""
    items = []
    for each in trees:
        if not isinstance(each, ast.Starred):
            items.append(unparsed(each))
        elif (many := _bound(each.value)) is not None:
            items.append(f"*{many}")
        else:
            return None
    return items


def _subscript(tree: ast.Subscript) -> str | None:
    owner = _bound(tree.value)
    plain = owner is not None and isinstance(tree.slice, (*BOUND, ast.Constant))
    return f"{owner}[{unparsed(tree.slice)}]" if plain else None


def _list(tree: ast.List) -> str | None:
    items = _items(tree.elts)
    return None if items is None else f"[{', '.join(items)}]"


def _tuple(tree: ast.Tuple) -> str | None:
    items = _items(tree.elts)
    return None if items is None else f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _dict(tree: ast.Dict) -> str | None:
    pairs = [
        f"{unparsed(key)}: {unparsed(value)}"
        for key, value in zip(tree.keys, tree.values, strict=True)
        if key is not None
    ]
    return f"{{{', '.join(pairs)}}}" if len(pairs) == len(tree.keys) else None


def _compare(tree: ast.Compare) -> str | None:
    if not all(isinstance(each, PLAIN) for each in (tree.left, *tree.comparators)):
        return None
    rest = (f" {COMPARES[type(op)]} {unparsed(each)}" for op, each in zip(tree.ops, tree.comparators, strict=True))
    return unparsed(tree.left) + "".join(rest)


def _operation(tree: ast.BinOp) -> str | None:
    if not (isinstance(tree.left, PLAIN) and isinstance(tree.right, PLAIN)):
        return None
    return f"{unparsed(tree.left)} {OPERATORS[type(tree.op)]} {unparsed(tree.right)}"


def _negation(tree: ast.UnaryOp) -> str | None:
    return f"{SIGNS[type(tree.op)]}{unparsed(tree.operand)}" if isinstance(tree.operand, PLAIN) else None


WRITERS: dict[type[ast.AST], Callable[[Any], str | None]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.BinOp: _operation,
    ast.UnaryOp: _negation,
    ast.Dict: _dict,
    ast.Compare: _compare,
}
