"""Context managers and decorators of a test file that swallow the failures of what they are around (see `facts`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.model import SWALLOWED
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.failures.guarding import CATCHES
from ralph.guardrails.python.failures.reach import Reach
from ralph.guardrails.python.failures.trying import swallowing
from ralph.guardrails.python.trees import walk

EXIT = "__exit__"


def swallowers_of(functions: Iterable[ast.FunctionDef | ast.AsyncFunctionDef]) -> frozenset[str]:
    """Their names; `__exit__` for all context managers that are classes of the file."""
    return frozenset(each.name for each in functions if _swallows(each))


def retriers_of(functions: Iterable[ast.FunctionDef | ast.AsyncFunctionDef]) -> frozenset[str]:
    """Decorators that call what they are around once more when it fails."""
    return frozenset(each.name for each in functions if _tries_again(each))


def _tries_again(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A loop around a `try` around a call of a parameter, which ends with its success; whose handler catches assertions
    and may go on."""
    if not any(isinstance(part, ast.Return) and isinstance(part.value, ast.Name) for part in function.body):
        return False  # no decorator
    return tries_given_again(function)


def tries_given_again(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """The same of any function that is handed another one."""
    given = _with_inner(function, {part.arg for part in walk(function) if isinstance(part, ast.arg)})
    for loop in walk(function):
        if not isinstance(loop, ast.For | ast.While | ast.AsyncFor):
            continue
        for node, inside in _tries(loop):
            called = any(isinstance(part, ast.Call) and source_of(part.func) in given for part in inside)
            if called and _ends_well(node, loop) and any(_may_go_on(each) for each in node.handlers):
                return True
    return False


def _with_inner(function: ast.FunctionDef | ast.AsyncFunctionDef, given: set[str]) -> set[str]:
    """The parameters, and the functions inside that call one: who calls those calls it."""
    inner = [each for each in walk(function) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    for each in inner:
        if each is not function and any(
            source_of(part.func) in given for part in walk(each) if isinstance(part, ast.Call)
        ):
            given = given | {each.name}
    return given


def _ends_well(node: ast.Try | ast.TryStar, loop: ast.AST) -> bool:
    """One that goes on after a success collects failures."""
    after = [part for each in (*node.body, *node.orelse) for part in walk(each)]
    return isinstance(loop, ast.While) or any(isinstance(part, ast.Return | ast.Break) for part in after)


def _may_go_on(handler: ast.ExceptHandler) -> bool:
    catches = handler.type is None or CATCHES.search(source_of(handler.type)) is not None
    return catches and not isinstance(handler.body[-1], ast.Raise)


def _swallows(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if function.name == EXIT:
        return _holds_back(function)
    manager = any("contextmanager" in source_of(each) for each in function.decorator_list)
    given = {each.arg for each in function.args.args}
    return any(
        swallowing(node, Reach()).why == SWALLOWED and any(_is_inside(part, manager, given) for part in inside)
        for node, inside in _tries(function)
    )


def _holds_back(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """`return True`, `return kind is AssertionError`."""
    match function.body[-1]:
        case ast.Return(value=ast.Constant(value=True)):
            earlier = (part for each in function.body[:-1] for part in walk(each))
            return not any(isinstance(part, ast.Raise | ast.Return) for part in earlier)
        case ast.Return(value=ast.expr() as value):
            return "AssertionError" in source_of(value)
    return False


def _tries(function: ast.AST) -> Iterator[tuple[ast.Try | ast.TryStar, list[ast.AST]]]:
    for node in walk(function):
        if isinstance(node, ast.Try | ast.TryStar):
            yield node, [part for each in node.body for part in walk(each)]


def _is_inside(part: ast.AST, manager: bool, given: set[str]) -> bool:
    match part:
        case ast.Yield():
            return manager
        case ast.Call(func=ast.Name(id=name)):
            return name in given
    return False
