"""`try` in a test: which failures its handlers swallow, and where it leaves the code around it.

Rules:

- A handler that catches a failing assertion and does not fail takes it from the body; a `finally` that leaves does so.
- So it is, in part, with one that catches another error of the product and says nothing: `except KeyError: pass`.
- Code behind a `try` is reached by the body with its `else`, and by each handler. Where none of them goes on, or the
  `finally` leaves, it never is; where some leave and others go on, it is reached under a condition.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from ralph.guardrails.inventory.model import SWALLOWED, Grade
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.failures.guarding import CATCHES
from ralph.guardrails.python.failures.reach import CONDITION, Reach, fails, is_failure, leaves, parts
from ralph.system.patterns import later

QUIET = later(r"^(?:print|(?:\w+\.)*(?:debug|info|warn|warning|error|exception|log))$|warnings\.warn$")
LEAVING = (ast.Return, ast.Continue, ast.Break)
Block = Callable[[Iterable[ast.stmt], Reach], bool]
"""Reads statements; true if their end is never reached."""


def tried(node: ast.Try | ast.TryStar, reach: Reach, block: Block) -> str:
    """How it leaves the block around it (a key of `LEAVES`), empty if it does not."""
    body = _way(node.body, swallowing(node, reach), block)
    handled = reach if body or fails(node.orelse) else reach.lowered(Grade.EXISTS, CONDITION)
    handlers = [_way(handler.body, handled, block) for handler in node.handlers]
    behind = _way(node.orelse, passed_over(node, reach), block)
    ways = [body or behind, *handlers]
    if _way(node.finalbody, reach, block) == "leaves" or all(ways):
        return "always"
    return "sometimes" if "leaves" in ways else ""


def _way(statements: list[ast.stmt], reach: Reach, block: Block) -> str:
    """Whether statements end by failing, or by leaving the block around them; empty if they go on."""
    ended = block(statements, reach)
    return "fails" if fails(statements) else "leaves" if ended or leaves(statements) else ""


def swallowing(node: ast.Try | ast.TryStar, reach: Reach) -> Reach:
    """Of the body of a `try`: the first handler that catches a failing assertion decides."""
    for handler in node.handlers:
        if handler.type is not None and not CATCHES.search(source_of(handler.type)):
            continue
        if not any(isinstance(part, ast.Raise) or is_failure(part) for part in parts(handler.body)):
            reach = reach.lowered(Grade.NOTHING, SWALLOWED)
        elif not fails(handler.body):
            reach = reach.lowered(Grade.CLOSE, "its failure is felt under a condition")
        break
    if any(isinstance(part, LEAVING) for part in parts(node.finalbody)):
        reach = reach.lowered(Grade.NOTHING, SWALLOWED)
    return passed_over(node, reach)


def passed_over(node: ast.Try | ast.TryStar, reach: Reach) -> Reach:
    """Of what an error leaves out, where a handler says nothing of it. A body that ends in a failure wants one."""
    quiet = any(not any(map(_speaks, parts(handler.body))) for handler in node.handlers)
    return reach.lowered(Grade.EXISTS, CONDITION) if quiet and not fails(node.body) else reach


def _speaks(part: ast.AST) -> bool:
    """It fails, asserts, tries again or has another answer."""
    told = isinstance(part, ast.Raise | ast.Assert | ast.Assign | ast.AugAssign | ast.Return | ast.Continue | ast.Break)
    return told or is_failure(part) or (isinstance(part, ast.Call) and not QUIET.search(name_of(part)))
