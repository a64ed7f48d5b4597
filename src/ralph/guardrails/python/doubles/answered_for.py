"""Methods that a fixture or a set-up answers itself on an object of the product (policy set v2, class G06).

`cart.total = lambda: 17.85`, `setattr(cart, "total", ...)`, `patch.object(Cart, "total", return_value=17.85)`,
`monkeypatch.setattr("shop.cart.Cart.total", ...)` and `cart.total.return_value = 17.85` leave the object what it is,
and let the test hear what it wants. One that passes the question on (`wraps`, a call of the very method) is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

Function = ast.FunctionDef | ast.AsyncFunctionDef

SETS = later(r"(?:^|\.)(?:setattr|patch\.object|patch)$")
CALLABLE = later(r"(?:^|\.)(?:\w*Mock|create_autospec|property|MethodType|partial)$")
ANSWERS = frozenset({"return_value", "side_effect"})


def answered_for(function: Function, given: str, made_by: str) -> frozenset[str]:
    """Of the object that is called `given` in the function, and is made by calling `made_by`."""
    owners = {given, made_by.partition(".")[0]} - {""}
    return frozenset(
        name
        for node in walk(function)
        for owner, name, value in _answers(node)
        if owner in owners and _is_own(value, name)
    )


def _answers(node: ast.AST) -> Iterator[tuple[str, str, ast.expr]]:
    """What has a method, the method, and what stands for it."""
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Attribute(value=owner, attr=name), attr=last)], value=value
        ) if last in ANSWERS:
            yield source_of(owner), name, ast.Call(func=ast.Name(id="Mock"), args=[value], keywords=[])
        case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=value):
            yield source_of(owner), name, value
        case ast.Call(args=[ast.Constant(value=str() as path), *rest]) if SETS.search(name_of(node)):
            parts = path.split(".")
            yield parts[-2] if len(parts) > 1 else "", parts[-1], _replacement(node, rest)
        case ast.Call(args=[owner, ast.Constant(value=str() as name), *rest]) if SETS.search(name_of(node)):
            yield source_of(owner), name, _replacement(node, rest)


def _replacement(call: ast.Call, rest: list[ast.expr]) -> ast.expr:
    """What is handed over in the place of the method; without any, a mock with these options."""
    new = next((each.value for each in call.keywords if each.arg == "new"), None)
    stands = rest[0] if rest else new
    return stands or ast.Call(func=ast.Name(id="Mock"), args=[], keywords=call.keywords)


def _is_own(value: ast.expr, name: str) -> bool:
    """It answers by itself."""
    if any(isinstance(each, ast.Attribute) and each.attr == name for each in walk(value)):
        return False
    if isinstance(value, ast.Call):
        passes_on = any(each.arg == "wraps" for each in value.keywords)
        return CALLABLE.search(name_of(value)) is not None and not passes_on
    return isinstance(value, ast.Lambda)
