"""Product code that drops every failure without a trace (policy set v2, class G19): Java, Kotlin, C#, Ruby.

Rule: a new handler for failures of any kind that does nothing with them, or gives an empty value in their place, is for
a person. One for a certain failure, or that says or does something, handles it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (r"\bcatch\b|\brescue\b",)
HANDLES = later(rb"\bcatch\b|\brescue\b")
HANDLERS = frozenset({"catch_clause", "catch_block", "rescue", "rescue_modifier"})
BROAD = later(r"\b(?:Throwable|\w*Exception|Error|StandardError)\b")
NARROW = later(r"\b(?!(?:IO|Runtime|SQL)Exception\b)[A-Z]\w+(?:Exception|Error)\b(?<!\bStandardError)|\bInterrupted\w+")
EMPTY = later(
    r"(?:return\b\s*)?(?:null|nil|None|false|true|0|-1|\"\"|''|\[\]|\{\}|(?:Optional|List|Map|Set)\.(?:of|empty)\(\)"
    r"|emptyList\(\)|string\.Empty|default)?\s*;?"
)


def swallowed(source: Source) -> Iterator[Hit]:
    reader = reader_of(source.language)
    if is_support(source.path) or (reader is not None and reader.is_test_file(source.path)):
        return
    for node in source.walk() if HANDLES.search(source.data) else ():
        if node.type in HANDLERS and node.is_named and node.child_count and _drops(source, node):
            yield source.hit("code.swallowed", node, f"in {_owner(source, node)}")


def _drops(source: Source, handler: tree_sitter.Node) -> bool:
    if handler.type == "rescue_modifier":
        return EMPTY.fullmatch(source.text(handler.named_children[-1])) is not None
    bodies = [child for child in handler.named_children if child.type in ("block", "then", "body_statement")]
    body = bodies[-1] if bodies else None
    head = source.text(handler)[: (body.start_byte - handler.start_byte) if body is not None else None]
    steps = [each for each in body.named_children if "comment" not in each.type] if body is not None else []
    if len(steps) > 1 or (steps and not EMPTY.fullmatch(source.text(steps[0]))):
        return False
    anything = not re.search(r"[A-Z]\w+", head) or BROAD.search(head) is not None
    return anything and not NARROW.search(head)


def _owner(source: Source, node: tree_sitter.Node) -> str:
    above = node.parent
    while above is not None:
        name = above.child_by_field_name("name")
        if name is not None and re.search(r"method|function", above.type):
            return source.text(name)
        above = above.parent
    return "the file"
