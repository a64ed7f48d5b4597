"""Expressions whose value is known from the text: strings put together so that no word stands in one piece."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from ralph.system.patterns import later

LIMIT = 10_000
"""No constant is made larger than this."""

_PLAIN = later(
    r"(?P<text>\"[^\"\\\r\n\0\ud800-\udfff]*\"|'[^'\\\r\n\0\ud800-\udfff]*')|(?P<number>0|[1-9][0-9]{0,15})"
    r"|(?!(?:None|True|False|__debug__)\b)[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
)
"""What can be told without a parser: a plain text, a number, a name."""

_METHODS = frozenset(
    ("join", "replace", "lower", "upper", "strip", "lstrip", "rstrip", "format", "title", "capitalize", "swapcase")
)
_MADE: dict[str, Callable[[Any], Any]] = {"bool": bool, "str": str, "int": int, "len": len, "chr": chr}
_WIDE = later(r"\d{4}")
"""A width that would make a format's answer large."""
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mod: lambda a, b: None if isinstance(a, str) and _WIDE.search(a) else a % b,
    ast.Mult: lambda a, b: a * b if isinstance(b, int) and isinstance(a, str | tuple) and len(a) * b <= LIMIT else None,
}


def constant(text: str) -> object:
    """The value of an expression of constants; None if it has none, or names something."""
    if (plain := _PLAIN.fullmatch(text)) is not None:
        return text[1:-1] if plain["text"] else int(text) if plain["number"] else None
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        return None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Tuple() | ast.List():
            return tuple(map(_value, node.elts))
        case ast.BinOp():
            return _bounded(_OPERATORS[type(node.op)](_value(node.left), _value(node.right)))
        case ast.JoinedStr():
            return "".join(map(str, map(_value, node.values)))
        case ast.FormattedValue(format_spec=None):
            return _value(node.value)
        case ast.Subscript():
            return _value(node.value)[_index(node.slice)]
        case ast.Call(func=ast.Attribute(value=owner, attr=method), keywords=[]) if method in _METHODS:
            text = _value(owner)
            known = isinstance(text, str) and not _WIDE.search(text)
            return _bounded(getattr(text, method)(*map(_value, node.args))) if known else None
        case ast.Call(func=ast.Name(id=name), args=[given], keywords=[]) if name in _MADE:
            return _MADE[name](_value(given))
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand)
        case _:
            raise ValueError


def _index(node: ast.expr) -> Any:
    if not isinstance(node, ast.Slice):
        return _value(node)
    return slice(*(None if part is None else _value(part) for part in (node.lower, node.upper, node.step)))


def _bounded(value: Any) -> Any:
    if isinstance(value, str | tuple) and len(value) > LIMIT:
        raise ValueError
    return value
