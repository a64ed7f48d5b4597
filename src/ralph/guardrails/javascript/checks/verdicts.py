"""Where a matcher of the project decides: the `pass` that it gives back (test inventory, class G05).

`return { pass: a === b, message }` decides by what stands there, or by the constant of that name. So does
`if (a === b) return { pass: true, … }`, where everything else gives back `pass: false`. Whatever gives back something
under other conditions is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import tree_sitter

from ralph.guardrails.javascript.checks.modules import values_in
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped


class Verdict(NamedTuple):
    node: tree_sitter.Node
    """What has to be true."""
    at: tree_sitter.Node
    """Where it is decided."""


def verdict(code: Code, writing: Writing, function: tree_sitter.Node) -> Verdict | None:
    answers, body = sorted(given_back(function), key=lambda node: node.start_byte), function.child_by_field_name("body")
    passes = [_passed(code, each) for each in answers]
    if body is None or not answers or any(each is None for each in passes) or _may_throw(body):
        return None
    if len(answers) == 1 and passes[0] is not None and _is_at_the_end(code, answers[0], body):
        decided = _value(writing, passes[0])
        known = decided is not None and decided.type not in ("identifier", "shorthand_property_identifier")
        return Verdict(decided, answers[0]) if decided is not None and known else None
    if len(answers) == 2:
        return _either(code, answers, passes, body)
    return None


def _value(writing: Writing, node: tree_sitter.Node) -> tree_sitter.Node | None:
    given = writing.given(node) if node.type == "shorthand_property_identifier" else node
    return writing.value(given)


def _passed(code: Code, answer: tree_sitter.Node) -> tree_sitter.Node | None:
    plain = unwrapped(answer)
    values = list(values_in(code, plain, "pass")) if plain is not None and plain.type == "object" else []
    spread = plain is not None and any(child.type == "spread_element" for child in plain.named_children)
    return values[0] if len(values) == 1 and not spread else None


def _either(
    code: Code, answers: Sequence[tree_sitter.Node], passes: Sequence[tree_sitter.Node | None], body: tree_sitter.Node
) -> Verdict | None:
    """`if (good) return { pass: true }`, and `pass: false` in the other branch, or behind it."""
    statements = [each for each in body.named_children if "comment" not in each.type]
    choice = next((each for each in statements if each.type == "if_statement"), None)
    condition = choice.child_by_field_name("condition") if choice is not None else None
    then = choice.child_by_field_name("consequence") if choice is not None else None
    if condition is None or then is None or [code.constants.value(each) for each in passes] != [True, False]:
        return None
    good, bad = answers
    inside = then.start_byte <= good.start_byte < then.end_byte and not _has_conditions(then)
    other = choice.child_by_field_name("alternative") if choice is not None else None
    last = other is not None and other.start_byte <= bad.start_byte < other.end_byte and not _has_conditions(other)
    return Verdict(condition, body) if inside and (last or _is_at_the_end(code, bad, body)) else None


def _has_conditions(node: tree_sitter.Node) -> bool:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.type in ("if_statement", "switch_statement", "try_statement", "for_statement", "while_statement"):
            return True
        waiting += [child for child in each.named_children if child.type not in FUNCTIONS]
    return False


def _is_at_the_end(code: Code, answer: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """Nothing decides whether it is given back."""
    if body.type != "statement_block":
        return True
    above = code.names.parent(answer)
    return above is not None and code.names.parent(above) == body


def _may_throw(body: tree_sitter.Node) -> bool:
    """It stops without a verdict, or goes on after an error."""
    waiting = [body]
    while waiting:
        each = waiting.pop()
        if each.type in ("throw_statement", "try_statement"):
            return True
        waiting += [child for child in each.named_children if child.type not in FUNCTIONS]
    return False
