"""The second parser's reading of a shell line: the typed JSON of shfmt, as an outline.

Only what is named here is understood. Anything else in the JSON (a dialect's clause, a new version's field) is
`Unexpected`, which callers take as a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ralph.shell.outline import Entry

Tree = dict[str, Any]

_PIPES = ("|", "|&")
_KINDS = {"Subshell": "subshell", "Block": "block", "IfClause": "branch", "WhileClause": "loop"}
_NESTED = {"CmdSubst", "ProcSubst"}


class Unexpected(Exception):
    """The JSON has something that this module does not know."""


def outline(file: Tree) -> list[Entry]:
    """The outline of a whole file. Raises Unexpected, KeyError or TypeError for anything unknown."""
    return [entry for statement in file.get("Stmts", ()) for entry in _statement(statement)]


def _statement(statement: Tree) -> Iterator[Entry]:
    if statement.get("Coprocess") or statement.get("Disown"):
        raise Unexpected("Coprocess")
    background = statement.get("Background", False)
    if background:
        yield ("background",)
    command = statement.get("Cmd") or {"Type": "CallExpr"}
    kind = command["Type"]
    if kind in _SIMPLE:
        yield ("command",)
        yield from _SIMPLE[kind](command)
    elif kind == "BinaryCmd":
        yield from _binary(command)
    elif kind in _COMPOUND:
        yield from _COMPOUND[kind](command)
        yield ("end", None)
    else:
        raise Unexpected(kind)
    for redirect in statement.get("Redirs", ()):
        yield from _redirect(redirect)
    if background:
        yield ("end", "background")


def _statements(tree: Tree, *names: str) -> Iterator[Entry]:
    for name in names:
        for statement in tree.get(name, ()):
            yield from _statement(statement)


def _call(command: Tree) -> Iterator[Entry]:
    for assignment in command.get("Assigns", ()):
        yield ("assignment", _offset(assignment, "Pos"), assignment["Name"]["Value"])
        value = assignment.get("Value") or assignment.get("Array")
        if value:
            yield from _word(value)
    for word in command.get("Args", ()):
        yield from _word(word)


def _declaration(command: Tree) -> Iterator[Entry]:
    yield from _word(command["Variant"])
    for argument in command.get("Args", ()):
        yield from _word(argument)


def _let(command: Tree) -> Iterator[Entry]:
    start = _offset(command, "Pos")
    yield ("word", start, start + len("let"))
    for expression in command["Exprs"]:
        yield from _word(expression)


def _binary(command: Tree) -> Iterator[Entry]:
    if command["Op"] in ("&&", "||"):
        yield from _statement(command["X"])
        yield from _statement(command["Y"])
    elif command["Op"] in _PIPES:
        members = list(_members(command))
        yield ("pipeline", len(members))
        for member in members:
            yield from _statement(member)
        yield ("end", None)
    else:
        raise Unexpected(command["Op"])


def _members(command: Tree) -> Iterator[Tree]:
    for side in (command["X"], command["Y"]):
        inner = side.get("Cmd") or {}
        plain = not (side.get("Redirs") or side.get("Background"))
        if plain and inner.get("Type") == "BinaryCmd" and inner["Op"] in _PIPES:
            yield from _members(inner)
        else:
            yield side


def _group(command: Tree) -> Iterator[Entry]:
    yield (_KINDS[command["Type"]], None)
    yield from _statements(command, "Stmts", "Cond", "Then", "Do")
    otherwise = command.get("Else")
    while otherwise:
        yield from _statements(otherwise, "Cond", "Then")
        otherwise = otherwise.get("Else")


def _for(command: Tree) -> Iterator[Entry]:
    loop = command["Loop"]
    if loop["Type"] != "WordIter":
        raise Unexpected(loop["Type"])
    yield ("for", loop["Name"]["Value"])
    for word in loop.get("Items", ()):
        yield from _word(word)
    yield from _statements(command, "Do")


def _case(command: Tree) -> Iterator[Entry]:
    yield ("branch", None)
    yield from _word(command["Word"])
    items = command.get("Items", ())
    for item in items:
        for pattern in item["Patterns"]:
            yield from _word(pattern)
    for item in items:
        yield from _statements(item, "Stmts")


def _function(command: Tree) -> Iterator[Entry]:
    yield ("function", command["Name"]["Value"])
    yield from _statement(command["Body"])


def _time(command: Tree) -> Iterator[Entry]:
    yield ("timed", None)
    yield from _statement(command["Stmt"])


def _test(command: Tree) -> Iterator[Entry]:
    yield ("test", _offset(command, "Pos"), _offset(command, "End"))
    yield from _nested(command["X"])


def _word(word: Tree) -> Iterator[Entry]:
    yield ("word", _offset(word, "Pos"), _offset(word, "End"))
    yield from _nested(word)


def _nested(tree: Any) -> Iterator[Entry]:
    """The substitutions anywhere below, in order."""
    if isinstance(tree, list):
        for item in tree:
            yield from _nested(item)
    elif isinstance(tree, dict):
        if tree.get("Type") in _NESTED:
            yield ("substitution", _offset(tree, "Pos"), _offset(tree, "End"))
            yield from _statements(tree, "Stmts")
        else:
            for item in tree.values():
                yield from _nested(item)


def _redirect(redirect: Tree) -> Iterator[Entry]:
    descriptor = redirect.get("N")
    yield ("redirect", redirect["Op"], int(descriptor["Value"]) if descriptor else None)
    body = redirect.get("Hdoc")
    if redirect["Op"] not in ("<<", "<<-"):
        yield from _word(redirect["Word"])
    elif body:
        yield ("text", _offset(body, "Pos"), _offset(body, "End"))
        yield from _nested(body)


def _offset(tree: Tree, name: str) -> int:
    offset = tree[name]["Offset"]
    if not isinstance(offset, int):
        raise Unexpected(name)
    return offset


_SIMPLE = {"CallExpr": _call, "DeclClause": _declaration, "LetClause": _let}
_COMPOUND = dict.fromkeys(_KINDS, _group) | {
    "ForClause": _for,
    "CaseClause": _case,
    "FuncDecl": _function,
    "TimeClause": _time,
    "TestClause": _test,
}
