"""Comments that take code out of the coverage figure (spec: governance engine 1.4; class G11).

Istanbul reads the start of a comment of either kind; Vitest reads `c8`, `v8` and `node:coverage` the same way; c8 and
Node read block comments with single blanks. `ignore start` and `disable` are found by looking at lines as text, so
they work inside strings and templates too: that is shown, since a string may also just hold the words.

An exemption of code that cannot run (the next thing is a function of a `never`, or a check that a value is `never`) is
shown and does not block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.suppressed.notes import Note, notes
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import may_match
from ralph.guardrails.source import Comment, Source
from ralph.system.patterns import later

_HINT = later(r"\*?\s*(?P<tool>istanbul|[cv]8|node:coverage)\s+ignore\s+(?P<what>if|else|next|file)(?=\W|$)")
_NESTED = later(r"/\* (?P<tool>[cv]8|node:coverage) ignore (?P<what>next)")
_REGION = later(
    r"(?P<tool>istanbul|[cv]8|node:coverage)\s+ignore\s+(?P<what>start)(?=\W|$)|/\*\s*node:coverage\s+disable\b"
)
_REGION_TEXT = later(_REGION.pattern.encode())
_LINES = later(r"\s+ignore\s+next\s+(\d+)")
_MOST_LINES = 5
"""An exemption by line count that is longer is no exemption of one unreachable place."""
_STATEMENTS = frozenset({"expression_statement", "lexical_declaration", "throw_statement", "return_statement"})
_FUNCTIONS = frozenset({"function_declaration", "function_expression", "arrow_function", "method_definition"})


def exemptions(source: Source) -> Iterator[Hit]:
    found = notes(source)
    for note in found:
        if match := _exemption(note):
            what = match["what"] or "disable"
            rule = "js.coverage-ignore"
            if what == "next" and _is_unreachable(source, note):
                rule = "js.coverage-ignore-unreachable"
            key = f"{match['tool'] or 'node:coverage'} ignore {what}"
            yield source.hit(rule, note.comment, key, scope=None)
            if what == "next" and _is_whole(source, note):
                yield source.hit(rule, note.comment, f"{key}: more than a statement")
    yield from _in_text(source, found)


def _exemption(note: Note) -> re.Match[str] | None:
    text = note.comment.text
    return _HINT.match(note.body) or _REGION.search(text) or _NESTED.search(text)


def _in_text(source: Source, found: tuple[Note, ...]) -> Iterator[Hit]:
    spans = [(note.comment.start_byte, note.end_byte) for note in found]
    for match in _REGION_TEXT.finditer(source.data) if may_match(_REGION_TEXT, source.data) else ():
        if any(start <= match.start() < end for start, end in spans):
            continue
        row = source.data.count(b"\n", 0, match.start())
        column = match.start() - (source.data.rfind(b"\n", 0, match.start()) + 1) + 1
        line = row + source.first_line
        place = Comment(match[0].decode(), line, column, line, match.start(), alone=False)
        yield source.hit("js.coverage-ignore-text", place, place.text, scope=None)


def _is_unreachable(source: Source, note: Note) -> bool:
    if _is_of_many_lines(note):
        return False
    target = _target(source, note)
    return target is not None and (_only_refuses(source, target) or _ends_a_never(source, target))


def _is_of_many_lines(note: Note) -> bool:
    count = _LINES.search(note.body)
    return count is not None and int(count[1]) > _MOST_LINES


def _is_whole(source: Source, note: Note) -> bool:
    """A function, a class or many lines: an exemption of less does not stand in its place."""
    if _is_of_many_lines(note):
        return True
    target = _target(source, note)
    if target is not None and target.type == "export_statement":
        target = target.child_by_field_name("declaration")
    return target is not None and (target.type in _FUNCTIONS or target.type.endswith("class_declaration"))


def _target(source: Source, note: Note) -> tree_sitter.Node | None:
    """What stands behind the comment."""
    start = note.comment.start_byte
    target = source.tree.root_node.descendant_for_byte_range(start, start + 1)
    while target is not None and "comment" in target.type:
        target = target.next_named_sibling
    return target


def _ends_a_never(source: Source, target: tree_sitter.Node) -> bool:
    """The `throw` of a function of a `never`."""
    above = target.parent if target.type == "throw_statement" else None
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    parameters = above.child_by_field_name("parameters") if above is not None else None
    return parameters is not None and _says_never(source, parameters)


def _only_refuses(source: Source, target: tree_sitter.Node) -> bool:
    """A function of a `never` with one statement, or one or two statements that name `never`."""
    nodes = list(source.walk(target))
    statements = sum(node.type in _STATEMENTS for node in nodes)
    functions = [node for node in nodes if node.type in _FUNCTIONS]
    if functions:
        parameters = functions[0].child_by_field_name("parameters")
        return len(functions) == 1 and statements <= 2 and parameters is not None and _says_never(source, parameters)
    return statements <= 2 and _says_never(source, target)


def _says_never(source: Source, node: tree_sitter.Node) -> bool:
    return any(child.type == "predefined_type" and source.text(child) == "never" for child in source.walk(node))
