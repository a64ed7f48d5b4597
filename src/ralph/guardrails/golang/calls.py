"""Calls of a Go file: where a name stands in the code, what a call calls and with what."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.source import Source


def named(source: Source, words: re.Pattern[bytes]) -> Iterator[tree_sitter.Node]:
    """Where the code has such a name: the name itself, or with what it is a member of."""
    root = source.tree.root_node
    for match in words.finditer(source.data):
        node = root.descendant_for_byte_range(*match.span())
        if node is not None and node.type == "identifier":
            yield node
        whole = node.parent if node is not None and node.type == "field_identifier" else None
        if whole is not None and whole.type == "selector_expression":
            yield whole


def called(source: Source, call: tree_sitter.Node) -> str:
    """The name that a call calls: `F` of `F(...)` and of `pkg.F(...)` with a Ginkgo package."""
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    package, _, name = source.text(function).rpartition(".")
    return name if package in ("", "ginkgo", "g", "convey", "c") and name.isidentifier() else ""


def arguments(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    listed = call.child_by_field_name("arguments")
    return [] if listed is None else [node for node in listed.named_children if node.type != "comment"]
