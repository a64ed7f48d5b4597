"""By which names and functions a plain script remembers that something failed (the rules are those of `failures`)."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.python.plain.failures import Known, is_failing
from ralph.guardrails.python.plain.statements import (
    Function,
    called_in,
    exit_of,
    given_to,
    names_in,
    of_surroundings,
)
from ralph.guardrails.python.trees import walk
from ralph.record import replace
from ralph.system.patterns import later

NAMED = later(
    r"(?i).*(?:fail|err|bad|wrong|problem|\bok|pass|succe|status|ret|\brc|code|result|broken|mismatch|miss|issue|exit|bug"
    r"|good|count|\ball_).*"
)
"""What names of ledgers say."""
MEMBER = "."
"""Before the name of a member."""


def known_of(tree: ast.Module, functions: Mapping[str, Function]) -> Known:
    nodes = walk(tree)
    failing = {name for name, function in functions.items() if is_failing(function.body[-1:], Known())}
    plain = Known(failing=frozenset(failing))
    noted = list(_noted(nodes, functions))
    asked = list(_asked(nodes, plain))
    deciding = [*asked, *(value for _, value in noted)]
    answering = {name for each in deciding for name in called_in(each)} & functions.keys()
    asked += [value for name in sorted(answering) for value in _returned(functions[name])]
    return Known(
        ledgers=frozenset(_names(asked) & {name for name, _ in noted}),
        answering=frozenset(answering),
        failing=plain.failing,
        surroundings=of_surroundings(tree.body),
    )


def within(function: Function, known: Known) -> Known:
    """What is known in a function: a ledger of its own, which it asks nothing about, is forgotten with its end."""
    nodes = walk(function)
    shared = {name for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
    bound = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    asked = _names([*_asked(nodes, known), *_returned(function)])
    own = {name for name in known.ledgers & (bound - shared - asked) if not name.startswith(MEMBER)}
    return replace(known, ledgers=known.ledgers - own, answers=function.name in known.answering)


def with_plain_members(tree: ast.Module) -> ast.Module:
    """The same with plain names in the place of members that are ledgers: `.failed` of `self.failed += 1`."""
    members = {name for node in walk(tree) if (name := _counted(node)) and NAMED.fullmatch(name)}
    written = _Plainly(members).visit(copy.deepcopy(tree)) if members else tree
    return written if isinstance(written, ast.Module) else tree


class _Plainly(ast.NodeTransformer):
    def __init__(self, members: AbstractSet[str]) -> None:
        self._members = members

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr not in self._members or not isinstance(node.value, ast.Name):
            return node
        return ast.copy_location(ast.Name(id=f"{MEMBER}{node.attr}", ctx=node.ctx), node)


def _counted(node: ast.AST) -> str:
    match node:
        case (
            ast.AugAssign(target=ast.Attribute(value=ast.Name(), attr=name))
            | ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Attribute(value=ast.Name(), attr=name), attr="append" | "add")
                )
            )
        ):
            return name
    return ""


def _asked(nodes: Sequence[ast.AST], known: Known) -> Iterator[ast.expr]:
    """What decides whether the script fails."""
    for each in nodes:
        if isinstance(each, ast.stmt) and (call := exit_of(each)) is not None:
            yield given_to(call)
        elif isinstance(each, ast.Assert) or (isinstance(each, ast.If) and _decides(each, known)):
            yield each.test


def _returned(function: Function) -> list[ast.expr]:
    return [each.value for each in walk(function) if isinstance(each, ast.Return) and each.value is not None]


def _names(asked: Iterable[ast.expr]) -> set[str]:
    return {name for each in asked if not _is_ignored(each) for name in names_in(each)}


def _is_ignored(asked: ast.expr) -> bool:
    """It is the same whatever a ledger holds, or lets some failures pass: `0 if failed else 0`, `failed > 5`."""
    match asked:
        case ast.IfExp(body=ast.Constant(value=one), orelse=ast.Constant(value=other)):
            return bool(one) is bool(other)
        case (
            ast.BinOp(op=ast.Mult(), right=ast.Constant(value=0)) | ast.BinOp(op=ast.Mult(), left=ast.Constant(value=0))
        ):
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return any(isinstance(each, ast.Constant) and not each.value for each in values)
        case ast.Compare(ops=[ast.Gt()], comparators=[ast.Constant(value=int() as most)]):
            return most > 0
        case ast.Compare(ops=[ast.GtE()], comparators=[ast.Constant(value=int() as most)]):
            return most > 1
    return False


def _decides(node: ast.If, known: Known) -> bool:
    return is_failing(node.body, known) or is_failing(node.orelse, known)


def _noted(nodes: Sequence[ast.AST], functions: Mapping[str, Function]) -> Iterator[tuple[str, ast.expr]]:
    """Names that are counted up, filled or set again, with what they are given: no answer of what is tested."""
    begun: set[str] = set()
    for node in nodes:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), value=value) if NAMED.fullmatch(name):
                if _is_verdict(value, functions):
                    yield name, value
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add"), args=[value])
            ) if NAMED.fullmatch(name):
                yield name, value
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if NAMED.fullmatch(name):
                answers = name in begun or isinstance(value, ast.Call)
                if (answers and _is_verdict(value, functions)) or isinstance(value, ast.List):
                    yield name, value
                begun.add(name)


def _is_verdict(value: ast.expr, functions: Mapping[str, Function]) -> bool:
    match value:
        case ast.Constant() | ast.Compare() | ast.UnaryOp() | ast.BoolOp():
            return True
        case ast.Call(func=ast.Name(id="int" | "bool"), args=[inner]):
            return _is_verdict(inner, functions)
        case ast.Call(func=ast.Name(id=name)):
            return name in functions
    return False
