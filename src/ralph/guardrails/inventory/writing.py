"""Expressions in one form: free of layout and comments, with variables put in where they are given once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import tree_sitter

DEPTH = 4
"""Variables made of variables."""
MOST = 2_000
"""Longer expressions are cut: they are compared, never run."""

MEMBER = "field_identifier"
MEMBERS = {
    "call": "method",
    "method_invocation": "name",
    "field_access": "field",
    "member_access_expression": "name",
}
"""Where Ruby, Java and C# name a member: a variable of that name is another thing."""
WORDS = frozenset({"true", "false", "null", "nil"})
"""Constants, for grammars to which they are names like others."""


def text_of(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


Scoped = Mapping[str, Sequence[tuple[tree_sitter.Node, tree_sitter.Node]]]
"""Variables by name, each with the statement that alone knows it, and its value."""


class Writing:
    """`local` are the variables of a test that are given one value, `scoped` those that have one in each of several
    statements."""

    def __init__(
        self,
        names: frozenset[str],
        literals: frozenset[str],
        local: Mapping[str, tree_sitter.Node],
        scoped: Scoped = MappingProxyType({}),
    ) -> None:
        self._names, self._literals, self.local, self.scoped = names, literals, local, scoped

    def knowing(self, given: Mapping[str, tree_sitter.Node]) -> Writing:
        """With more names that stand for something."""
        return Writing(self._names, self._literals, {**given, **self.local}, self.scoped) if given else self

    def of(self, node: tree_sitter.Node | None, depth: int = DEPTH) -> str:
        return "" if node is None else "".join(_spaced(self._parts(node, depth)))[:MOST]

    def plain(self, node: tree_sitter.Node) -> str:
        """As written, whatever variables hold."""
        return "".join(_spaced(self._parts(node, 0)))

    def value(self, node: tree_sitter.Node) -> tree_sitter.Node:
        """What a variable holds, or the node itself."""
        for _ in range(DEPTH):
            if node.type not in self._names or (given := self._given(node)) is None:
                break
            node = given
        return node

    def _given(self, name: tree_sitter.Node) -> tree_sitter.Node | None:
        """What a variable was given; the innermost statement that knows it tells. A member of that name is another."""
        written = text_of(name)
        if name.type == MEMBER:
            return None
        if written in self.local or written not in self.scoped:
            return self.local.get(written)
        around = (
            (statement.start_byte, value)
            for statement, value in self.scoped[written]
            if statement.start_byte <= name.start_byte < statement.end_byte
        )
        return max(around, key=lambda each: each[0], default=(0, None))[1]

    def is_constant(self, node: tree_sitter.Node) -> bool:
        """Nothing but literals: no variable, no call."""
        node = self.value(node)
        kinds = list(_kinds(node))
        if len(kinds) == 1 and text_of(node) in WORDS:
            return True
        return bool(kinds) and not any(kind in self._names or "call" in kind or "invocation" in kind for kind in kinds)

    def number(self, node: tree_sitter.Node) -> float | None:
        try:
            return float(self.of(node).replace("_", "").strip("()").rstrip("fFdDmMLlu"))
        except ValueError:
            return None

    def _parts(self, node: tree_sitter.Node, depth: int) -> Iterator[str]:
        waiting = [(node, depth)]
        while waiting:
            node, depth = waiting.pop()
            kind = node.type
            if "comment" in kind:
                continue
            if depth and kind in self._names and (value := self._given(node)) is not None:
                waiting.append((value, depth - 1))
            elif kind in self._literals:
                text = text_of(node)
                yield f'"{text[1:-1]}"' if text[:1] in "'\"" and text[:1] == text[-1:] else text
            elif node.child_count == 0:
                yield text_of(node)
            else:
                member = _member(node) if depth else None
                waiting += [(child, 0 if child == member else depth) for child in reversed(node.children)]


def _member(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """What a node names of something else, where a grammar has no name of its own for that."""
    if node.type == "navigation_expression":  # Kotlin
        return node.named_children[-1] if node.named_children else None
    field = MEMBERS.get(node.type)
    return node.child_by_field_name(field) if field is not None else None


def _kinds(node: tree_sitter.Node) -> Iterator[str]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node.type
        waiting += reversed(node.named_children)


def _spaced(parts: Iterator[str]) -> Iterator[str]:
    """A blank only between two words."""
    last = ""
    for part in (part.strip() for part in parts):
        if part:
            yield " " + part if last[-1:].isalnum() and part[:1].isalnum() else part
            last = part
