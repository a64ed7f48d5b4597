"""Where words stand in a Python file: found in the text first, and looked up in the tree only there.

A walk over a whole tree costs a hundred times what its parsing costs. Identifiers that are not ASCII are found
by the form in which Python compares them (NFKC).
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.source import Source, parent_of
from ralph.system.patterns import later

Node = tree_sitter.Node

_LETTERS = frozenset(letter for letter in map(bytes, zip(range(256))) if letter.isalnum() or letter == b"_")
_WORDS = bytes(each if bytes([each]) in _LETTERS else 32 for each in range(256))
"""Letters as they are, everything that is in no word as a blank."""
_FOREIGN = later(rb"\w*[\x80-\xff][\w\x80-\xff]*")


def identifier(source: Source, node: Node) -> str:
    """A name in the form in which Python compares names."""
    written = source.text(node)
    return written if written.isascii() else unicodedata.normalize("NFKC", written)


def words_of(source: Source) -> Words:
    """Those of a source, which all its rules share."""
    return source.memo.once("words", lambda: Words(source))


class Words:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: dict[str, list[Node]] = {}
        self._root = source.tree.root_node

    def identifiers(self, word: str) -> list[Node]:
        """Every identifier that reads `word`, in order."""
        if (found := self._found.get(word)) is None:
            nodes = (self.node_at(start, end) for start, end in self._places(word))
            found = [node for node in nodes if node.type == "identifier" and self._reads(node, word)]
            self._found[word] = found
        return found

    def _reads(self, node: Node, word: str) -> bool:
        plain = word.isascii() and node.end_byte - node.start_byte == len(word)
        return plain or identifier(self._source, node) == word

    def node_at(self, start: int, end: int) -> Node:
        """The innermost node that holds these bytes."""
        return self._root.descendant_for_byte_range(start, end) or self._root

    def _places(self, word: str) -> Iterator[tuple[int, int]]:
        """Plain search first: a regular expression with borders is fifty times slower."""
        data, plain = self._source.data, word.encode()
        start = data.find(plain) if plain in self._plain else -1
        while start >= 0:
            end = start + len(plain)
            if data[start - 1 : start] not in _LETTERS and data[end : end + 1] not in _LETTERS:
                yield start, end
            start = data.find(plain, end)
        yield from self._foreign.get(word, ())

    @cached_property
    def _plain(self) -> frozenset[bytes]:
        """Every word of the file: most that are asked for are not there."""
        return frozenset(self._source.data.translate(_WORDS).split())

    @cached_property
    def _foreign(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        if not self._source.data.isascii():
            for match in _FOREIGN.finditer(self._source.data):
                found[unicodedata.normalize("NFKC", match[0].decode("utf-8", "replace"))].append(match.span())
        return found


def enclosing(node: Node | None, *types: str) -> Node | None:
    """The nearest node around this one, or itself, of one of the types."""
    above = node
    while above is not None and above.type not in types:
        above = parent_of(above)
    return above
