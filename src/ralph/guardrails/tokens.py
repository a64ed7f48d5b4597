"""The words of a source, in order: for rules that look at a short run of words rather than at a tree.

Leaves of a syntax tree stay usable where its structure is not: inside macros, and around what a grammar could
not read. Comments are left out. A string literal is one token, unless code stands inside it (interpolation):
then its text parts are tokens of kind string and the code is read like any other code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import tree_sitter

from ralph.guardrails.source import Comment, Source
from ralph.record import record
from ralph.system.patterns import later

OPENING = {"(": ")", "[": "]", "{": "}"}
STRING = later(r"(?:^|_)(?:string|string_literal|char_literal|character_literal|rune_literal)$")
LEXEME = later(
    rb"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<string>\"(?:[^\"\\\n]|\\.)*\")|[\w\x80-\xff]+|[^\s\w]", re.DOTALL
)
CODE_INSIDE = later(r"interpolat|embedded|substitution|expansion")


@record
class Token:
    text: str
    kind: Literal["word", "string", "mark"]
    node: tree_sitter.Node | Comment
    """Where it stands: a node, or a place in what the grammar passed over."""

    @property
    def value(self) -> str:
        """A string without its quotes and prefix."""
        return re.sub(r"^[A-Za-z@$]*[\"'`#]+|[\"'`#]+$", "", self.text) if self.kind == "string" else self.text


def tokens(source: Source, root: tree_sitter.Node | None = None) -> Sequence[Token]:
    """Of a part of a file, or of all of it."""
    if root is not None:
        return list(_tokens(source, root))
    return source.memo.once("tokens", lambda: list(_tokens(source, source.tree.root_node)))


def group_end(words: Sequence[Token], start: int) -> int:
    """The index of the mark that closes the group opened at `start`; the end of `words` if nothing does."""
    depth = 0
    for index in range(start, len(words)):
        if words[index].kind != "mark":
            continue
        if words[index].text in OPENING:
            depth += 1
        elif words[index].text in OPENING.values():
            depth -= 1
            if depth == 0:
                return index
    return len(words)


def join(words: Sequence[Token]) -> str:
    return " ".join(word.text for word in words)


def split(words: Sequence[Token]) -> list[list[Token]]:
    """Arguments apart at the commas of the outermost level."""
    parts: list[list[Token]] = [[]]
    index = 0
    while index < len(words):
        end = group_end(words, index) if words[index].text in "([{" and words[index].kind == "mark" else index
        if words[index].text == ",":
            parts.append([])
        else:
            parts[-1].extend(words[index : end + 1])
        index = end + 1
    return [part for part in parts if part]


def masked(source: Source, keep_strings: bool = False) -> str:
    """The source with comments, here documents and strings blanked byte for byte: places stay what they are."""
    data = bytearray(source.data)
    for node in source.walk():
        text = STRING.search(node.type) and not keep_strings and not _has_code(node)
        if text or "comment" in node.type or node.type in ("heredoc_body", "heredoc_content"):
            place = slice(node.start_byte, node.end_byte)
            data[place] = re.sub(rb"[^\n]", b" ", data[place])
    return data.decode("latin-1")


def _tokens(source: Source, root: tree_sitter.Node) -> Iterator[Token]:
    stack: list[tree_sitter.Node | range] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, range):
            yield from _lexed(source, node)
        elif "comment" in node.type:
            continue
        elif STRING.search(node.type) and node.is_named and not _has_code(node):
            yield Token(source.text(node), "string", node)
        elif node.is_error:
            stack.extend(reversed(_with_gaps(node)))
        elif node.children:
            stack.extend(reversed(node.children))
        elif text := source.text(node):
            yield Token(text, _kind(node.type, text), node)


def _with_gaps(error: tree_sitter.Node) -> list[tree_sitter.Node | range]:
    """The children of an ERROR node and, between them, what the grammar passed over."""
    parts: list[tree_sitter.Node | range] = []
    at = error.start_byte
    for child in error.children:
        parts += [range(at, child.start_byte), child]
        at = child.end_byte
    return [*parts, range(at, error.end_byte)]


def _lexed(source: Source, gap: range) -> Iterator[Token]:
    """The words of a stretch that the grammar passed over."""
    for match in LEXEME.finditer(source.data, gap.start, gap.stop):
        if not match["comment"]:
            line = source.data.count(b"\n", 0, match.start()) + source.first_line
            column = match.start() - source.data.rfind(b"\n", 0, match.start())
            text = match[0].decode("utf-8", "replace")
            place = Comment(text, line, column, line, match.start(), alone=False)
            yield Token(text, "string" if match["string"] else _kind("", text), place)


def _kind(type_: str, text: str) -> Literal["word", "string", "mark"]:
    if "string" in type_ or "heredoc" in type_:
        return "string"
    return "word" if text[0].isalnum() or text[0] in "_`\\" or ord(text[0]) > 127 else "mark"


def _has_code(node: tree_sitter.Node) -> bool:
    return any(CODE_INSIDE.search(child.type) for child in node.children)
