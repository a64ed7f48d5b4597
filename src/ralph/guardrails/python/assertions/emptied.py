"""What was recorded, and was thrown away right before a Python test asks for it: such an assertion demands nothing.

Rules (policy set v2, class G05):

- It counts what a fixture of pytest records (`caplog.clear()`, `capsys.readouterr()` whose answer nobody takes), what a
  double was called with (`reset_mock()`, or the double is made anew), and a list of the test's own.
- Nothing but reading and other assertions stands between the two: what is done there may be recorded.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.guardrails.python.trees import parsed_expression, walk
from ralph.record import replace
from ralph.system.patterns import later

STREAMS = later(r"cap(?:sys|fd)(?:binary)?")
RECORDERS = later(r"caplog|recwarn|mailoutbox|mail\.outbox")
MADE = later(r"(?:^|\.)(?:\w*Mock|create_autospec)$")
LISTS = frozenset({"[]", "list()", "deque()", "collections.deque()"})
READS = later(
    r"(?:len|list|tuple|set|sorted|bool|any|all|str|next|iter|enumerate)"
    r"|.*\.(?:readouterr|splitlines|strip|lower|getMessage|get_records|join|count|startswith|endswith|call)"
)
WHY = "what is asked for was thrown away right before"


def without_emptied(nodes: Sequence[ast.AST], inliner: Inliner, found: Sequence[Check], before: int) -> list[Check]:
    """The assertions; `before` is the line before the first of the text that the nodes were read from."""
    emptied = [(name, source_of(inliner.put_in(tree, line + 1)), line) for name, tree, line in _emptied(nodes)]
    if not emptied:
        return list(found)
    doing = [node.lineno for node in nodes if isinstance(node, ast.stmt) and not _only_reads(node)]
    return [
        replace(check, grade=Grade.NOTHING, why=WHY)
        if any(
            _is_right_behind(check.line - before, line, doing) and _is_about(check.subject.replace(made, name), name)
            for name, made, line in emptied
        )
        else check
        for check in found
    ]


def _emptied(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, ast.expr, int]]:
    """What is emptied, and the line on which that ends."""
    lists = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and source_of(node.value) in LISTS
    }
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[])):
                name = source_of(owner)
                recorder = attr == "clear" and (RECORDERS.fullmatch(name) or name in lists)
                stream = attr == "readouterr" and STREAMS.fullmatch(name)
                if recorder or stream or attr == "reset_mock":
                    yield name, owner, node.end_lineno or node.lineno
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.Call() as made):
                if MADE.search(name_of(made)):
                    yield source_of(target), made, node.end_lineno or node.lineno


def _only_reads(node: ast.stmt) -> bool:
    """An assertion, or a name for something that is read."""
    match node:
        case ast.Assert(test=value) | ast.Assign(targets=[ast.Name() | ast.Tuple()], value=value):
            called: Iterable[ast.AST] = walk(value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attr), args=given)) if attr.startswith("assert"):
            called = chain.from_iterable(map(walk, given))
        case _:
            return False
    return all(READS.fullmatch(name_of(each)) for each in called if isinstance(each, ast.Call))


def _is_right_behind(line: int, last: int, doing: Sequence[int]) -> bool:
    return last < line and not any(last < each < line for each in doing)


def _is_about(subject: str, name: str) -> bool:
    """It looks at nothing but what was emptied."""
    if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", subject):
        return False
    tree = parsed_expression(subject)
    return tree is not None and all(READS.fullmatch(name_of(each)) for each in walk(tree) if isinstance(each, ast.Call))
