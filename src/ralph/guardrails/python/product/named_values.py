"""What a name stands for that a function gives back: `ok = True; return ok` gives `True`."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def by_its_value(body: Sequence[ast.stmt]) -> ast.stmt:
    """The last of some statements of which the others only name values; a `return` of such a name gives its value."""
    last = body[-1]
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Name):
        return last
    values = dict(each for each in map(_given, body) if each is not None)
    named = values.get(last.value.id)
    return last if named is None else ast.copy_location(ast.Return(value=named), last)


def names_a_value(statement: ast.stmt) -> bool:
    """It gives one plain name a value, and does nothing else."""
    return _given(statement) is not None


def _given(statement: ast.stmt) -> tuple[str, ast.expr | None] | None:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return name, value
    return None
