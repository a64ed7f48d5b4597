"""What a Python script ends with, of all that it ran: see `common.failures.exit_of_many`.

Rules: the expression is what is given to `exit`, or what the function gives back that is given to it. A name in it is
what was assigned to it. Names of functions of the file are followed once.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import walk
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

EXITS = later(r"(?:sys\.)?exit|os\._exit|SystemExit|quit")
STATUS = later(r"(?i)code|status|\brcs?\b|result|\boks?\b|pass|fail|succe|exit|\brets?\b|return|run")
RAN = later(r"\breturncode\b|(?:^|\.)(?:call|system|run|wait|main)\(")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def forgetful(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The expressions that forget a failure, each with its line."""
    functions = {each.name: each for each in walk(tree) if isinstance(each, Function)}
    ending = {name for value, _ in _exits(tree) if (name := _called(value)) in functions}
    for scope in (tree, *(functions[name] for name in sorted(ending))):
        for value, line in _values(scope, scope is not tree):
            if _forgets(value, scope, fails=True):
                yield cut(" ".join(source_of(value).split()), 120), line


def _exits(tree: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    for node in walk(tree):
        if isinstance(node, ast.Call) and EXITS.fullmatch(source_of(node.func)) and len(node.args) == 1:
            yield node.args[0], node.lineno


def _called(value: ast.expr) -> str:
    if isinstance(value, ast.Call) and source_of(value.func) in ("asyncio.run", "int") and value.args:
        value = value.args[0]
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def _values(scope: ast.AST, returned: bool) -> Iterator[tuple[ast.expr, int]]:
    """What the scope ends with; and the condition under which it ends badly, and well otherwise."""
    yield from _exits(scope)
    for node in walk(scope):
        if returned and isinstance(node, ast.Return) and node.value is not None:
            yield node.value, node.lineno
        elif isinstance(node, ast.If) and len(node.body) > 0 and _is_bad(node.body[-1], returned):
            yield node.test, node.lineno


def _is_bad(last: ast.stmt, returned: bool) -> bool:
    """`return 1`, `sys.exit(1)`."""
    match last:
        case ast.Return(value=ast.Constant(value=int() as number)):
            return returned and number > 0
        case ast.Expr(value=call) | ast.Raise(exc=call) if isinstance(call, ast.Call):
            given = call.args[0] if call.args else None
            bad = isinstance(given, ast.Constant) and given.value not in (0, None, False)
            return bad and EXITS.fullmatch(source_of(call.func)) is not None
    return False


def _forgets(value: ast.expr, scope: ast.AST, *, fails: bool, depth: int = 0) -> bool:
    """`fails`: the script fails where the value is true."""
    match value:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _forgets(inner, scope, fails=not fails, depth=depth)
        case ast.IfExp(test=test, body=ast.Constant(value=one), orelse=ast.Constant(value=other)):
            return bool(one) is not bool(other) and _forgets(test, scope, fails=fails is bool(one), depth=depth)
        case ast.Call(func=ast.Name(id="int" | "bool"), args=[inner]):
            return _forgets(inner, scope, fails=fails, depth=depth)
        case ast.Call(func=ast.Name(id="min"), args=[inner]):
            return fails and _is_status(source_of(inner))
        case ast.Call(func=ast.Name(id="all" | "any" as name), args=[inner]):
            return (name == "all") is fails and _is_about_runs(inner, scope)
        case ast.Subscript(value=listed, slice=ast.Constant(value=0) | ast.UnaryOp(operand=ast.Constant(value=1))):
            return fails and _is_about_runs(listed, scope) and "arg" not in source_of(listed)
        case ast.Name(id=name) if depth == 0:
            return any(_forgets(each, scope, fails=fails, depth=1) for each in _given(name, scope)) or (
                fails and _is_overwritten(name, scope)
            )
    return False


def _is_about_runs(value: ast.expr, scope: ast.AST) -> bool:
    """It, or what it was made of, speaks of how something ended."""
    names = [each.id for each in walk(value) if isinstance(each, ast.Name)]
    made = [source_of(each) for name in names for each in _given(name, scope)]
    return any(map(_is_status, (source_of(value), *made)))


def _is_status(text: str) -> bool:
    return STATUS.search(text) is not None or RAN.search(text) is not None


def _given(name: str, scope: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                found.append(value)
            case ast.AnnAssign(target=ast.Name(id=given), value=ast.expr() as value) if given == name:
                found.append(value)
    return found


def _is_overwritten(name: str, scope: ast.AST) -> bool:
    """Each round of a loop gives it the status of its own run, and none asks for that of the last; or `&=` does."""
    for node in walk(scope):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitAnd) and source_of(node.target) == name:
            return STATUS.search(name) is not None
        if not isinstance(node, ast.For | ast.While):
            continue
        inside = [each for part in node.body for each in walk(part)]
        given = [
            each
            for each in inside
            if isinstance(each, ast.Assign) and [source_of(target) for target in each.targets] == [name]
        ]
        if any(each not in node.body or not RAN.search(source_of(each.value)) for each in given) or not given:
            continue
        used = re.compile(rf"\b{re.escape(name)}\b")
        asked = (
            each for each in inside if isinstance(each, ast.If | ast.BoolOp | ast.IfExp | ast.AugAssign | ast.Return)
        )
        if not any(used.search(source_of(each)) for each in (*asked, *(each.value for each in given))):
            return True
    return False
