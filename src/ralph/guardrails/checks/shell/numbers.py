"""Shell arithmetic over numbers that are known: `$((rc | $?))`, `((failed++))`. None is "only running could tell"."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

from ralph.system.patterns import later

ARRAY, ITEM = "\x1e", "\x1f"
"""An array is kept as one text: the mark, then every item with the other mark behind it."""
NAME = later(r"\$?\{?([A-Za-z_]\w*|\?)(?:\[(\d+)\])?\}?")
ASSIGNED = later(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<operator>\+\+|--|[-+*|&]?=(?!=))(?P<rest>.*)", re.DOTALL)
PREFIXED = later(r"\s*(?P<operator>\+\+|--)\s*(?P<name>[A-Za-z_]\w*)\s*")
MAX_LENGTH = 60

_BINARY: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def items(array: str) -> list[str]:
    return array[len(ARRAY) :].split(ITEM)[:-1]


def arithmetic(text: str, variables: Mapping[str, str | None]) -> int | None:
    """The value of an arithmetic expression."""

    def number(match: re.Match[str]) -> str:
        value = variables.get(match[1])
        if value is not None and value.startswith(ARRAY):
            held, index = items(value), int(match[2] or 0)
            value = held[index] if index < len(held) else None
        return value if value is not None and re.fullmatch(r"-?\d{1,6}", value) else "unknown"

    spelled = re.sub(r"\$(?=\()", "", NAME.sub(number, text)).strip()
    spelled = re.sub(r"!(?!=)", " not ", spelled.replace("&&", " and ").replace("||", " or ")).strip()
    if len(spelled) > MAX_LENGTH:
        return None
    try:
        return _value(ast.parse(spelled, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as number):
            return int(number)
        case ast.UnaryOp(op=op, operand=operand):
            return _signed(op, _value(operand))
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
            one, other, apply = _value(left), _value(right), _BINARY.get(type(sign))
            return None if one is None or other is None or apply is None else int(apply(one, other))
        case ast.BoolOp(op=joined, values=values):
            return _joined(isinstance(joined, ast.Or), [_value(value) for value in values])
    return None


def _signed(op: ast.unaryop, value: int | None) -> int | None:
    if value is None or not isinstance(op, ast.Not | ast.USub):
        return None
    return int(not value) if isinstance(op, ast.Not) else -value


def _joined(any_of: bool, values: list[int | None]) -> int | None:
    """`||` and `&&`: one value may decide whatever the others are."""
    known = [bool(value) for value in values if value is not None]
    if any_of in known:
        return int(any_of)
    return None if None in values else int(not any_of)


def assignment(text: str, variables: Mapping[str, str | None]) -> tuple[str, int | None] | None:
    """The variable that `x++`, `x += 1` or `x = a | b` sets, and its value."""
    match = ASSIGNED.fullmatch(text) or PREFIXED.fullmatch(text)
    if match is None:
        return None
    name, sign = match["name"], match["operator"]
    if sign in ("++", "--"):
        return name, arithmetic(f"{name} {sign[0]} 1", variables)
    rest = match["rest"]
    return name, arithmetic(f"{name} {sign[0]} ({rest})" if len(sign) == 2 else rest, variables)
