"""What a wanted number is, however it is written: `33.0`, `30 * 1.1`, `sum([10, 20]) * 1.1` (policy set v2, class G05).

Arithmetic looks the same in most languages. What is not nothing but numbers has no value here.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ralph.system.patterns import later

WRITTEN = later(r"[\w\s.+*/%()\[\],-]*\d[\w\s.+*/%()\[\],-]*")
LONGEST = 200
LARGEST = 1e15
MOST_POWERS = 64
OPERATORS: dict[type[ast.operator | ast.unaryop], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: _quotient(a, b),
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": sum,
    "min": min,
    "max": max,
    "abs": abs,
    "round": round,
    "len": len,
    "int": int,
    "float": float,
    "Math.min": min,
    "Math.max": max,
    "Math.abs": abs,
    "Math.floor": math.floor,
    "Math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "math.prod": math.prod,
}


class UnknownError(Exception):
    """It is made of something else."""


@lru_cache(maxsize=1024)
def number_of(written: str) -> float | None:
    """None for what is no number, or one that cannot be told."""
    try:
        return float(written)
    except ValueError:
        pass
    if len(written) > LONGEST or not WRITTEN.fullmatch(written):
        return None
    try:
        value = _value(ast.parse(written.strip(), mode="eval").body)
    except (UnknownError, SyntaxError, TypeError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return float(value) if isinstance(value, int | float) and abs(value) < LARGEST else None


def same_number(one: str, other: str) -> bool | None:
    """Whether both are the same; None if one of them is none."""
    was, now = number_of(one), number_of(other)
    return None if was is None or now is None else math.isclose(was, now, rel_tol=1e-12)


def _value(tree: ast.expr) -> Any:
    match tree:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.List(elts=each) | ast.Tuple(elts=each):
            return [_value(part) for part in each]
        case ast.UnaryOp() if type(tree.op) in OPERATORS:
            return OPERATORS[type(tree.op)](_number(tree.operand))
        case ast.BinOp() if type(tree.op) in OPERATORS:
            return OPERATORS[type(tree.op)](_number(tree.left), _number(tree.right))
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int() as power)) if 0 <= power <= MOST_POWERS:
            return float(_number(tree.left)) ** power
        case ast.Call(func=function, args=given, keywords=[]) if (name := ast.unparse(function)) in FUNCTIONS:
            return FUNCTIONS[name](*map(_value, given))
    raise UnknownError


def _quotient(one: float, other: float) -> float:
    """Of whole numbers it is whole in some languages, so that only what has no rest is known."""
    if isinstance(one, int) and isinstance(other, int) and one % other:
        raise UnknownError
    return one / other


def _number(tree: ast.expr) -> float:
    value = _value(tree)
    if not isinstance(value, int | float) or abs(value) > LARGEST:
        raise UnknownError
    return value
