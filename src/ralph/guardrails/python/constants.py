"""Expressions whose value is known from the text: strings put together so that no word stands in one piece."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ralph.guardrails.python.decoding import CODECS, MODULES
from ralph.system.patterns import later

LIMIT = 10_000
"""No constant is made larger than this."""
MOST_ROUNDS = 500
"""No comprehension and no `map` goes through more than this."""

Known = Mapping[str, Any]
"""What the names of a comprehension stand for."""
NOTHING: Known = MappingProxyType({})

_PLAIN = later(
    r"(?P<text>\"[^\"\\\r\n\0\ud800-\udfff]*\"|'[^'\\\r\n\0\ud800-\udfff]*')|(?P<number>0|[1-9][0-9]{0,15})"
    r"|(?!(?:None|True|False|__debug__)\b)[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
)
"""What can be told without a parser: a plain text, a number, a name."""

_METHODS = frozenset(
    ("join", "replace", "lower", "upper", "strip", "lstrip", "rstrip", "format", "title", "capitalize", "swapcase")
) | frozenset(("casefold", "removeprefix", "removesuffix", "split", "rsplit", "encode", "decode", "hex"))
_MADE: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "str": str,
    "int": int,
    "len": len,
    "chr": chr,
    "ord": ord,
    "list": tuple,
    "tuple": tuple,
    "reversed": lambda given: tuple(given)[::-1],
    "bytes": lambda given: bytes(given) if isinstance(given, tuple | bytes) else None,
    "bytearray": lambda given: bytes(given) if isinstance(given, tuple | bytes) else None,
}
_WIDE = later(r"\d{4}")
"""A width that would make a format's answer large."""
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mod: lambda a, b: None if isinstance(a, bytes) or (isinstance(a, str) and _WIDE.search(a)) else a % b,
    ast.BitXor: operator.xor,
    ast.Mult: lambda a, b: a * b if isinstance(b, int) and isinstance(a, str | tuple) and len(a) * b <= LIMIT else None,
}


def constant(text: str, known: Known = NOTHING) -> object:
    """The value of an expression of constants, and of names that are known; None if it has none."""
    if (plain := _PLAIN.fullmatch(text)) is not None and text not in known:
        return text[1:-1] if plain["text"] else int(text) if plain["number"] else None
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, known)
    except (SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr, known: Known = NOTHING) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in known:
            return known[node.id]
        case ast.Tuple() | ast.List():
            return tuple(_value(each, known) for each in node.elts)
        case ast.BinOp():
            return _bounded(_OPERATORS[type(node.op)](_value(node.left, known), _value(node.right, known)))
        case ast.JoinedStr():
            return "".join(str(_value(each, known)) for each in node.values)
        case ast.FormattedValue(format_spec=None):
            return _value(node.value, known)
        case ast.Subscript(value=ast.Dict(keys=keys, values=values)):
            known_keys = [None if key is None else _value(key, known) for key in keys]
            return _value(values[known_keys.index(_value(node.slice, known))], known)
        case ast.Subscript():
            return _value(node.value, known)[_index(node.slice, known)]
        case ast.GeneratorExp() | ast.ListComp():
            return _each(node, known)
        case ast.Call():
            return _bounded(_called(node, known))
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, known)
        case _:
            raise ValueError


def _called(node: ast.Call, known: Known) -> Any:
    match node:
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id=name), given], keywords=[]) if name in _MADE:
            return tuple(map(_MADE[name], _few(_value(given, known))))
        case ast.Call(func=ast.Name(id=name), args=[given], keywords=[]) if name in _MADE:
            return _MADE[name](_value(given, known))
        case ast.Call(func=ast.Name(id="str"), args=[given, coding], keywords=[]):
            return str(_value(given, known), _value(coding, known))
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), keywords=[]) if (
            module in MODULES and name in CODECS
        ):
            return CODECS[name](*(_value(each, known) for each in node.args))
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in CODECS:
            return CODECS[name](*(_value(each, known) for each in node.args))
        case ast.Call(func=ast.Attribute(value=owner, attr=method), keywords=[]) if method in _METHODS:
            text = _value(owner, known)
            if not isinstance(text, str | bytes) or (isinstance(text, str) and _WIDE.search(text)):
                raise ValueError
            made = getattr(text, method)(*(_value(each, known) for each in node.args))
            return tuple(made) if isinstance(made, list) else made
        case _:
            raise ValueError


def _each(node: ast.GeneratorExp | ast.ListComp, known: Known) -> tuple[Any, ...]:
    """What a comprehension makes; one inside of another makes too much."""
    match node.generators:
        case [ast.comprehension(target=ast.Name(id=name), iter=given, ifs=[])] if not _repeats(node.elt):
            return tuple(_value(node.elt, {**known, name: each}) for each in _few(_value(given, known)))
        case _:
            raise ValueError


def _repeats(node: ast.expr) -> bool:
    return any(isinstance(each, ast.GeneratorExp | ast.ListComp) for each in ast.walk(node))


def _few(given: Any) -> Any:
    if len(given) > MOST_ROUNDS:
        raise ValueError
    return given


def _index(node: ast.expr, known: Known) -> Any:
    if not isinstance(node, ast.Slice):
        return _value(node, known)
    return slice(*(None if part is None else _value(part, known) for part in (node.lower, node.upper, node.step)))


def _bounded(value: Any) -> Any:
    if value is None or (isinstance(value, str | bytes | tuple) and len(value) > LIMIT):
        raise ValueError
    return value
