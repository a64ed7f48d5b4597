"""Shared groups of RSpec: their examples run in each group that includes them, with what it hands over.

`it_behaves_like "a shape", 9` in the group of `Square` runs the examples of "a shape" with `9` in the place of the
block's parameter. What `subject` and `let` name keeps its name, as it does in any other example.
"""

from __future__ import annotations

from collections.abc import Mapping

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.guardrails.source import Source

SHARED = frozenset({"shared_examples", "shared_examples_for"})
INCLUDES = frozenset({"it_behaves_like", "it_should_behave_like", "include_examples"})
MOST = 200
"""Where examples are included more often than that, each counts once."""


def title_of(call: tree_sitter.Node) -> str:
    arguments = name_and_arguments(call)[1]
    return text_of(arguments[0]).strip("'\":") if arguments else ""


def shared_groups(source: Source) -> dict[str, tree_sitter.Node]:
    """The blocks of the shared groups of a file, by their titles; none where they are included too often."""
    found: dict[str, tree_sitter.Node] = {}
    calls = [node for node in source.walk() if node.type == "call"] if b"shared_examples" in source.data else []
    for call in calls:
        block = call.child_by_field_name("block")
        if block is not None and name_and_arguments(call)[0] in SHARED:
            found[title_of(call)] = block
    return found if sum(name_and_arguments(call)[0] in INCLUDES for call in calls) <= MOST else {}


def handed_over(call: tree_sitter.Node, shared: tree_sitter.Node) -> Mapping[str, tree_sitter.Node]:
    """What the parameters of a shared group's block stand for where a call includes it."""
    parameters = shared.child_by_field_name("parameters")
    names = [text_of(each) for each in parameters.named_children] if parameters is not None else []
    return dict(zip(names, name_and_arguments(call)[1][1:], strict=False))
