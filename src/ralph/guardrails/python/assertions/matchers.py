"""Literal wholes that leave some of their values open (see `comparing`): `{"id": ANY, "total": 12}`.

Rule: where nothing is certain, only that there is something is asked. A member that is the same each time and of which
any value will do is given up; one that is called like what changes each time (`id`, `created_at`) may be left open.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.wanted.values import VOLATILE
from ralph.guardrails.python.claims import text
from ralph.system.patterns import later

ANYTHING = later(r"(?:^|\.)ANY$")
MATCHER = later(r"(?:dirty_equals\.)?Is[A-Z]\w*\b(?!\.)")
"""`IsInt()`, `IsStr(regex=...)`: many values equal it."""


def demanded(wanted: ast.expr) -> Grade:
    """What is demanded of a value that is to equal this."""
    values = list(_values(wanted, ""))
    loose = [(name, value) for name, value in values if _is_open(value)]
    if not loose:
        return Grade.EXACT
    if len(loose) == len(values):
        return Grade.EXISTS
    given_up = any(name and VOLATILE.fullmatch(name) is None for name, _ in loose)
    return Grade.SHAPE if given_up else Grade.CLOSE


def _values(wanted: ast.expr, name: str) -> Iterator[tuple[str, ast.expr]]:
    """What a literal whole holds, its parts included, with the names of members."""
    match wanted:
        case ast.Dict(keys=keys, values=[_, *_]):
            for key, value in zip(keys, wanted.values, strict=True):
                yield from _values(
                    value, key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
                )
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]) | ast.Set(elts=[_, *_]):
            for each in wanted.elts:
                yield from _values(each, "")
        case _:
            yield name, wanted


def _is_open(value: ast.expr) -> bool:
    written = text(value)
    return ANYTHING.search(written) is not None or MATCHER.match(written) is not None
