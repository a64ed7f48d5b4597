"""Code of a test that raises whatever the product does: `int("four")`, `{}["x"]`, `1 / 0` (policy set v2, class G05).

Rules:

- What is made of nothing but constants, by Python itself, raises the same each time. In a `with pytest.raises(...)`
  that waits for just that exception, what is tested is not asked any more.
- An assertion in such a `with` about the exception that it gives is never reached: the exception is there only behind
  it. Neither is one behind the code that raises.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

from ralph.guardrails.python.lending.inlining import Inliner
from ralph.guardrails.python.trees import walk

LONGEST = 200
"""Characters of a statement that is tried."""

METHODS = frozenset({"pop", "index", "remove", "popitem"})
LATER = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What may never run a part of itself."""


def raises_itself(statement: ast.stmt, kinds: str, inliner: Inliner) -> bool:
    """A part of the statement that is made of constants raises one of these."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) or not isinstance(value, ast.expr):
        return False
    if (statement.end_col_offset or 0) > LONGEST:
        return False
    nodes = walk(inliner.put_in(value, statement.lineno))
    if any(isinstance(each, LATER) for each in nodes):
        return False
    wanted = frozenset(re.findall(r"\w+", kinds))
    return any(bool(_error(each) & wanted) for each in nodes)


def _error(tree: ast.AST) -> AbstractSet[str]:
    """The names of the exception that an expression of constants raises, and of what it is derived from."""
    try:
        _tried(tree)
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, StopIteration) as error:
        return frozenset(each.__name__ for each in type(error).__mro__)
    return frozenset()


@cache
def _makers() -> Mapping[str, Callable[..., Any]]:
    """What makes something of constants. No Fraction: one that is written in a few characters can take for ever."""
    import datetime  # these modules are dear to load, and few changes hold such a test
    import decimal
    import json
    import uuid

    return {
        "int": int,
        "float": float,
        "complex": complex,
        "chr": chr,
        "ord": ord,
        "Decimal": decimal.Decimal,
        "UUID": uuid.UUID,
        "loads": json.loads,
        "fromhex": bytes.fromhex,
        "fromisoformat": datetime.datetime.fromisoformat,
    }


def _tried(tree: ast.AST) -> None:
    match tree:
        case ast.Call(func=ast.Name(id="next"), args=[ast.Call(func=ast.Name(id="iter"), args=[given])]):
            if (known := _constants(given)) is not None:
                next(iter(known[0]))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name), args=given, keywords=[]):
            if name in _makers() and (known := _constants(*given)) is not None:
                _makers()[name](*known)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=given, keywords=[]) if name in METHODS:
            if (known := _constants(owner, *given)) is not None:
                getattr(known[0], name)(*known[1:])
        case ast.Subscript(value=owner, slice=key) if not isinstance(key, ast.Slice):
            if (known := _constants(owner, key)) is not None:
                known[0][known[1]]
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
            if (known := _constants(left, right)) is not None and not isinstance(known[0], str | bytes):
                known[0] / known[1]
        case ast.Attribute(value=ast.Constant(value=None), attr=name):
            getattr(None, name)


def _constants(*trees: ast.expr) -> list[Any] | None:
    try:
        return [ast.literal_eval(each) for each in trees]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
