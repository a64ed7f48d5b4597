"""A shell line as a tree of simple commands, or a reason why nobody can know (DESIGN.md decision 23).

The structure comes from the syntax tree, the simple commands from `lexer`. Only the kinds of node that stand here are
read; any other, an error or a hole anywhere in the tree, and a place where tree and text do not meet, make the whole
line Unreadable: it is never read in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from tree_sitter import Node, Query, QueryCursor

from ralph.record import replace
from ralph.shell.compounds import CLAUSES, READERS, Compounds, span_of, strange
from ralph.shell.joining import RESERVED, attached, joined, timed
from ralph.shell.model import Group, Redirect, Simple, Span, Unreadable, Word
from ralph.shell.model import Node as Command
from ralph.shell.opaque import Opaque
from ralph.syntax import grammar, parse

MAX_COMMANDS = 64
MAX_DEPTH = 40

_NESTED = """[(command_substitution) (process_substitution) (arithmetic_expansion) (heredoc_redirect)] @nested"""
_COMMENTS = "(comment) @comment"
_BEFORE_COMMENT = frozenset({"", " ", "\t", "\n", ";", "&", "|"})
"""Where bash certainly begins a comment. Behind `)` it may be in a word still: in `a=()#; ls` it runs `ls`."""
_SPLIT = re.compile(r"(?:[&|;](?=(?:\\\n)+[&|;<>])|[<>](?=(?:\\\n)+[&|<>(])|[\d}](?=(?:\\\n)+[<>]))(?:\\\n)+")
"""The shell takes continuations out before it looks for operators: what they part is one (`&\\<newline>>`)."""
_HEREDOC = "heredoc_redirect"
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_BETWEEN = frozenset({";", "\n", "&", "comment"})
_SIMPLE = frozenset(
    {"command", "declaration_command", "unset_command", "variable_assignment", "variable_assignments", "test_command"}
)


def read(text: str) -> Group | Unreadable:
    """Every command of a line, in its structure."""
    try:
        return _Reader(text).line()
    except Opaque as opaque:
        return opaque.unreadable
    except RecursionError:
        return Unreadable("OPAQUE_SIZE", "parts of it are nested too deep", (0, len(text)))


@cache
def _query(source: str) -> Query:
    return Query(grammar("shell"), source)


class _Reader(Compounds):
    def __init__(self, text: str) -> None:
        # One letter for every character beyond ASCII: then offsets of the tree are offsets of the text.
        shadow = _FOREIGN.sub("x", text)
        self.text = text
        self.end = len(text)
        self.commands = self.depth = 0
        self.root = parse("shell", shadow.encode()).root_node
        self.nodes = {}
        if not self.root.has_error and re.search(r"\$\(|[<>]\(|<<", text):
            for node in QueryCursor(_query(_NESTED)).captures(self.root).get("nested", ()):
                self.nodes[_place(node)] = node

    def line(self) -> Group:
        whole = (0, len(self.text))
        if split := _SPLIT.search(self.text):
            raise Opaque("a line continuation inside an operator", split.span(), "OPAQUE_CONTINUATION")
        if self.root.has_error:
            raise Opaque("no complete shell command", _error_span(self.root))
        if "#" in self.text:
            self._check_comments()
        group = Group("list", self.sequence(self.root.children), whole)
        if not group.parts:
            raise Opaque("no command in it", whole, "OPAQUE_EMPTY")
        return group

    def _check_comments(self) -> None:
        for node in QueryCursor(_query(_COMMENTS)).captures(self.root).get("comment", ()):
            start = node.start_byte
            before = self.text[max(start - 1, 0) : start]
            escaped = self.text.endswith("\\", 0, max(start - 1, 0))
            if before not in _BEFORE_COMMENT or escaped:
                raise Opaque("a comment where bash may see none", span_of(node), "OPAQUE_COMMENT")

    def script(self, node: Node) -> Group:
        children = node.children[1:-1]
        self._check_separators(node)
        if children and children[0].type == "file_redirect":
            # `$(<file)`: a redirect without a command, which the shell reads itself.
            return Group("list", (self._whole_simple(children[0].start_byte, children[-1].end_byte),), span_of(node))
        parts = self.sequence(children)
        if not parts:
            raise Opaque("a substitution without a command", span_of(node), "OPAQUE_EMPTY")
        return Group("list", parts, span_of(node))

    def _check_separators(self, node: Node) -> None:
        """bash 5.2 writes substitutions anew, and loses the `;` behind a here-document: of `n; m` it makes `n m`."""
        inside = range(node.start_byte, node.end_byte)
        ends = [each.end_byte for each in self.nodes.values() if each.type == _HEREDOC and each.start_byte in inside]
        if ends and ";" in self.text[min(ends) : node.end_byte]:
            raise Opaque("commands behind a here-document in a substitution", span_of(node), "OPAQUE_HEREDOC")

    def sequence(self, nodes: Iterable[Node], keywords: frozenset[str] = frozenset()) -> tuple[Command, ...]:
        """Commands one after the other; an `&` puts the one before it into the background."""
        parts: list[Command] = []
        for node in nodes:
            kind = node.type
            if kind == "&":
                if not parts:
                    raise strange(node)
                parts[-1] = Group("background", (parts[-1],), (parts[-1].span[0], node.end_byte))
            elif kind in CLAUSES:
                parts += self.sequence(node.children, CLAUSES[kind])
            elif node.is_named and kind != "comment":
                parts.append(self.operand(node))
            elif kind not in _BETWEEN and kind not in keywords:
                raise strange(node)
        return tuple(parts)

    def operand(self, node: Node) -> Command:
        """A command where the keyword `time` counts: at the beginning of a pipeline, not inside of one."""
        return timed(self._statement(node), self.text)

    def _statement(self, node: Node) -> Command:
        own = _OWN.get(node.type)
        if own is not None:
            return own(self, node)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Opaque("commands nested too deep", span_of(node), "OPAQUE_SIZE")
        try:
            if node.type in _SIMPLE and not self.text.startswith("[[", node.start_byte):
                return self._whole_simple(node.start_byte, node.end_byte)
            if (reader := READERS.get(node.type)) is None:
                raise strange(node)
            return reader(self, node)
        finally:
            self.depth -= 1

    def _whole_simple(self, start: int, end: int) -> Simple:
        command, at = self.simple(start, end)
        if at < end:
            raise Opaque("words that cannot be told apart", (at, end))
        return self._counted(command)

    def _counted(self, command: Simple) -> Simple:
        self.commands += 1
        if self.commands > MAX_COMMANDS:
            raise Opaque(f"more than {MAX_COMMANDS} commands", command.span, "OPAQUE_SIZE")
        if not (command.words or command.assignments or command.redirects):
            raise Opaque("a command without words", command.span)
        if command.words and RESERVED.fullmatch(self._source(command.words[0])):
            raise Opaque("a keyword of the shell in an unusual place", command.words[0].span)
        if command.words and not self._source(command.words[0]).isascii():
            raise Opaque("a program name with characters beyond ASCII", command.words[0].span, "OPAQUE_CHARACTER")
        return command

    def _source(self, word: Word) -> str:
        return self.text[word.span[0] : word.span[1]]

    def _list(self, node: Node) -> Group:
        left, operator, right = _three(node)
        if operator.type not in ("&&", "||"):
            raise strange(operator)
        return joined("list", self.operand(left), self.operand(right), operator.type)

    def _pipeline(self, node: Node) -> Group:
        members = [child for child in node.children if child.is_named and child.type != "comment"]
        signs = {child.type for child in node.children if child not in members}
        if not signs <= {"|", "|&", "\n", "comment"} or len(members) < 2:
            raise strange(node)
        read = [self._statement(member) for member in members]
        if any(isinstance(member, Group) and member.kind == "list" for member in read):
            raise Opaque("a pipeline of which the parts are unclear", span_of(node))
        group = joined("pipeline", read[0], read[1])
        for member in read[2:]:
            group = joined("pipeline", group, member)
        return group

    def _redirected(self, node: Node) -> Command:
        body = node.child_by_field_name("body")
        start, end = span_of(node)
        heredoc = next((child for child in node.children if child.type == _HEREDOC), None)
        if body is None or (body.type in _SIMPLE and not self.text.startswith("[[", start)):
            command, at = self.simple(start, end)
            whole: Command = self._counted(command)
        else:
            redirect = next(child for child in node.children if child.type.endswith("_redirect"))
            tail, at = self.simple(redirect.start_byte, end)
            whole = attached(self._statement(body), tail)
        if heredoc is None:
            if at < end:
                raise Opaque("words that cannot be told apart", (at, end))
            return whole
        return self._behind_heredoc(whole, heredoc, at)

    def _behind_heredoc(self, command: Command, heredoc: Node, at: int) -> Command:
        """What follows on the line of a here-document's operator hangs below it in the tree."""
        pipeline = next((child for child in heredoc.children if child.type == "pipeline"), None)
        right = heredoc.child_by_field_name("right")
        operator = heredoc.child_by_field_name("operator")
        if pipeline is None and right is None:
            if not self.text.startswith("\n", at):
                raise Opaque("words behind a here-document", (at, at + 1), "OPAQUE_HEREDOC")
            return command
        if pipeline is not None and right is None and len(pipeline.children) == 2:
            sign, following = pipeline.children
            if sign.start_byte == at and sign.type in ("|", "|&"):
                return self._piped(command, following)
        if right is not None and operator is not None and pipeline is None and operator.start_byte == at:
            return joined("list", command, self.operand(right), operator.type)
        raise Opaque("an unclear line behind a here-document", (at, at + 1), "OPAQUE_HEREDOC")

    def _piped(self, command: Command, node: Node) -> Command:
        """A pipe into what follows; of a list that is only its first command."""
        following = self._statement(node)
        if not isinstance(following, Group) or following.kind != "list":
            return joined("pipeline", command, following)
        first = following.parts[0]
        if isinstance(first, Group) and first.kind == "timed":
            raise Opaque("an unusual use of `time`", first.span)
        piped = joined("pipeline", command, first)
        return replace(following, parts=(piped, *following.parts[1:]), span=(command.span[0], following.span[1]))

    def trailing(self, node: Node) -> tuple[Redirect, ...]:
        redirect = next((child for child in node.children if child.type == "file_redirect"), None)
        if redirect is None:
            return ()
        tail, at = self.simple(redirect.start_byte, node.end_byte)
        if at < node.end_byte or tail.words or tail.assignments:
            raise strange(node)
        return tail.redirects


_OWN = {"list": _Reader._list, "pipeline": _Reader._pipeline, "redirected_statement": _Reader._redirected}


def _three(node: Node) -> list[Node]:
    children = [child for child in node.children if child.type not in ("\n", "comment")]
    if len(children) != 3:
        raise strange(node)
    return children


def _place(node: Node) -> int:
    """Where a nested node is looked up: a here-document at its operator, behind a descriptor."""
    if node.type != "heredoc_redirect":
        return node.start_byte
    return next((child.start_byte for child in node.children if child.type in ("<<", "<<-")), node.start_byte)


def _error_span(root: Node) -> Span:
    """The first place at which the tree is broken."""
    node = root
    while child := next((child for child in node.children if child.has_error or child.is_missing), None):
        node = child
    return span_of(node)
