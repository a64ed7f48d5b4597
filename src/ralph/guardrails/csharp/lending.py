"""C#: functions that are there for tests of other files, and what their calls look like."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.lending.nested import parameters_of
from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

EXTENSION = later(rb"\bstatic\s+[\w<>\[\], ?.]+\s(\w+)\s*(?:<[^>()]*>)?\(\s*this\s")
"""The names of functions that are called on their first parameter."""
CALLED_TESTS = later(r"Tests?\.cs$")
TASK = later(r"\b(?:async|Task|ValueTask)\b")
WAITED = frozenset({"await_expression", "return_statement", "arrow_expression_clause", "member_access_expression"})


def is_extension(function: tree_sitter.Node) -> bool:
    parameters = parameters_of(function)
    return bool(parameters) and text_of(parameters[0]).startswith("this ")


def is_for_others(method: tree_sitter.Node, path: str, *, alone: bool) -> bool:
    """It is one of a class that others are made of, or is static; `alone`: no test stands in its file."""
    head = text_of(method).partition("(")[0]
    if "static" in head:
        return alone
    owner = method.parent.parent if method.parent is not None else None
    if owner is None or "private" in head:
        return False
    inherited = owner.type == "interface_declaration" or "abstract" in text_of(owner).partition("{")[0]
    return inherited or (alone and CALLED_TESTS.search(path) is None)


def is_left_alone(helper: tree_sitter.Node, call: tree_sitter.Node) -> bool:
    """Nobody waits for what the helper does later."""
    is_later = TASK.search(text_of(helper).partition("(")[0]) is not None
    return is_later and call.parent is not None and call.parent.type not in WAITED
