"""Go: calls that speak of an expectation, and demand nothing by themselves (policy set v2, class G04).

Rules: Gomega's `Expect(x)` begins an assertion that stands behind it. What a double of gomock may be called any number
of times (`m.EXPECT().Ping().AnyTimes()`) is allowed, and not demanded: without it the test fails sooner.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import parent_of
from ralph.system.patterns import later

STARTS = later(r"Expect\w*|Eventually\w*|Consistently\w*|Ω")
RECORDER = "EXPECT"
ANY_NUMBER = later(r"\.\s*(?:AnyTimes\(\)|MinTimes\(0\))")
AT_LEAST = later(r"\.\s*(?:Times\(|MinTimes\([^0])")


def only_begins(name: str, node: tree_sitter.Node) -> bool:
    """`node` is the call of that name."""
    return STARTS.fullmatch(name) is not None or (name == RECORDER and _may_come_any_number_of_times(node))


def _may_come_any_number_of_times(node: tree_sitter.Node) -> bool:
    """The last word about the number of calls counts."""
    whole = node
    while (above := parent_of(whole)) is not None and above.type in ("selector_expression", "call_expression"):
        if above.type == "call_expression" and above.child_by_field_name("function") != whole:
            break
        whole = above
    said = text_of(whole)[len(text_of(node)) :]
    last = max((match.start() for match in ANY_NUMBER.finditer(said)), default=-1)
    return last > max((match.start() for match in AT_LEAST.finditer(said)), default=-1)
