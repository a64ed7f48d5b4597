"""A new function that puts names in an order: `case "arm64": return 1`, `case "amd64": return 2`.

Rule: the arms of one choice, three or more with the one for all others, give 0 or 1 and then one more each; what they
ask for are names without blanks; and the function that holds the choice is new. Nothing could have been worked out from
a name, so no work is passed by. An answer that leaves the row, or a choice in a function that was there, is no order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

ARMS = frozenset(
    {
        "expression_case", "default_case", "switch_case", "switch_default", "switch_rule", "when_entry", "match_arm",
        "switch_block_statement_group", "switch_section", "switch_expression_arm", "when", "else",
    }
)  # fmt: skip
FUNCTIONS = frozenset(
    {
        "function_declaration", "method_declaration", "func_literal", "function_item", "method_definition",
        "function_definition", "arrow_function", "method", "singleton_method", "local_function_statement",
    }
)  # fmt: skip
ANSWER = later(r"(?:\breturn\b|=>|->|\bthen\b|\belse\b|:|\n)\s*(?P<number>\d{1,3})\s*[;,]?\s*(?:break;?\s*)?\}?\s*$")
NAME = later(r"(?:case|when)?\s*(?P<quote>[\"'])[A-Za-z_][\w.+-]*(?P=quote)")
OTHERS = later(r"(?:default|else|_|case _)\b")
FEWEST = 3
LONGEST = 200


def is_rank(node: tree_sitter.Node, added: Sequence[int], first_line: int) -> bool:
    """`node` is an arm of an order, in a function that begins on one of the `added` lines, which are sorted."""
    parent = node.parent
    if node.type not in ARMS or parent is None or not _is_new(parent, added, first_line):
        return False
    answers = [_answer(each) for each in parent.named_children if each.type in ARMS]
    return len(answers) >= FEWEST and answers[0] in (0, 1) and answers == _counted(answers)


def _counted(answers: Sequence[int | None]) -> list[int | None]:
    return [None if answers[0] is None else answers[0] + at for at in range(len(answers))]


def _answer(arm: tree_sitter.Node) -> int | None:
    text = text_of(arm) if arm.end_byte - arm.start_byte <= LONGEST else ""
    match = ANSWER.search(text) if NAME.match(text) or OTHERS.match(text) else None
    return int(match["number"]) if match is not None else None


def _is_new(node: tree_sitter.Node, added: Sequence[int], first_line: int) -> bool:
    above: tree_sitter.Node | None = node
    while above is not None and above.type not in FUNCTIONS:
        above = above.parent
    if above is None:
        return False
    line = above.start_point.row + first_line
    at = bisect_left(added, line)
    return at < len(added) and added[at] == line
