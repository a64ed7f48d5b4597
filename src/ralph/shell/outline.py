"""What two readings of one line must have in common: every command, word and redirect, by place and in order.

An outline is a flat list of entries in the order in which things stand in the line. Places are byte offsets. Values of
words are not compared: they follow from the text between the same two places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from ralph.shell.model import Group, Node, Part, Redirect, Simple, Span, Substitution, Unknown, Word

Entry = tuple[str | int | None, ...]


def outline(script: Group, text: str) -> list[Entry]:
    """The outline of what `read` made of `text`."""
    outliner = _Outliner(text)
    return [entry for part in script.parts for entry in outliner.node(part)]


def scripts(part: Part) -> tuple[Group, ...]:
    """The commands that run while this part of a word is computed."""
    if isinstance(part, Substitution):
        return (part.script,)
    return part.scripts if isinstance(part, Unknown) else ()


class _Outliner:
    def __init__(self, text: str) -> None:
        self.text = text
        sizes = (len(character.encode("utf-8", "surrogatepass")) for character in text)
        self.bytes = range(len(text) + 1) if text.isascii() else list(accumulate(sizes, initial=0))

    def node(self, node: Node) -> Iterator[Entry]:
        if isinstance(node, Simple):
            yield from self._simple(node)
            return
        if node.kind == "pipeline" and len(node.parts) == 1:  # only negated
            yield from self.node(node.parts[0])
            return
        if node.kind == "background":
            yield ("background",)
        elif node.kind == "pipeline":
            yield ("pipeline", len(node.parts))
        elif node.kind == "test":
            yield self._place("test", node.span)
            yield from (entry for word in node.values for entry in self._nested(word))
        elif node.kind != "list":
            yield (node.kind, node.name)
            yield from self._words(node.values)
        for part in node.parts:
            yield from self.node(part)
        if node.kind != "list":
            yield ("end", "background" if node.kind == "background" else None)
        yield from self._redirects(node.redirects)

    def _simple(self, command: Simple) -> Iterator[Entry]:
        yield ("command",)
        for assignment in command.assignments:
            yield ("assignment", self.bytes[assignment.span[0]], assignment.name)
            yield from self._word(assignment.value)
        yield from self._words(command.words)
        yield from self._redirects(command.redirects)

    def _words(self, words: Iterable[Word]) -> Iterator[Entry]:
        last: Span | None = None
        for word in words:
            if word.span != last:  # braces make several words of one
                yield from self._word(word)
            last = word.span

    def _word(self, word: Word) -> Iterator[Entry]:
        if word.span[0] < word.span[1]:
            yield self._place("word", word.span)
        yield from self._nested(word)

    def _nested(self, word: Word) -> Iterator[Entry]:
        for part in word.parts:
            for script in scripts(part):
                yield self._place("substitution", script.span)
                for inner in script.parts:
                    yield from self.node(inner)

    def _redirects(self, redirects: Iterable[Redirect]) -> Iterator[Entry]:
        for redirect in redirects:
            yield ("redirect", redirect.operator, redirect.descriptor)
            if redirect.target:
                yield from self._word(redirect.target)
            elif redirect.body and redirect.operator == "<<<":
                yield from self._word(redirect.body)
            elif redirect.body and redirect.body.span[0] < redirect.body.span[1]:
                start, end = redirect.body.span
                line_end = self.text.find("\n", end)
                yield self._place("text", (start, line_end if line_end >= 0 else len(self.text)))
                yield from self._nested(redirect.body)

    def _place(self, kind: str, span: Span) -> Entry:
        return kind, self.bytes[span[0]], self.bytes[span[1]]
