"""Failures of product code that the change drops without a trace (policy set v2, class G19).

Rules:

- Statements that stood by themselves, or whose failure was passed on, are now in a `try` whose `catch` does nothing,
  or get a `.catch` that does nothing: blocks, because every failure of theirs is now silent.
- Closing, in a function that closes or shuts down, may fail: what is closed already is closed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.javascript.files import Sides
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.product.stubs import name_of, padded, parts, statements
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_LOGS = later(r"(?:console|log|logger|debug)\b")
_CLOSES = later(
    r"(?:.*\.)?(?:close\w*|destroy|disconnect|quit|terminate|dispose|release|kill|shutdown|stop|unsubscribe|end|abort|clear\w*)"
    r"|.*\.\[Symbol\.(?:asyncDispose|dispose)\]",
    re.DOTALL,
)
_CLOSING = later(
    r"(?i).*(?:close|stop|shut_?down|dispose|tear_?down|destroy|clean_?up|disconnect|terminate|exit|kill|quit|release|after(?:all|each))\w*"
)


def swallowed(files: Sequence[Sides]) -> Iterator[Hit]:
    for sides in files:
        if is_product(sides.path):
            for head, base in zip(sides.after.sources, padded(sides), strict=True):
                yield from (sides.after.in_git_lines(hit) for hit in _swallowed(head, base))


def _swallowed(head: Source, base: Source | None) -> Iterator[Hit]:
    if base is None or b"catch" not in head.data:
        return
    closed = _open(base) - _open(head)
    if not closed:
        return
    for node in nodes_of(head, "try_statement"):
        handler, inside = node.child_by_field_name("handler"), node.child_by_field_name("body")
        body = handler.child_by_field_name("body") if handler is not None else None
        if handler is None or body is None or inside is None:
            continue
        work = (f"{_folded(each).rstrip(';')};" for each in parts(inside, {"expression_statement"}))
        if _is_shutdown(head, node, statements(inside)):
            continue
        if all(_does_nothing(head, each) for each in statements(body)) and any(each in closed for each in work):
            yield head.hit("js.error-swallowed", handler, f"catch {_folded(inside)}")
    for call in nodes_of(head, "call_expression"):
        receiver = _caught(head, call)
        function = unwrapped(call.child_by_field_name("function"))
        asked = function.child_by_field_name("object") if function is not None else None
        if receiver is None or (asked is not None and _is_shutdown(head, call, [asked])):
            continue
        if any(text in closed for text in (f"{receiver};", f"await {receiver};")):
            yield head.hit("js.error-swallowed", call, f"catch {receiver}")


def _is_shutdown(source: Source, place: tree_sitter.Node, work: Sequence[tree_sitter.Node]) -> bool:
    """Nothing but closing, in a function that closes: what is closed already is closed."""
    function = place.parent
    while function is not None and function.type not in FUNCTIONS:
        function = function.parent
    name = name_of(source, function) if function is not None else ""
    return bool(_CLOSING.fullmatch(name)) and all(_closes(source, each) for each in work)


def _closes(source: Source, node: tree_sitter.Node) -> bool:
    while node.type in ("expression_statement", "await_expression", "parenthesized_expression") and node.named_children:
        node = node.named_children[0]
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return function is not None and _CLOSES.fullmatch(source.text(function)) is not None


def _open(source: Source) -> Counter[str]:
    """The statements whose failures are seen."""
    found = nodes_of(source, "expression_statement")
    return Counter(f"{_folded(node).rstrip(';')};" for node in found if not _is_tried(node))


def _folded(node: tree_sitter.Node) -> str:
    return " ".join((node.text or b"").decode("utf-8", "replace").split())


def _is_tried(node: tree_sitter.Node) -> bool:
    child: tree_sitter.Node | None = node
    parent = node.parent
    while parent is not None and parent.type not in FUNCTIONS:
        if parent.type == "try_statement" and parent.child_by_field_name("body") == child:
            return not _passes_on(parent)
        parent, child = parent.parent, parent
    return False


def _passes_on(tried: tree_sitter.Node) -> bool:
    """Whatever is caught, something is thrown."""
    handler = tried.child_by_field_name("handler")
    body = handler.child_by_field_name("body") if handler is not None else None
    return body is not None and any(each.type == "throw_statement" for each in statements(body))


def _does_nothing(source: Source, statement: tree_sitter.Node) -> bool:
    if statement.type in ("return_statement", "continue_statement"):
        return not statement.named_children
    return statement.type == "expression_statement" and bool(_LOGS.match(source.text(statement)))


def _caught(source: Source, call: tree_sitter.Node) -> str | None:
    """What `.catch(() => {})` hangs on."""
    function = unwrapped(call.child_by_field_name("function"))
    member = function.child_by_field_name("property") if function is not None else None
    handler = unwrapped(next(iter(arguments(call)), None))
    if function is None or member is None or source.text(member) != "catch" or handler is None:
        return None
    body = handler.child_by_field_name("body") if handler.type in FUNCTIONS else None
    empty = body is not None and body.type == "statement_block" and not statements(body)
    nothing = body is not None and body.type in ("null", "undefined", "object", "array", "true", "false")
    receiver = function.child_by_field_name("object")
    return _folded(receiver) if (empty or nothing) and receiver is not None else None
