"""What a condition asserts under which a Python test fails: `if total(1) != 2: pytest.fail("...")` says that it is 2.

Rule: the branch ends in a failure of the test's own (`raise AssertionError`, `pytest.fail`, `assert False`), only makes
up its message before, and there is no other branch.
"""

from __future__ import annotations

import ast

from ralph.guardrails.python.claims import constant_value, name_of, source_of
from ralph.system.patterns import later

FAILURE = later(r"(?:\w+\.)*(?:AssertionError|failureException)(?:\(|$)")
CLOCK = later(r"(?i)time|monotonic|perf_counter|deadline|\bnow\(|elapsed|\b(?:tries|attempts?)\b")
"""Who gives up waiting says nothing of what is tested."""
FAILS = later(r"(?:^|\.)fail$")
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


def stated(node: ast.If) -> ast.expr | None:
    """What has to hold; None where the branch does not fail the test, or the condition is a constant."""
    *before, last = node.body
    plain = all(isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) for each in before)
    if node.orelse or not plain or not _fails(last) or constant_value(node.test) is not None:
        return None
    return None if CLOCK.search(source_of(node.test)) else _opposite(node.test)


def _fails(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise(exc=ast.expr() as raised):
            return FAILURE.match(source_of(raised)) is not None
        case ast.Expr(value=ast.Call() as call):
            return FAILS.search(name_of(call)) is not None
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
    return False


def _opposite(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return inner
        case ast.Compare(ops=[operator], left=left, comparators=others) if type(operator) in OPPOSITE:
            return ast.copy_location(ast.Compare(left, [OPPOSITE[type(operator)]()], others), test)
        case ast.BoolOp(op=ast.Or(), values=values):
            return ast.copy_location(ast.BoolOp(ast.And(), [_opposite(each) for each in values]), test)
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
