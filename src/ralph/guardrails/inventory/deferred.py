"""Functions within a test: one that nobody calls, or waits for, checks nothing.

Rules: a closure that stands by itself, or under a name that the rest of the test does not have, is never called; that
the name is thrown away (`_ = run`) is no call. One that another thread runs counts if the test waits for that. One that
is run for a value that may not be there (`ifPresent`, `?.let`) demands that something happened, one for each of nothing
demands nothing.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import text_of
from ralph.syntax import walk
from ralph.system.patterns import later

CLOSURES = frozenset(
    {"lambda_expression", "lambda", "lambda_literal", "closure_expression", "anonymous_method_expression"}
    | {"local_function_statement", "anonymous_function", "function_declaration", "function_item", "func_literal"}
)
RUBY_BLOCKS = frozenset({"block", "do_block"})
BLOCKS = frozenset(
    {"block", "body_statement", "statements", "constructor_body", "function_body", "then", "statement_list", "ensure"}
)
HELD = later(
    r"(?:[\w<>\[\],.?&: ]+\s)?(?P<name>[A-Za-z_]\w*)\s*(?::[^=]*)?=\s*"
    r"(?:async\s+|move\s+|proc\s*|lambda\s*|Proc\.new\s*)?"
)
STARTED = later(
    r"\b(?:Task\.Run|StartNew|new Thread|QueueUserWorkItem|\w+Async|[Ee]xecutor\w*\.(?:submit|execute)|Thread\.new"
    r"|thread::spawn|(?:tokio|task)::spawn|launch|thread)\s*[({]?\s*(?:async\s*)?(?:move\s*)?$"
)
AWAITED = later(
    r"(?i)\b(?:join\w*|get|await\w*|wait\w*|value|result|shutdown|close)\b|CountDownLatch|latch|runBlocking|runTest"
)
LOST = later(r"let _\s*=")
THROWN_AWAY = later(r"\b_\s*:?=\s*&?\w+[ \t]*(?=[;\r\n}]|$)")
MAY_COMMENT = later(rb"//|/\*|#")
FOR_EACH = later(r"\b(?:for_?[eE]ach\w*|ForEach\w*|onEach|repeat\(.*\))\s*[({]?\s*$")
FOR_NOTHING = later(
    r"\brepeat\(0\)\s*$|\bempty(?:List|Set)(?:<\w+>)?\(\)\.\w+\s*$|\b(?:List|Set|Stream)\.(?:of|empty)\(\)\.\w+\($"
    r"|(?<!\w)\[\]\.\w+\s*\(?$"
)
MAYBE = later(r".*(?:\.ifPresent\(|\?\.(?:let|also|run|apply)\s*|\.(?:and_then|inspect|map)\()", re.DOTALL)


def deferred(node: tree_sitter.Node, body: tree_sitter.Node) -> tuple[Grade, str]:
    """How much an assertion inside of this function can demand, and why not more."""
    if node.type in ("local_function_statement", "function_declaration", "function_item"):
        name = node.child_by_field_name("name")
        called = name is None or _times(text_of(name), text_of(body)) > 1
        return (Grade.EXACT, "") if called else (Grade.NOTHING, "nobody calls the function around it")
    if node.parent is not None and node.parent.child_by_field_name("function") == node:
        return Grade.EXACT, ""
    before = _before(node, body)
    after = _between(node.end_byte, body.end_byte, body)
    held = HELD.fullmatch(before)
    if held is not None or (not before.strip() and node.type not in RUBY_BLOCKS):
        named = held is not None and _is_named(held["name"], before, after, body, node)
        return (Grade.EXACT, "") if named else (Grade.NOTHING, "nobody calls the function around it")
    if STARTED.search(before):
        waits = AWAITED.search(before) is not None or AWAITED.search(after) is not None
        if not waits or LOST.match(before):
            return Grade.NOTHING, "nothing waits for it"
    if FOR_NOTHING.search(before):
        return Grade.NOTHING, "it runs for no case"
    if MAYBE.fullmatch(before):
        return Grade.EXISTS, "it runs under a condition"
    return Grade.EXACT, ""


def _is_named(name: str, before: str, after: str, body: tree_sitter.Node, node: tree_sitter.Node) -> bool:
    """Something calls it later on, or another function that was made before it may."""
    earlier = _between(body.start_byte, node.start_byte, body).removesuffix(before)
    return _times(name, after) > 0 or re.search(rf"\b{re.escape(name)}\(", earlier) is not None


def _times(name: str, text: str) -> int:
    """How often a function is named where it is not just thrown away."""
    return len(re.findall(rf"\b{re.escape(name)}\b", THROWN_AWAY.sub(" ", text)))


def is_for_each(node: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """It runs once for each of many."""
    return FOR_EACH.search(_before(node, body)) is not None


def _before(node: tree_sitter.Node, body: tree_sitter.Node) -> str:
    """What stands before a function in its statement."""
    statement = node
    while statement.parent is not None and statement != body and statement.parent.type not in BLOCKS:
        statement = statement.parent
    return _between(statement.start_byte, node.start_byte, statement)


def _between(start: int, end: int, node: tree_sitter.Node) -> str:
    """The code that stands there; what a comment says is none."""
    text = bytearray(node.text or b"")
    if MAY_COMMENT.search(text, start - node.start_byte, end - node.start_byte):
        for each in walk(node):
            if "comment" in each.type:
                first, last = each.start_byte - node.start_byte, each.end_byte - node.start_byte
                text[first:last] = b" " * (last - first)
    return text[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace")
