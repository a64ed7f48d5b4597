"""Comments as the JavaScript tools read them: kind and text (spec: governance engine 1.4).

A comment is what the grammar calls one: text in strings, templates, regular expressions and JSX is none.
Where a statement does not parse, its lines are read again as plain text, so that nothing hides behind a broken
line: there, every `//` and `/*` outside of quotes opens a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import tree_sitter

from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.source import Comment, Source, remembered
from ralph.record import record
from ralph.system.patterns import later

BYTE_ORDER_MARK = "\ufeff"
"""White space to JavaScript, not to Python."""

_STYLES = later(r"(?:styled|css|keyframes|createGlobalStyle|injectGlobal|globalCss|\w+\.css)\b")
_TEXT_COMMENT = later(
    rb""" (?P<quoted> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
        | (?P<comment> //[^\n\r]* | /\*(?:[^*]|\*(?!/))*(?:\*/|\Z) ) """,
    re.VERBOSE,
)


@record
class Note:
    """A comment without its marks. `///` and `/**` leave `/` and `*` at the start of the body, as tools see it."""

    comment: Comment
    kind: Literal["line", "block"]
    body: str

    @property
    def end_byte(self) -> int:
        return self.comment.start_byte + len(self.comment.text.encode())


def notes(source: Source) -> tuple[Note, ...]:
    """Every comment of the file, in order."""
    return _notes(source.path, source.language, source.data, source.first_line)


@remembered(4)
def _notes(path: str, language: str, data: bytes, first_line: int) -> tuple[Note, ...]:
    """By content, as several rules have sources of their own for the same text."""
    source = Source(path, language, data, first_line)
    comments = {node.start_byte: _comment(source, node) for node in nodes_of(source, "comment", "html_comment")}
    if source.tree.root_node.has_error:
        for comment in _comments_in_broken_statements(source):
            comments.setdefault(comment.start_byte, comment)
    return tuple(_note(comments[start]) for start in sorted(comments))


def styled(source: Source) -> tuple[Note, ...]:
    """Comments in templates of styles, for the linter of styles: `styled.div`...``, `css`...``."""
    if b"stylelint-" not in source.data:
        return ()
    found: list[Note] = []
    for node in nodes_of(source, "template_string"):
        call = node.parent
        tag = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
        if tag is not None and _STYLES.match(source.text(tag)):
            found += (_note(each) for each in _text_comments(source, node.start_byte + 1, node.end_byte - 1))
    return tuple(found)


def _comment(source: Source, node: tree_sitter.Node) -> Comment:
    row, column = node.start_point
    return Comment(
        text=source.text(node),
        line=row + source.first_line,
        column=column + 1,
        end_line=node.end_point.row + source.first_line,
        start_byte=node.start_byte,
        alone=not source.lines[row][:column].strip(),
    )


def _note(comment: Comment) -> Note:
    text = comment.text.replace(BYTE_ORDER_MARK, " ")
    if text.startswith("/*"):
        return Note(comment, "block", text[2:].removesuffix("*/"))
    mark = next(mark for mark in ("//", "<!--", "-->", "") if text.startswith(mark))
    return Note(comment, "line", text[len(mark) :])


def _comments_in_broken_statements(source: Source) -> Iterable[Comment]:
    for node in source.tree.root_node.children:
        if node.has_error or node.is_error:
            first = source.data.rfind(b"\n", 0, node.start_byte) + 1
            end = source.data.find(b"\n", node.end_byte)
            yield from _text_comments(source, first, len(source.data) if end < 0 else end)


def _text_comments(source: Source, start: int, end: int) -> Iterator[Comment]:
    for match in _TEXT_COMMENT.finditer(source.data, start, end):
        if match["comment"] is None:
            continue
        line_start = source.data.rfind(b"\n", 0, match.start()) + 1
        line = source.data.count(b"\n", 0, match.start()) + source.first_line
        yield Comment(
            text=match["comment"].decode("utf-8", "replace"),
            line=line,
            column=match.start() - line_start + 1,
            end_line=line + match["comment"].count(b"\n"),
            start_byte=match.start(),
            alone=not source.data[line_start : match.start()].strip(),
        )
