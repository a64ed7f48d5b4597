"""One side of one changed file, as detectors see it: bytes, a syntax tree, comments.

The tree is tree-sitter's and is made only when a detector asks. A grammar never fails: what it cannot read
becomes ERROR nodes, and `unreadable` tells which lines they cover, so that a detector can fall back to text
there (a file that is broken on purpose must not hide anything).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import ParamSpec, TypeVar, cast

import tree_sitter

from ralph.guardrails.memo import Memo
from ralph.guardrails.model import Hit
from ralph.record import record
from ralph.syntax import grammar, parse_bounded, walk

P = ParamSpec("P")
T = TypeVar("T")


@record
class Comment:
    """A comment as written, marks included. Lines and columns are 1-based; columns count bytes."""

    text: str
    line: int
    column: int
    end_line: int
    start_byte: int
    alone: bool
    """Nothing but white space stands before it on its line."""


class Source:
    """A file's content in one language. `language` is a key of GRAMMARS."""

    def __init__(self, path: str, language: str, data: bytes, first_line: int = 1) -> None:
        self.path = path
        self.language = language
        self.data = data
        self.first_line = first_line
        """The file's line on which `data` begins: more than 1 for a script inside a Vue component."""
        self.memo = Memo()

    @cached_property
    def tree(self) -> tree_sitter.Tree:
        return _tree(self.language, self.data)

    @cached_property
    def lines(self) -> list[bytes]:
        return self.data.split(b"\n")

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        return tuple(map(self._comment, self.comment_nodes))

    @cached_property
    def comment_nodes(self) -> tuple[tree_sitter.Node, ...]:
        return tuple(node for node in self.captures(_comments(self.language)) if not _is_comment(node.parent))

    @cached_property
    def unreadable(self) -> frozenset[int]:
        """Lines (of the file, 1-based) covered by ERROR nodes; empty for a file that parses."""
        if not self.tree.root_node.has_error:
            return frozenset()
        rows: set[int] = set()
        for node in self.walk():
            if node.is_error or node.is_missing:
                rows.update(range(node.start_point.row, node.end_point.row + 1))
        return frozenset(row + self.first_line for row in rows)

    def captures(
        self, query: str, node: tree_sitter.Node | None = None, name: str = "found"
    ) -> Sequence[tree_sitter.Node]:
        """The nodes that a tree-sitter query gives this name, in source order: a hundred times faster than `walk`.

        What the whole file has is looked up once for all rules that ask with the same query.
        """
        if node is None:
            return _captured(self.language, self.data, query).get(name, ())
        return in_order(tree_sitter.QueryCursor(_query(self.language, query)).captures(node).get(name, []))

    def walk(self, node: tree_sitter.Node | None = None) -> Iterator[tree_sitter.Node]:
        """Every node, depth first, in source order."""
        return walk(node or self.tree.root_node)

    def text(self, node: tree_sitter.Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def hit(
        self,
        rule: str,
        node: tree_sitter.Node | Comment,
        key: str,
        scope: frozenset[str] | None = frozenset(),
        detail: str | None = None,
    ) -> Hit:
        """A hit at a node or comment. White space inside `key` is folded: a moved line keeps its key."""
        if isinstance(node, Comment):
            line, column = node.line, node.column
        else:
            line, column = node.start_point.row + self.first_line, node.start_point.column + 1
        return Hit(
            rule=rule,
            path=self.path,
            line=line,
            column=column,
            key=" ".join(key.split()),
            snippet=self.line_text(line),
            scope=scope,
            detail=detail,
        )

    def line_text(self, line: int) -> str:
        """The file's line, for people to read."""
        row = line - self.first_line
        raw = self.lines[row] if 0 <= row < len(self.lines) else b""
        return raw.decode("utf-8", "replace").strip()

    def skips(self, rule: str, node: tree_sitter.Node | Comment, key: str, *, always: bool) -> Iterator[Hit]:
        """A skip: one that holds always has a second hit, for which one under a condition does not answer."""
        yield self.hit(rule, node, key)
        if always:
            yield self.hit(rule, node, f"{key}, always")

    def _comment(self, node: tree_sitter.Node) -> Comment:
        before = self.lines[node.start_point.row][: node.start_point.column]
        return Comment(
            text=self.text(node),
            line=node.start_point.row + self.first_line,
            column=node.start_point.column + 1,
            end_line=node.end_point.row + self.first_line,
            start_byte=node.start_byte,
            alone=not before.strip(),
        )


def _is_comment(node: tree_sitter.Node | None) -> bool:
    """Some grammars have the parts of a comment as comments, too."""
    return node is not None and "comment" in node.type and node.type != "comments"


_REMEMBERED: list[Callable[[], None]] = []


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep what a function gave for so many arguments, until the scan is over (`forget`)."""

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(function)
        _REMEMBERED.append(kept.cache_clear)
        return cast("Callable[P, T]", kept)

    return wrap


@remembered(20_000)
def parent_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """For climbs: a grammar looks for a parent from the root of the file down, each time, so that of a chain of
    thousands of operators no climb would come to an end."""
    return node.parent


@remembered(1024)
def _tree(language: str, data: bytes) -> tree_sitter.Tree:
    """By content, because the rules of a scan look at the same side of a file one after the other."""
    return parse_bounded(language, data)


@remembered(4096)
def _captured(language: str, data: bytes, query: str) -> Mapping[str, Sequence[tree_sitter.Node]]:
    found = tree_sitter.QueryCursor(_query(language, query)).captures(_tree(language, data).root_node)
    return {name: in_order(nodes) for name, nodes in found.items()}


def in_order(nodes: Iterable[tree_sitter.Node]) -> list[tree_sitter.Node]:
    """As they stand in the file, outer ones first."""
    return sorted(nodes, key=lambda each: (each.start_byte, -each.end_byte))


def forget() -> None:
    """A scan is over: nobody will ask for its trees again, and they take much memory."""
    for clear in _REMEMBERED:
        clear()


Detector = Callable[[Source], Iterable[Hit]]
"""Finds every hit of some rules in one side of one file; comparing the sides is `guardrails.compare`'s work."""


@cache
def _query(language: str, query: str) -> tree_sitter.Query:
    return tree_sitter.Query(grammar(language), query)


@cache
def _comments(language: str) -> str:
    """The query for every kind of comment that a grammar knows."""
    known = grammar(language)
    kinds = (number for number in range(known.node_kind_count) if known.node_kind_is_named(number))
    names = {known.node_kind_for_id(number) for number in kinds if known.node_kind_is_visible(number)}
    return f"[{' '.join(f'({name})' for name in sorted(filter(None, names)) if 'comment' in name)}] @found"
