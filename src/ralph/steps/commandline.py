"""A shell line as the simple commands that it runs, and where in it arguments can be added.

Read with a grammar, not with patterns: quotes, redirects, comments and `&&` are told apart, and an argument that is
added stands behind the last word of its own command (`eslint . | tee log` -> `eslint . --format json | tee log`).
Positions are byte offsets into the UTF-8 line.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.record import record
from ralph.syntax import parse, walk

_NEUTRAL = frozenset(
    {"cd", "export", "set", "source", ".", "true", ":", "echo", "printf", "exit", "test", "[", "unset"}
)
_REPEATS = frozenset({"for_statement", "c_style_for_statement", "while_statement", "function_definition"})
_NO_WORDS = frozenset({"variable_assignment", "file_redirect", "herestring_redirect", "heredoc_redirect"})
_CHAIN = frozenset({"program", "list", "command", "redirected_statement", "&&"})


@record
class Word:
    """One word as the shell would pass it, or its source where only the shell can know."""

    text: str
    start: int
    end: int


@record
class Simple:
    """One simple command without the assignments before it and the redirects after it."""

    words: tuple[Word, ...]
    repeated: bool = False
    """It stands in a loop or a function: it may run any number of times."""

    @property
    def name(self) -> str:
        return os.path.basename(self.words[0].text)  # noqa: PTH119 (text of a command, not a path)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)

    @property
    def end(self) -> int:
        return self.words[-1].end

    @property
    def neutral(self) -> bool:
        """It measures nothing, whatever it says."""
        return self.name in _NEUTRAL


@record
class Line:
    """`chained`: nothing but simple commands joined by `&&`, so that the last one ran if the line ended well."""

    text: str
    commands: tuple[Simple, ...]
    chained: bool


@record
class Edit:
    """Replace the bytes from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def read_line(text: str) -> Line:
    data = text.encode("utf-8", "surrogateescape")
    root = parse("shell", data).root_node
    nodes = list(walk(root))
    commands = tuple(
        Simple(words, any(outer.type in _REPEATS for outer in _around(node)))
        for node in nodes
        if node.type == "command" and (words := tuple(_words(node, data)))
    )
    outer = (node for node in nodes if not _inside_command(node))
    return Line(text, commands, chained=not root.has_error and all(node.type in _CHAIN for node in outer))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The line with every edit made; edits do not overlap."""
    data = text.encode("utf-8", "surrogateescape")
    for edit in sorted(edits, key=lambda each: (each.start, each.end), reverse=True):
        data = data[: edit.start] + edit.text.encode("utf-8", "surrogateescape") + data[edit.end :]
    return data.decode("utf-8", "surrogateescape")


def _around(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _inside_command(node: tree_sitter.Node) -> bool:
    return node.type == "file_redirect" or any(outer.type in ("command", "file_redirect") for outer in _around(node))


def _words(command: tree_sitter.Node, data: bytes) -> Iterator[Word]:
    for child in command.children:
        # behind `a |` the grammar makes a word up, which nobody wrote
        if child.type in _NO_WORDS or child.start_byte == child.end_byte:
            continue
        source = data[child.start_byte : child.end_byte].decode("utf-8", "surrogateescape")
        yield Word(_unquoted(source), child.start_byte, child.end_byte)


def _unquoted(source: str) -> str:
    if any(sign in source for sign in "$`"):
        return source
    try:
        parts = shlex.split(source)
    except ValueError:
        return source
    return parts[0] if len(parts) == 1 else source
