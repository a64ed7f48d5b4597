"""Loops that run as often as the answer says of which they ask: `for (i = 0; i < result; i++) assertEquals(3, result)`.

Where the answer is too small, or none, nothing is asked. A loop whose own variable is asked for, or what it makes of
that, goes through things, and one whose number of rounds is another name's matter is repeated on purpose.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

WORD = later(r"[A-Za-z_]\w*")


def as_often_as_answered(head: str, loop: tree_sitter.Node, node: tree_sitter.Node, writing: Writing) -> bool:
    """All names that the loop's head and the assertion share were given what a call answered, before the loop."""
    words = {*WORD.findall(text_of(node))}
    made = (value for name in words if (value := writing.local.get(name)) is not None)
    inside = (value for value in made if loop.start_byte < value.start_byte < loop.end_byte)
    shared = {*WORD.findall(head)} & words.union(*(WORD.findall(text_of(value)) for value in inside))
    given = [writing.local.get(name) for name in shared]
    return bool(given) and all(
        value is not None and value.start_byte < loop.start_byte and "(" in text_of(value) for value in given
    )
