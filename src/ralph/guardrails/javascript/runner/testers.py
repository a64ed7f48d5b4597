"""Equality testers that are given to all assertions, and look at one member of what they compare (class G08).

`expect.addEqualityTesters([(a, b) => a.id === b.id])` has every `toEqual` agree about two things that have a name in
common, whatever else is in them. A tester that asks the things themselves (`a.equals(b)`), or compares several members
or a value, is another matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

NAMES_A_THING = later(r"(?i)_?(?:id|uuid|guid|key|name|type|kind|state|status|code|slug|title|index|version)")
EQUAL = frozenset({"===", "=="})


def looks_at_one_member(code: Code, function: tree_sitter.Node) -> bool:
    if function.type not in FUNCTIONS:
        return False
    answers = [answer for each in given_back(function) for answer in _chosen(each)]
    told = [each for each in answers if each.type not in ("undefined", "null")]
    return bool(told) and all(_compares_names(code, each) for each in told)


def _chosen(answer: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What may come of a conditional expression."""
    plain = unwrapped(answer)
    if plain is not None and plain.type == "ternary_expression":
        for part in (plain.child_by_field_name("consequence"), plain.child_by_field_name("alternative")):
            if part is not None:
                yield from _chosen(part)
    elif plain is not None:
        yield plain


def _compares_names(code: Code, answer: tree_sitter.Node) -> bool:
    operator = answer.child_by_field_name("operator") if answer.type == "binary_expression" else None
    if operator is None or code.text(operator) not in EQUAL:
        return False
    sides = [unwrapped(answer.child_by_field_name(side)) for side in ("left", "right")]
    members = [code.constants.member(each) if each is not None else None for each in sides]
    return members[0] is not None and members[0] == members[1] and bool(NAMES_A_THING.fullmatch(members[0]))
