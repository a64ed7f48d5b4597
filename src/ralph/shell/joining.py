"""Commands joined to bigger ones: lists, pipelines, what `time` measures, and to whom a redirect belongs."""

from __future__ import annotations

import re

from ralph.record import replace
from ralph.shell.model import Group, Kind, Node, Simple, Word
from ralph.shell.opaque import Opaque

RESERVED = re.compile(r"!|[{}]|\[\[|if|then|elif|else|fi|for|select|while|until|do|done|case|esac|function|coproc")


def joined(kind: Kind, left: Node, right: Node, operator: str | None = None) -> Group:
    """Two commands as a list or a pipeline; parts of a list within such a list are parts of both."""
    parts = (*_members(kind, left), *_members(kind, right))
    between = (operator,) if operator else ()
    operators = (*_operators(kind, left), *between, *_operators(kind, right))
    return Group(kind, parts, (left.span[0], right.span[1]), operators=operators)


def timed(command: Node, text: str) -> Node:
    """The command with what the keyword `time` at its beginning measures told apart."""
    if isinstance(command, Group) and command.kind in ("pipeline", "list"):
        first = timed(command.parts[0], text)
        if first is command.parts[0]:
            return command
        if command.kind == "list" or not isinstance(first, Group):
            return replace(command, parts=(first, *command.parts[1:]))
        return replace(first, parts=(replace(command, parts=(*first.parts, *command.parts[1:])),), span=command.span)
    if not isinstance(command, Simple) or not command.words or _source(command.words[0], text) != "time":
        return command
    if command.words[0].span[0] != command.span[0]:
        return command  # behind an assignment or a redirect it is no keyword
    rest = command.words[1:]
    if rest and _source(rest[0], text) == "-p":
        rest = rest[1:]
    first_word = _source(rest[0], text) if rest else "time"
    if RESERVED.fullmatch(first_word) or first_word in ("time", "--") or "=" in first_word:
        raise Opaque("an unusual use of `time`", command.span)
    inner = replace(command, words=rest, span=(rest[0].span[0], command.span[1]))
    return Group("timed", (inner,), command.span)


def attached(command: Node, tail: Simple) -> Node:
    """A redirect binds to the last command of a list; the tree has it around the whole."""
    span = (command.span[0], tail.span[1])
    if isinstance(command, Simple):
        words, redirects = (*command.words, *tail.words), (*command.redirects, *tail.redirects)
        return replace(command, words=words, redirects=redirects, span=span)
    if command.kind in ("list", "pipeline", "timed"):
        return replace(command, parts=(*command.parts[:-1], attached(command.parts[-1], tail)), span=span)
    if tail.words or tail.assignments:
        raise Opaque("words behind a redirect", tail.span, "OPAQUE_REDIRECT")
    return replace(command, redirects=(*command.redirects, *tail.redirects), span=span)


def _members(kind: Kind, command: Node) -> tuple[Node, ...]:
    if isinstance(command, Group) and command.kind == kind and not command.redirects and not command.negated:
        return command.parts
    return (command,)


def _operators(kind: Kind, command: Node) -> tuple[str, ...]:
    return command.operators if isinstance(command, Group) and command.kind == kind else ()


def _source(word: Word, text: str) -> str:
    return text[word.span[0] : word.span[1]]
