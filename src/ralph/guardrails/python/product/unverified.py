"""What a Python function uses although it failed its verification (see `common.stubbed.unverified`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from ralph.guardrails.common.stubbed.verifying import NOTHING, PROOF, SAYS_SO, VERIFIES, WITH
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import UNREADABLE, walk

LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def used(head: str, body: str) -> Iterator[str]:
    """The names of what was to be verified, or keeps it, where it is given back after a failure."""
    function = _parsed(head, body)
    for node in walk(function) if function is not None else ():
        if not isinstance(node, ast.Try) or function is None:
            continue
        names = _verified(node)
        for handler in node.handlers if names else ():
            if any(isinstance(part, ast.Raise) for part in walk(handler)):
                continue
            yield from _given(handler.body, names, set(), 0)
            kept, noted = _kept(handler, names)
            if not isinstance(handler.body[-1], LEAVES):
                yield from _given(function.body, names, names, node.end_lineno or 0, noted)
            if kept:
                yield from _given(function.body, kept, kept, node.end_lineno or 0, noted)


def _parsed(head: str, body: str) -> Function | None:
    """Both are as deep as they stand in the file."""
    deep = len(head) - len(head.lstrip())
    text = "\n".join(line[deep:] for line in (head, *body.split("\n")))
    try:
        tree = ast.parse(text).body
    except UNREADABLE:
        return None
    return tree[0] if tree and isinstance(tree[0], Function) else None


def _verified(node: ast.Try) -> set[str]:
    """What is handed over as it is, but for what is verified with."""
    calls = [part for each in node.body for part in walk(each) if isinstance(part, ast.Call)]
    calls = [call for call in calls if VERIFIES.search(f"{source_of(call.func)}(")]
    caught = " ".join(source_of(each.type) for each in node.handlers if each.type is not None)
    given = (each for call in calls if PROOF.search(f"{source_of(call)} {caught}") for each in call.args)
    return {each.id for each in given if isinstance(each, ast.Name) and not WITH.search(each.id)} - NOTHING


def _kept(handler: ast.ExceptHandler, names: set[str]) -> tuple[set[str], set[str]]:
    """Names that are what was to be verified from now on, and others that say how it went."""
    kept: set[str] = set()
    noted: set[str] = set()
    for part in walk(handler):
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                (kept if names & _names(value) else noted).add(name)
    return kept, noted


def _given(
    statements: Sequence[ast.stmt], names: set[str], asked: set[str], after: int, noted: Set[str] = frozenset()
) -> Iterator[str]:
    """What is given back of the names behind that line, under no condition but one about `asked`."""
    for statement in statements:
        match statement:
            case ast.Return(value=ast.expr() as value) if statement.lineno > after:
                found = _names(value)
                if names & found and not noted & found and not SAYS_SO.search(source_of(value)):
                    yield min(names & found)
            case ast.If(test=test) if _names(test) <= asked:
                yield from _given([*statement.body, *statement.orelse], names, asked, after, noted)
            case ast.For() | ast.While() | ast.With() | ast.AsyncFor() | ast.AsyncWith():
                yield from _given(statement.body, names, asked, after, noted)
            case ast.Try():
                yield from _given([*statement.body, *statement.finalbody], names, asked, after, noted)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)} - NOTHING
