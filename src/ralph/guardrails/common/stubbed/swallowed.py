"""Product code that drops every failure without a trace (policy set v2, class G19): Java, Kotlin, C#, Ruby.

Rules: a new handler for failures of any kind that does nothing with them, or gives an empty value in their place, is
for a person. One with nothing in it around what the base did without it blocks, unless that only closes or cleans up.
One for a certain failure, or that says or does something, handles it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.common.stubbed.dropped import MILD, PLAIN, TIDIES
from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.record import replace
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
HANDLER = later(r"\}?\s*\b(?:catch|rescue)\b")
BEGINS = later(r"^\s*(?:try|begin)\b\s*\{?|^\s*def\s.*$|^.*\bdo\b(?:\s*\|[^|]*\|)?$")
MOST_LINES = 20
"""So much is tried at once, at most, by a handler that is worth a look."""


def swallowed(source: Source) -> Iterator[Hit]:
    reader = reader_of(source.language)
    if is_support(source.path) or (reader is not None and reader.is_test_file(source.path)):
        return
    for node in source.walk() if HANDLES.search(source.data) else ():
        if node.type in HANDLERS and node.is_named and node.child_count and _drops(source, node):
            yield source.hit(PLAIN if _is_silent(handler=node) else MILD, node, f"in {_owner(source, node)}")


def _is_silent(handler: tree_sitter.Node) -> bool:
    """Nothing at all stands in its body."""
    body = _body(handler)
    return handler.type != "rescue_modifier" and (body is None or all("comment" in x.type for x in body.named_children))


def _body(handler: tree_sitter.Node) -> tree_sitter.Node | None:
    bodies = [child for child in handler.named_children if child.type in ("block", "then", "body_statement")]
    return bodies[-1] if bodies else None


def _drops(source: Source, handler: tree_sitter.Node) -> bool:
    if handler.type == "rescue_modifier":
        return EMPTY.fullmatch(source.text(handler.named_children[-1])) is not None
    body = _body(handler)
    head = source.text(handler)[: (body.start_byte - handler.start_byte) if body is not None else None]
    steps = [each for each in body.named_children if "comment" not in each.type] if body is not None else []
    if len(steps) > 1 or (steps and not EMPTY.fullmatch(source.text(steps[0]))):
        return False
    anything = not re.search(r"[A-Z]\w+", head) or BROAD.search(head) is not None
    return anything and not NARROW.search(head)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """With silent handlers as milder where they are not around work that the base did without."""
    sides: dict[str, tuple[frozenset[str], list[str]]] = {}
    for hit in hits:
        if hit.rule == PLAIN and hit.path not in sides:
            texts = (side(hit.path) or b"" for side in (change.blobs.before, change.blobs.after))
            before, after = (text.decode("utf-8", "replace").split("\n") for text in texts)
            sides[hit.path] = frozenset(map(_bare, before)), after
        work = _work(sides[hit.path][1], hit.line) if hit.rule == PLAIN else []
        stood = bool(work) and all(line in sides[hit.path][0] for line in work)
        mild = hit.rule == PLAIN and not (stood and not all(TIDIES.search(line) for line in work))
        yield replace(hit, rule=MILD) if mild else hit


def _work(lines: Sequence[str], handler: int) -> list[str]:
    """What stands between the beginning of what is tried and its handler on this line, or before it on the line."""
    before, _, _ = HANDLER.sub("\0", lines[handler - 1]).partition("\0")
    found = [before] if HANDLER.search(lines[handler - 1]) else []
    for line in reversed(lines[max(0, handler - MOST_LINES) : handler - 1]):
        if found and BEGINS.search(found[-1]):
            break
        found.append(line)
    texts = (_bare(BEGINS.sub("", line)) for line in found)
    return [text for text in texts if re.search(r"\w", text)]


def _bare(line: str) -> str:
    return line.strip().strip("{};").strip()


def _owner(source: Source, node: tree_sitter.Node) -> str:
    above = node.parent
    while above is not None:
        name = above.child_by_field_name("name")
        if name is not None and re.search(r"method|function", above.type):
            return source.text(name)
        above = above.parent
    return "the file"
