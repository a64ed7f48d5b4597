"""Ruby: what an example asks, with what `subject` and `let` stand for written out: `is_expected` is `sum([1, 2])`.

An example and its one-line form say the same in other words, and have neither a name nor words in common. The block of
the nearest group tells; one of several statements stands for nothing that could be written in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import tree_sitter

from ralph.guardrails.inventory.lending.outer import IS_NUMBER
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.writing import DEPTH, MOST, Writing, text_of
from ralph.guardrails.ruby.doubles import GIVEN
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.guardrails.source import parent_of
from ralph.system.patterns import later

NAME = later(r"(?<![\w.@:$'\"])[a-z_]\w*(?![\w?!('\":])")


def outright(checks: Iterable[Check], example: tree_sitter.Node, writing: Writing) -> frozenset[tuple[str, str, str]]:
    """Empty where nothing stands for something else."""
    asked = [check.key for check in checks if check.grade]
    if not any(NAME.search(subject) for subject, _, _ in asked):
        return frozenset()
    given = {name: writing.of(node) for name, node in _given(example).items()}
    written = frozenset((_written_out(subject, given), relation, wanted) for subject, relation, wanted in asked)
    return written if written != frozenset(asked) else frozenset()


def numbers_of_groups(example: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """The numbers that `let` names around an example."""
    return {name: value for name, value in _given(example).items() if IS_NUMBER.fullmatch(text_of(value))}


def _written_out(text: str, given: Mapping[str, str]) -> str:
    for _ in range(DEPTH):
        fuller = NAME.sub(lambda name: given.get(name[0], name[0]), text)[:MOST]
        if fuller == text:
            break
        text = fuller
    return text


def _given(example: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """What names of the groups around an example stand for; the nearest group tells, and the last word in it."""
    found: dict[str, tree_sitter.Node | None] = {}
    place = parent_of(example)
    while place is not None:
        here: dict[str, tree_sitter.Node | None] = {}
        for node in place.named_children:
            here |= dict.fromkeys(_names(node), _value(node)) if node.type == "call" else {}
        found = here | found
        place = parent_of(place)
    return {name: value for name, value in found.items() if value is not None}


def _names(call: tree_sitter.Node) -> list[str]:
    name, arguments = name_and_arguments(call)
    if name not in GIVEN or call.child_by_field_name("block") is None:
        return []
    return [
        *(text_of(each).lstrip(":") for each in arguments[:1]),
        *(["subject"] if name.startswith("subject") else []),
    ]


def _value(call: tree_sitter.Node) -> tree_sitter.Node | None:
    block = call.child_by_field_name("block")
    body = block.child_by_field_name("body") if block is not None else None
    return body.named_children[0] if body is not None and len(body.named_children) == 1 else None
