"""Go: what a condition demands that testify waits for (policy set v2, class G05).

    require.Eventually(t, func() bool { return queue.Len() == 3 }, time.Second, time.Millisecond)

Rule: a function that is waited for, and gives a condition at one place alone, demands what the condition does; that it
gives `false` elsewhere only makes it wait. It is no more than close to the value: it may be another one before, and
after. What a channel gives comes once, and counts in full. Of any other function nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, holds
from ralph.guardrails.inventory.wanted.coarser import WAITED
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import replace

RECEIVES = "<-"


def waited_for(function: tree_sitter.Node, writing: Writing) -> list[Said]:
    """The demands of the condition; none if it is not known."""
    body = function.child_by_field_name("body") if function.type == "func_literal" else None
    given = [each for each in _given(body) if text_of(each) != "false"] if body is not None else []
    if len(given) != 1:
        return []
    return [_awaited(each) for each in holds(given[0], writing)]


def _awaited(said: Said) -> Said:
    grade = said.grade if RECEIVES in said.subject else min(said.grade, Grade.CLOSE)
    return replace(said, relation=f"{WAITED}{said.relation}", grade=grade)


def _given(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What the `return` statements of a function give, not those of functions in it."""
    if node.type == "return_statement":
        yield from (each for listed in node.named_children for each in listed.named_children)
        return
    for child in node.named_children:
        if child.type != "func_literal":
            yield from _given(child)
