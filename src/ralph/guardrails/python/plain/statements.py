"""Pieces of Python code: opposites, assertions made of conditions, what an exit is given, and what a line is about."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

EXITS = later(r"(?:sys\.)?exit|quit|os\._exit|SystemExit")
RUNS = later(r"(?:asyncio|trio|anyio)\.run|int|bool")
"""What only passes on the answer of what it is given."""
SURROUNDINGS = later(
    r"\bsys\.(?:argv|version\w*|platform|implementation|stdin|executable|modules|path|flags)\b|\bos\.(?:environ|getenv|name|geteuid)\b"
    r"|\bgetenv\(|\bplatform\.|\bshutil\.which\(|\bfind_spec\(|\bparse_(?:known_)?args\(|\bargparse\.|\bTYPE_CHECKING\b"
    r"|\bversion_info\b|__debug__|\b__file__\b"
)
"""What is there, or asked for, when the file is run, and no answer of what is tested."""
THERE = later(r"\.(?:exists|is_file|is_dir|isfile|isdir)\(")
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OF_PYTHON = frozenset(dir(builtins)).union(
    ("argparse", "importlib", "os", "pathlib", "Path", "platform", "shutil", "sys", "util", "which")
)
"""Names that say nothing about what is tested."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def opposite(test: ast.expr) -> ast.expr:
    """What holds where the condition does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return inner
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            return ast.Compare(left=left, ops=[OPPOSITES[type(op)]()], comparators=comparators)
        case ast.BoolOp(op=op, values=values):
            other: ast.boolop = ast.And() if isinstance(op, ast.Or) else ast.Or()
            return ast.BoolOp(op=other, values=[opposite(each) for each in values])
    return ast.UnaryOp(op=ast.Not(), operand=test)


def stated(test: ast.expr, place: ast.stmt) -> ast.Assert:
    return ast.copy_location(ast.Assert(test=test, msg=None), place)


def said(value: ast.expr, place: ast.stmt) -> ast.Expr:
    return ast.copy_location(ast.Expr(value=value), place)


def failed(place: ast.stmt) -> ast.Raise:
    return ast.copy_location(ast.Raise(exc=None, cause=None), place)


def left(place: ast.stmt) -> ast.Return:
    return ast.copy_location(ast.Return(value=None), place)


def exit_of(node: ast.stmt) -> ast.Call | None:
    """The call by which a statement ends the program."""
    match node:
        case ast.Expr(value=ast.Call() as call) | ast.Raise(exc=ast.Call() as call):
            return call if EXITS.fullmatch(name_of(call)) else None
        case ast.Raise(exc=ast.Name(id="SystemExit") as name):
            return ast.Call(func=name, args=[], keywords=[])
    return None


def given_to(call: ast.Call) -> ast.expr:
    """What an exit is given; None means success, too."""
    return call.args[0] if call.args else ast.Constant(value=None)


def passed_on(value: ast.expr) -> ast.expr:
    """`main()` of `int(asyncio.run(main()))`."""
    while isinstance(value, ast.Call) and RUNS.fullmatch(name_of(value)) and value.args:
        value = value.args[0]
    return value


def called_in(tree: ast.AST) -> Iterator[str]:
    """The names of functions that are called in it."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)}


def of_surroundings(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Names that are given what the file is run with."""
    found: set[str] = set()
    for each in statements:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_about_surroundings(value, found):
                found.add(name)
    return frozenset(found)


def is_about_surroundings(test: ast.expr, known: AbstractSet[str]) -> bool:
    """It asks of nothing else than whether what the run needs is there."""
    names = names_in(test)
    return not names - known - OF_PYTHON and (bool(names & known) or SURROUNDINGS.search(source_of(test)) is not None)


def is_about_a_file(test: ast.expr) -> bool:
    """It asks whether a file is there."""
    asked = test.operand if isinstance(test, ast.UnaryOp) else test
    return isinstance(asked, ast.Call) and THERE.search(f".{source_of(asked)}") is not None
