"""The names that a pattern of JavaScript declares, each with its way through the value: `const { a: [b] } = c`."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.source import Source
from ralph.system.patterns import later

MAX_DEPTH = 20
Key = str | tree_sitter.Node
"""A property name; a node where it is computed, `*` for the rest of an object and for an array's item."""

_ESCAPE = later(r"\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))")


def targets_of(
    source: Source, pattern: tree_sitter.Node, depth: int = 0
) -> Iterator[tuple[tree_sitter.Node, tuple[Key, ...]]]:
    """The names that a pattern declares, each with its way through the value."""
    if depth > MAX_DEPTH:
        return
    if pattern.type in ("identifier", "type_identifier"):
        yield pattern, ()
    elif pattern.type == "shorthand_property_identifier_pattern":
        yield pattern, (name_of(source, pattern),)
    elif pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        if (left := pattern.child_by_field_name("left")) is not None:
            yield from targets_of(source, left, depth + 1)
    elif pattern.type == "pair_pattern":
        key, value = pattern.child_by_field_name("key"), pattern.child_by_field_name("value")
        if key is not None and value is not None:
            for name, path in targets_of(source, value, depth + 1):
                yield name, (key_of(source, key), *path)
    elif pattern.type in ("object_pattern", "array_pattern", "rest_pattern"):
        rest: tuple[Key, ...] = ("*",) if pattern.type == "array_pattern" else ()
        for child in pattern.named_children:
            for name, path in targets_of(source, child, depth + 1):
                yield name, rest + path


def key_of(source: Source, node: tree_sitter.Node) -> Key:
    """A property's name as written; the expression where it is computed."""
    if node.type == "computed_property_name":
        return node.named_children[0] if node.named_children else node
    return node if node.type == "string" else name_of(source, node)


def name_of(source: Source, node: tree_sitter.Node) -> str:
    """An identifier as the engine reads it: escapes resolved."""
    text = source.text(node)
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16) % 0x110000), text) if "\\" in text else text
