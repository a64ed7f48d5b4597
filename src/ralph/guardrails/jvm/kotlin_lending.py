"""Kotlin: functions that are there for tests of other files, and what their calls look like.

A function of no class is found where its file stands in the package of the test, or in one that the test imports it
from. One that is called on what it asks about (`fun Bill.shouldBeTotal(sum: Int)`) has that for `this`, and has of it
whatever it says the name of alone and does not define itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import tree_sitter

from ralph.guardrails.inventory.lending.files import CLASS, called_on, defining, package_of
from ralph.guardrails.inventory.lending.handing import Given, handed, matched, parameters
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import HELPER
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.jvm.kotlin_asserts import RAISES, named_call
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TOP_LEVEL = later(
    rb"(?m)^(?:@\w+ +)*(?:(?:public|internal|inline|infix|suspend|operator|tailrec) +)*fun +(?:<[^>\n]*> *)?"
    rb"(?:[\w.<>?*, ]+\.)?(\w+)\("
)
ON = frozenset({"user_type", "nullable_type", "parenthesized_type"})
BARE = later(r"\"(?:[^\"\\]|\\.)*\"|(?<![\w.@$])[a-z]\w*(?![\w(])|^[a-z]\w*(?=\()")
NO_MEMBER = frozenset(
    {"this", "it", "true", "false", "null", "is", "in", "as", "if", "else", "when", "super", "emptyList"}
)
OTHERS = later(r"\b(?:abstract|open|interface)\b")


def called(node: tree_sitter.Node) -> str:
    """The helper that a call asks, or `r shouldBeBill 3`."""
    if node.type == "infix_expression":
        name = text_of(node.children[1]) if len(node.children) == 3 else ""
        return f".{name}" if HELPER.match(name) else ""
    receiver, name, _ = named_call(node)
    if receiver is None or receiver.type == "this_expression":
        return name
    if CLASS.fullmatch(text_of(receiver)):
        return called_on(receiver, name)
    return f".{name}" if HELPER.match(name) and not RAISES.fullmatch(name) else ""


def given(helper: tree_sitter.Node, call: tree_sitter.Node, name: str) -> Mapping[str, tree_sitter.Node] | None:
    """What each parameter is given, and `this`."""
    on = name.startswith(".")
    if on != is_extension(helper):
        return None
    if call.type == "infix_expression":
        found = matched(parameters(helper), [Given("", call.children[2])])
        receiver: tree_sitter.Node | None = call.children[0]
    else:
        found, receiver = handed(helper, call), named_call(call)[0]
    return {**found, "this": receiver} if found is not None and on and receiver is not None else found


def is_extension(function: tree_sitter.Node) -> bool:
    name = function.child_by_field_name("name")
    return name is not None and any(
        each.type in ON and each.start_byte < name.start_byte for each in function.named_children
    )


def of_receiver(subject: str, own: Collection[str]) -> str:
    """What a function says of itself, with `this` before the names that are none of its own."""
    if "{" in subject or "->" in subject:
        return subject
    known = NO_MEMBER | frozenset(own)
    return BARE.sub(lambda match: match[0] if match[0] in known or match[0][0] == '"' else f"this.{match[0]}", subject)


def is_for_others(function: tree_sitter.Node, modifiers: str, *, alone: bool) -> bool:
    """It is one of no class, or of one that others are made of or call; `alone`: no test stands in its file."""
    owner = function.parent.parent if function.parent is not None else None
    if "private" in modifiers:
        return False
    if owner is None or not owner.type.endswith("_declaration"):
        return alone and (function.parent is None or function.parent.type == "source_file")
    head = text_of(owner).partition("{")[0]
    return OTHERS.search(head) is not None or (alone and owner.type == "object_declaration")


def top_level(name: str, source: Source, paths: Paths) -> str | None:
    """The file of a function of no class that a file calls by its name alone."""
    text = source.data.decode("utf-8", "replace")
    if not HELPER.match(name) or re.search(rf"(?m)^\s*import\s+[\w.]+\s+as\s+{re.escape(name)}\b", text):
        return None
    imported = re.findall(rf"(?m)^\s*import\s+([\w.]+)\.{re.escape(name)}\s*;?\s*$", text)
    taken = re.findall(r"(?m)^\s*import\s+([\w.]+)\.\*\s*;?\s*$", text)
    places = imported or [package_of(source.data), *taken]
    found = [path for path in defining(name, source, paths, TOP_LEVEL) if package_of(paths.read(path) or b"") in places]
    return found[0] if len(found) == 1 else None
