"""What two casts must have in common to be the same one (see `escapes`).

A function is cast for its type: what it does may change under the same cast, and is judged by itself. A function that
is cast as a whole is told from others by the name that it is given to. White space, a last comma and parentheses around
what is cast say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_GIVEN_TO = {"variable_declarator": "name", "assignment_expression": "left", "pair": "key"}
_BETWEEN = later(r"(?<=\W)\s+|\s+(?=\W)")
_LAST_COMMA = later(r",(?=[)\]}>])")


def cast_text(source: Source, cast: tree_sitter.Node) -> str:
    functions = list(_functions(source, cast))
    left_out = [(function.start_byte, function.end_byte, "=>") for function in functions]
    left_out += [(mark.start_byte, mark.end_byte, "") for mark in _parentheses(cast)]
    data, at, parts = source.data, cast.start_byte, [_name(source, cast)] if functions else []
    for start, end, instead in sorted(left_out):
        if start >= at:
            parts.append(data[at:start].decode("utf-8", "replace") + instead)
            at = end
    parts.append(data[at : cast.end_byte].decode("utf-8", "replace"))
    return _LAST_COMMA.sub("", _BETWEEN.sub("", "".join(parts)))


def _parentheses(cast: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Those around what is cast: `(x as unknown) as One`, `(x) as One`."""
    node: tree_sitter.Node | None = cast
    while node is not None and node.type in ("as_expression", "parenthesized_expression"):
        if node.type == "parenthesized_expression":
            yield from (child for child in node.children if child.type in ("(", ")"))
        node = next((child for child in node.named_children if "comment" not in child.type), None)


def _functions(source: Source, cast: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The outermost ones, in order; of a method only its body, as its name is a member's."""
    end = cast.start_byte
    for node in source.walk(cast):
        if node.type in FUNCTIONS and node.start_byte >= end:
            part = node.child_by_field_name("body") if node.type == "method_definition" else node
            if part is not None:
                yield part
                end = node.end_byte


def _name(source: Source, cast: tree_sitter.Node) -> str:
    """What it is given to, if that is a name: `const one = (() => 1) as unknown as One`."""
    above = cast.parent
    while above is not None and above.type in ("parenthesized_expression", "as_expression", "type_assertion"):
        above = above.parent
    given_to = above.child_by_field_name(_GIVEN_TO.get(above.type, "")) if above is not None else None
    return f"{source.text(given_to)} " if given_to is not None else ""
