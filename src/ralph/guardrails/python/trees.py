"""Python's own syntax trees of pieces of a file, and their nodes."""

from __future__ import annotations

import ast
import copy
from ast import AST

from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source, remembered

KEPT = 128
"""Trees that are kept: several rules read the same function, and most functions are the same on both sides."""

_PLAIN = frozenset(
    {"arg", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "simple", "type_comment"}
)
"""Fields that hold no nodes, but for whether a name is read or written."""
PARTS: dict[type[AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _PLAIN and kind is not ast.Constant)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, AST)
}
"""The other fields, of each kind of node: what stands in it."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python says of a text that it cannot read, or that is nested too deeply for it."""


def parsed_module(data: bytes | str) -> ast.Module | None:
    """The tree of a whole file; None if this Python cannot read it, which other detectors say."""
    try:
        return ast.parse(data)
    except UNREADABLE:
        return None


def module_of(source: Source) -> ast.Module | None:
    """The tree of a source, which is parsed once for all that ask. It must be left as it is."""
    return source.memo.once("module", lambda: parsed_module(source.data))


def parsed_expression(text: str) -> ast.expr | None:
    """The tree of an expression; None if this Python cannot read it."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except UNREADABLE:
        return None


def definition(source: Source, node: Node, *, decorated: bool) -> Definition | None:
    """The tree of a function, with its decorators or without; None if this Python cannot read it.

    `node` is the function's, or that of the function with its decorators.
    """
    above = node.parent
    whole = above if above is not None and above.type == "decorated_definition" else node
    written = source.text(whole)
    if column := whole.start_point.column:  # what is indented stands below an `if`
        before = source.lines[whole.start_point.row][:column].decode("utf-8", "replace")
        written = f"if 1:\n{before if not before.strip() else ' '}{written}"
    return _decorated(written) if decorated else _undecorated(written)


@remembered(2 * KEPT)
def _decorated(written: str) -> Definition | None:
    try:
        statement: ast.stmt = ast.parse(written).body[0]
    except (*UNREADABLE, IndexError):
        return None
    if isinstance(statement, ast.If):
        statement = statement.body[0]
    return statement if isinstance(statement, Definition) else None


@remembered(2 * KEPT)
def _undecorated(written: str) -> Definition | None:
    found = _decorated(written)
    if found is not None and found.decorator_list:
        found = copy.copy(found)
        found.decorator_list = []
    return found


def walk(tree: ast.AST) -> list[ast.AST]:
    """What `ast.walk` gives, in its order, in a third of the time; whether a name is read or written is left out."""
    found = [tree]
    add = found.append
    for node in found:  # as `children` does it: to call that for each would take twice as long
        for name in PARTS[type(node)]:
            value = getattr(node, name, None)
            if type(value) is list:
                for each in value:
                    if isinstance(each, AST):
                        add(each)
            elif isinstance(value, AST):
                add(value)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """What `ast.iter_child_nodes` gives, but for whether a name is read or written."""
    found: list[ast.AST] = []
    for name in PARTS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, AST)]
        elif isinstance(value, AST):
            found.append(value)
    return found


def shape(tree: ast.AST) -> str:
    """A text that two trees share only if they are the same but for formatting and comments.

    Node by node in the order of `walk`, which no depth is too much for: each says which of its parts are nodes, which
    follow further down.
    """
    told: list[str] = []
    found = [tree]
    for node in found:
        told.append(type(node).__name__)
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, AST):
                told.append("node")
                if name != "ctx":
                    found.append(value)
            elif type(value) is list:
                for each in value:
                    told.append("node" if isinstance(each, AST) else repr(each))
                found += [each for each in value if isinstance(each, AST)]
                told.append("end")
            else:
                told.append(repr(value))
    return " ".join(told)
