"""Commands made of commands: groups, branches, loops, functions. Their keywords are checked one by one."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable

from tree_sitter import Node

from ralph.record import replace
from ralph.shell.conditions import Conditions
from ralph.shell.dollar import ARITHMETIC
from ralph.shell.model import Group, Redirect, Span, Variable, Word
from ralph.shell.model import Node as Command
from ralph.shell.opaque import Opaque

_FOR = re.compile(r"(?:for|select)[ \t]+([A-Za-z_]\w*)(?=[ \t\n;])", re.ASCII)
_FUNCTION = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_IF = frozenset({"if", "then", "elif", "else", "fi"})
_LOOP = frozenset({"while", "until"})
_ENDS_ITEM = frozenset({";;", ";&", ";;&"})
CLAUSES = {
    "elif_clause": frozenset({"elif", "then"}),
    "else_clause": frozenset({"else"}),
    "do_group": frozenset({"do", "done"}),
}
"""Nodes that only hold commands of the one around them, with their keywords."""


class Compounds(Conditions):
    @abstractmethod
    def sequence(self, nodes: Iterable[Node], keywords: frozenset[str] = frozenset()) -> tuple[Command, ...]:
        """Commands one after the other, with nothing but separators and these keywords between them."""

    @abstractmethod
    def operand(self, node: Node) -> Command:
        """A command where the keyword `time` counts."""

    @abstractmethod
    def trailing(self, node: Node) -> tuple[Redirect, ...]:
        """The redirects that a node has as children."""

    def _subshell(self, node: Node) -> Group:
        return Group("subshell", self.sequence(node.children, frozenset("()")), span_of(node))

    def _block(self, node: Node) -> Group:
        if node.children[0].type != "{":
            raise Opaque(ARITHMETIC, span_of(node), "OPAQUE_ARITHMETIC")
        return Group("block", self.sequence(node.children, frozenset("{}")), span_of(node))

    def _if(self, node: Node) -> Group:
        return Group("branch", self.sequence(node.children, _IF), span_of(node))

    def _while(self, node: Node) -> Group:
        return Group("loop", self.sequence(node.children, _LOOP), span_of(node))

    def _negated(self, node: Node) -> Command:
        if len(node.children) != 2 or node.children[0].type != "!":
            raise strange(node)
        command = self.operand(node.children[1])
        if isinstance(command, Group) and command.kind == "pipeline" and not command.negated:
            return replace(command, negated=True)
        return Group("pipeline", (command,), span_of(node), negated=True)

    def _for(self, node: Node) -> Group:
        header = _FOR.match(self.text, node.start_byte)
        body = node.child_by_field_name("body")
        if header is None or body is None:
            raise strange(node)
        self.check_name(header[1], header.span(1))
        values: list[Word] = []
        listed = node.children_by_field_name("value")
        if any(child.type == "in" for child in node.children):
            values = self._values(listed)
        else:
            values = [Word((Variable("@", quoted=True),), (header.end(), header.end()))]
        parts = self.sequence(_behind(node, body), frozenset("{}"))
        return Group("for", parts, span_of(node), name=header[1], values=tuple(values))

    def _values(self, nodes: list[Node]) -> list[Word]:
        values: list[Word] = []
        if not nodes:
            return values
        at, end = nodes[0].start_byte, nodes[-1].end_byte
        while at < end:
            read, behind = self.words(at, "word")
            if behind == at:
                break
            values += read
            at = behind if behind >= end else self.skip(behind)
        if at != end:
            raise Opaque("words that cannot be told apart", (at, end))
        return values

    def _case(self, node: Node) -> Group:
        values: list[Word] = []
        parts: list[Command] = []
        for child in node.children:
            if child.type == "case_item":
                patterns, commands = self._item(child)
                values += patterns
                parts += commands
            elif child.type in ("case", "in", "esac", "\n", "comment"):
                continue
            elif not values:
                values.append(self._exactly(child, pattern=False))
            else:
                raise strange(child)
        return Group("branch", tuple(parts), span_of(node), values=tuple(values))

    def _item(self, node: Node) -> tuple[list[Word], tuple[Command, ...]]:
        patterns = node.children_by_field_name("value")
        close = next((place for place, child in enumerate(node.children) if child.type == ")"), None)
        if close is None or {child.type for child in node.children[:close] if child not in patterns} - {"(", "|"}:
            raise strange(node)
        words = [self._exactly(pattern, pattern=True) for pattern in patterns]
        return words, self.sequence(node.children[close + 1 :], _ENDS_ITEM)

    def _exactly(self, node: Node, *, pattern: bool) -> Word:
        word, end = self.word(node.start_byte, "pattern" if pattern else "value")
        if end != node.end_byte:
            raise strange(node)
        return word

    def _function(self, node: Node) -> Group:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            raise strange(node)
        match = _FUNCTION.fullmatch(self.text, name.start_byte, name.end_byte)
        if match is None:
            raise Opaque("a function with an unusual name", span_of(name))
        others = {child.type for child in node.children} - {"function", "(", ")", "file_redirect", name.type, body.type}
        if others:
            raise strange(node)
        commands = self.operand(body)
        if not isinstance(commands, Group):
            raise strange(body)
        commands = replace(commands, redirects=(*commands.redirects, *self.trailing(node)))
        return Group("function", (commands,), span_of(node), name=match[0])


READERS: dict[str, Callable[[Compounds, Node], Command]] = {
    "subshell": Compounds._subshell,
    "compound_statement": Compounds._block,
    "if_statement": Compounds._if,
    "while_statement": Compounds._while,
    "negated_command": Compounds._negated,
    "for_statement": Compounds._for,
    "case_statement": Compounds._case,
    "function_definition": Compounds._function,
    "test_command": Compounds.condition,
}


def span_of(node: Node) -> Span:
    return node.start_byte, node.end_byte


def strange(node: Node) -> Opaque:
    return Opaque(f"`{node.type}` in a place where it is not read", span_of(node))


def _behind(node: Node, body: Node) -> list[Node]:
    """The body and nothing else: what stands before it was read from the text."""
    return [child for child in node.children if child.start_byte >= body.start_byte]
