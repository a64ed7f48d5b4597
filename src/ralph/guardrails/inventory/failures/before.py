"""What stands in a test before one of its assertions, and so may have a part in what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.source import Source
from ralph.system.patterns import later

TELLS = later(
    rb"\s*(?:console\.\w+|print(?:ln|f)?!?|e?print(?:ln)?!|dbg!|puts|pp?|fmt\.Print\w*|t\.Log\w*|System\.(?:out|err)\.\w+"
    rb"|Console\.Write\w*|output\.WriteLine|Debug\.Write\w*)\s*\("
)
"""Such a line tells people something, and does nothing."""
LISTS = frozenset({"statement_list", "statements", "body_statement"})
"""What some grammars have between a body and its statements."""


def standing_before(
    nodes: Iterable[tree_sitter.Node], body: tree_sitter.Node, source: Source, line: int
) -> Iterator[tree_sitter.Node]:
    """The nodes up to the statement on a line of the body, without what only tells people something; all for a line
    elsewhere, as in a helper."""
    row = line - source.first_line
    last = max((each.end_byte for each in _statements(body) if _holds(each, row)), default=body.end_byte)
    for node in nodes:
        if node.start_byte < last and not TELLS.match(source.lines[node.start_point.row]):
            yield node


def _statements(body: tree_sitter.Node) -> list[tree_sitter.Node]:
    inside = body.named_children
    while len(inside) == 1 and inside[0].type in LISTS:
        inside = inside[0].named_children
    return inside


def _holds(statement: tree_sitter.Node, row: int) -> bool:
    return statement.start_point.row <= row <= statement.end_point.row
