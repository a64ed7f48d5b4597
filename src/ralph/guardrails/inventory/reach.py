"""Whether an assertion is reached, how often, and whether its failure counts.

Rules: behind a statement that ends its block, or in what takes its failure, an assertion demands nothing; behind a
branch that may leave the test without having said anything, or inside one, it demands that something happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.plain import Extractor

ALWAYS_FALSE = later(r"\(?(?:false|False|nil|0)\)?")


@dataclass(frozen=True, slots=True)
class Reach:
    cap: Grade = Grade.EXACT
    times: int | None = 1
    why: str = ""


def reached(extractor: Extractor, node: tree_sitter.Node, body: tree_sitter.Node, writing: Writing) -> Reach:
    cap, times, why = Grade.EXACT, 1, ""
    child, above = node, node.parent
    counted: int | None = times
    while child != body and above is not None:
        if reason := _cut_off(extractor, above, child):
            return Reach(Grade.NOTHING, counted, reason)
        if guard := _guard(extractor, above, child, writing):
            cap, why = min(cap, guard.cap), guard.why
            if not cap:
                return Reach(cap, counted, why)
        if above.type in extractor.LOOPS:
            rounds = extractor.rounds(above, writing)
            counted = None if rounds is None or counted is None else counted * rounds
            if rounds == 0:
                return Reach(Grade.NOTHING, counted, "it runs for no case")
        elif above.type in extractor.BRANCHES and child != above.child_by_field_name("condition"):
            condition = above.child_by_field_name("condition")
            if condition is not None and writing.of(condition).strip("()") in ("false", "False", "nil", "0"):
                return Reach(Grade.NOTHING, counted, "it is never reached")
            if not extractor.asserts(above) and above.child_by_field_name("alternative") is None:
                cap, why = min(cap, Grade.EXISTS), "it runs under a condition"
        child, above = above, above.parent
    return Reach(cap, counted, why)


def _cut_off(extractor: Extractor, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
    for other in above.named_children:
        if other.start_byte >= child.start_byte:
            break
        if extractor.ends(other):
            return "it is never reached"
    return extractor.swallowed(above, child)


def _guard(extractor: Extractor, above: tree_sitter.Node, child: tree_sitter.Node, writing: Writing) -> Reach | None:
    """What may leave the block before the assertion is reached, without having said anything."""
    for other in above.named_children:
        if other.start_byte >= child.start_byte:
            break
        branch = other.named_children[0] if other.type == "expression_statement" and other.named_children else other
        if branch.type not in extractor.BRANCHES or not (leaves := _leaves(extractor, branch)):
            continue
        condition = branch.child_by_field_name("condition")
        if condition is not None and writing.is_constant(condition) and not ALWAYS_FALSE.fullmatch(text_of(condition)):
            return Reach(Grade.NOTHING, 1, "it is never reached")
        if not any(True for node in extractor.source.walk(leaves) for _ in extractor.said(node, writing)):
            return Reach(Grade.EXISTS, 1, "it runs under a condition")
    return None


def _leaves(extractor: Extractor, branch: tree_sitter.Node) -> tree_sitter.Node | None:
    """The branch, if all that it does is to leave; `return if x` is one, too."""
    last = branch.child_by_field_name("consequence") or branch.child_by_field_name("body") or branch
    while not extractor.ends(last) and last.named_children and last.type not in ("else_clause", "else"):
        inner = [each for each in last.named_children if "comment" not in each.type]
        inner = [each for each in inner if each != branch.child_by_field_name("condition")] or inner
        last = inner[-1]
    return branch if extractor.ends(last) and branch.child_by_field_name("alternative") is None else None
