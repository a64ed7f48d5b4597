"""Ruby: a test that stops itself: `skip`, `pending`, `omit`, `pend`, and a `focus` before a test method.

Rules:

- the word counts as a statement of a test, with no argument or a text, without a receiver or on `self`; a variable,
  a method definition or a method of something else is somebody's own; a bare `skip` counts as a value, too;
- `send(:skip)` and its relatives are calls, too;
- under a condition about the platform or the Ruby version alone it is shown for review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.model import Hit
from ralph.guardrails.ruby import context
from ralph.guardrails.ruby.context import arguments_of, name_of, receiver_of
from ralph.guardrails.source import Source

CONDITIONAL = frozenset({"omit_if", "omit_unless", "skip_if", "skip_unless"})
UNTIL = "skip_until"
"""Of Minitest: it takes a date."""
WORDS = frozenset({"skip", "pending", "omit", "pend", "focus", UNTIL, *CONDITIONAL})
SENDERS = frozenset({"send", "__send__", "public_send", "method", "instance_method"})
NO_REASON = frozenset({"integer", "float", "regex", "array", "range"})
"""Arguments that make it a parser's or a stream's `skip`."""
STATEMENTS = frozenset(
    {
        "program", "body_statement", "block_body", "then", "else", "ensure", "rescue", "begin", "if_modifier",
        "unless_modifier", "while_modifier", "until_modifier", "rescue_modifier", "conditional", "binary", "do",
        "parenthesized_statements", "interpolation", "case", "when", "method", "block", "do_block", "return", "unary",
    }
)  # fmt: skip


def statements(source: Source) -> Iterator[Hit]:
    for node in source.walk():
        word = _word(source, node)
        if not word or not context.in_test(source, node) or _own_variable(source, node, word):
            continue
        if not context.is_never_met(source, node):
            key, always = f"{word} in {_subject(source, node)}", context.is_met_always(source, node)
            yield from source.skips(_rule(source, node, word), node, key, always=always)


def _word(source: Source, node: tree_sitter.Node) -> str | None:
    """The word, if the node is a statement that calls it."""
    if node.type == "identifier" and source.text(node) in WORDS - CONDITIONAL - {UNTIL}:
        word = source.text(node)
        return word if _is_statement(node) or (word == "skip" and _is_value(source, node)) else None
    if node.type != "call":
        return None
    name, arguments = name_of(source, node), arguments_of(node)
    if name in SENDERS and arguments and arguments[0].type in ("simple_symbol", "string"):
        sent = source.text(arguments[0]).strip(":'\"")
        return sent if sent in WORDS - {"focus"} and receiver_of(source, node) in ("", "self") else None
    if name not in WORDS or receiver_of(source, node) not in ("", "self"):
        return None
    if name == "focus":
        return name if not arguments or arguments[0].type == "method" else None
    return None if name != UNTIL and any(argument.type in NO_REASON for argument in arguments) else name


def _is_statement(node: tree_sitter.Node) -> bool:
    parent = node.parent
    if parent is None or parent.type not in STATEMENTS:
        return False
    return not _names(node, parent)


def _is_value(source: Source, node: tree_sitter.Node) -> bool:
    """True where a bare `skip` is called for its value: what it returns never gets there."""
    parent = node.parent
    if parent is None or parent.type.endswith("parameters") or parent.type == "pair" or _names(node, parent):
        return False
    return re.search(rb"\bdef skip\b|\blet!?\(:skip\)", source.data) is None


def _names(node: tree_sitter.Node, parent: tree_sitter.Node) -> bool:
    fields = ("name", "method", "key") + (("left",) if parent.type.endswith("assignment") else ())
    return node in (parent.child_by_field_name(field) for field in fields)


def _own_variable(source: Source, node: tree_sitter.Node, word: str) -> bool:
    """True if the bare word is a local variable or parameter of the method around it."""
    if node.type != "identifier":
        return False
    above = node.parent
    while above is not None and above.type not in ("method", "do_block", "block", "program"):
        above = above.parent
    for other in source.walk(above) if above is not None else ():
        left = other.child_by_field_name("left") if other.type.endswith("assignment") else None
        if left is not None and left.start_byte < node.start_byte and source.text(left) == word:
            return True
        if other.type.endswith("parameters") and word in source.text(other).replace(",", " ").split():
            return True
    return False


def _rule(source: Source, node: tree_sitter.Node, word: str) -> str:
    if word == "focus":
        return "ruby.focus"
    if word in CONDITIONAL and node.type == "call":
        arguments = arguments_of(node)
        if arguments and context.PLATFORM.only_platform(source.text(arguments[0])):
            return "ruby.skip-platform"
    return "ruby.skip-platform" if context.about_platform(source, node) else "ruby.skip"


def _subject(source: Source, node: tree_sitter.Node) -> str:
    """`pending "adds" do` is an example itself."""
    if node.type == "call" and node.child_by_field_name("block") is not None and arguments_of(node):
        return source.text(arguments_of(node)[0])
    return context.test_name(source, node)
