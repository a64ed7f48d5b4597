"""Go: what drops a failure in a test: a panic that is caught, a function beside the test, one that nobody calls."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.golang.branches import behind
from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

FAILS = later(r"\b\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(")
RECOVERS = later(r"\brecover\(\)")
UNHEARD = later(r"\bdefer func\(\) \{\s*(?:_ = )?recover\(\)\s*\}\(\)")
WAITS = later(r"\.Wait\(|<-|\bselect\s*\{|\brange\s+\w|(?i:wait|ready|eventually|sleep|poll)")


def unheard(above: tree_sitter.Node, child: tree_sitter.Node) -> str:
    """Why an assertion in `child` cannot fail because of `above`."""
    recovers = above.type in ("block", "statement_list") and any(
        each.type == "defer_statement" and RECOVERS.search(text_of(each)) and not FAILS.search(text_of(each))
        for each in above.named_children
    )
    if recovers and re.search(r"\bpanic\(", text_of(child)) and not FAILS.search(text_of(child)):
        return "its failure is caught"
    if recovers and UNHEARD.search(text_of(above)):
        return "a panic before it is not heard"
    if above.type == "go_statement" and not WAITS.search(behind(above)):
        return "nothing waits for it"
    unused = above.type == "assignment_statement" and text_of(above).startswith("_ = func(")
    return "nobody calls the function around it" if unused else ""
