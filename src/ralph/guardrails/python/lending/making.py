"""What a function of a test file gives that makes something and fills it, one step after the other.

`cart = Cart(); cart.add("tea", 2); return cart` gives `Cart()`, as the name `cart` would be written out in the test
itself. Anything that chooses, repeats, or looks at what it made stays what it is called.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ralph.guardrails.python.trees import walk

STEPS = (ast.Import, ast.ImportFrom)


def made(body: Sequence[ast.stmt]) -> ast.expr | None:
    """Of a body without its docstring; None where it does something else."""
    if not body:
        return None
    match body[-1]:
        case ast.Return(value=ast.expr() as value) | ast.Expr(value=ast.Yield(value=ast.expr() as value)):
            pass
        case _:
            return None
    steps = [each for each in body[:-1] if not isinstance(each, STEPS)]
    if not steps:
        return value
    given = _given(steps)
    return given.get(value.id) if given is not None and isinstance(value, ast.Name) else None


def _given(steps: Sequence[ast.stmt]) -> dict[str, ast.expr] | None:
    """What names are given by steps that nothing else happens in."""
    given: dict[str, ast.expr] = {}
    for step in steps:
        match step:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in given:
                if any(isinstance(each, ast.Name) and each.id in given for each in walk(value)):
                    return None
                given[name] = value
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name in given:
                pass
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name))]
            ) if name in given:
                pass
            case _:
                return None
    return given
