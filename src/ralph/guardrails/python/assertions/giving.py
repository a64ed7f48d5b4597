"""What a Python test gives the product: its words and constants, without what its assertions want.

Left out are assertions, but for what they look at, the exceptions that `raises` waits for, and constants under a name
that nothing but assertions reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.wanted.values import is_made
from ralph.guardrails.python.assertions.asserting import RAISES, asserts
from ralph.guardrails.python.assertions.comparing import unwrapped
from ralph.guardrails.python.bodies import words_of
from ralph.guardrails.python.claims import is_constant, name_of, source_of
from ralph.guardrails.python.trees import parsed_expression, walk


def words_given(
    nodes: Sequence[ast.AST], checks: Sequence[Check], local: AbstractSet[str], line: int, first_line: int
) -> frozenset[str]:
    """Up to the assertions of this line; `first_line` is that of the text that the nodes were read from."""
    last = line - first_line + 1
    if last > 0:  # else it stands in a helper
        nodes = [each for each in nodes if getattr(each, "lineno", 0) <= last]
        checks = [check for check in checks if check.line <= line]
    through = {check.line - first_line + 1 for check in checks if check.through}
    apart = {id(part) for each in _wanting(nodes, through) for part in walk(each)}
    rest = [each for each in nodes if id(each) not in apart]
    read = {each.id for each in rest if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    named = {id(part) for each in rest for value in _constants(each, read) for part in walk(value)}
    rest = [each for each in rest if id(each) not in named]
    trees = ((check.subject, parsed_expression(check.subject)) for check in checks)
    subjects = [tree or ast.Name(id=written, ctx=ast.Load()) for written, tree in trees]
    rest += (part for each in subjects for part in walk(each))
    constants = (repr(each.value) for each in rest if isinstance(each, ast.Constant))
    return words_of(rest, local).union(constants)


def _wanting(nodes: Iterable[ast.AST], through: AbstractSet[int]) -> Iterator[ast.AST]:
    """Assertions, on lines of `through` those of helpers, what opens a block that must raise, and what only tells
    people something."""
    for node in nodes:
        match node:
            case ast.Assert() | ast.Expr(value=ast.Constant()):
                yield node
            case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "pprint"))):
                yield node
            case ast.Expr(value=ast.Call() as call) if asserts(call) or node.lineno in through:
                yield node
            case ast.withitem(context_expr=ast.Call() as call) if name_of(call).rpartition(".")[2] in RAISES:
                yield call


def _constants(node: ast.AST, read: AbstractSet[str]) -> Iterator[ast.expr]:
    """What a name holds that only assertions read."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in read:
            plain = unwrapped(value)
            if is_constant(plain) or is_made(source_of(plain)):
                yield value
