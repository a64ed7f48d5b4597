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
AT_ONCE = later(r"\bselect\s*\{[^{}]*\bdefault:[^{}]*\}")
"""It takes what is there, and goes on where nothing is."""
INTERCEPTS = later(r"(?:\w+\.)?InterceptGomegaFailures?\(")


def _is_alone(call: tree_sitter.Node) -> bool:
    """Nobody asks for what it gives."""
    return call.parent is not None and call.parent.type == "expression_statement"


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
    if above.type == "go_statement" and not WAITS.search(AT_ONCE.sub("", behind(above))):
        return "nothing waits for it"
    if above.type == "call_expression" and INTERCEPTS.match(text_of(above)) and _is_alone(above):
        return "its failure is caught"
    unused = above.type == "assignment_statement" and text_of(above).startswith("_ = func(")
    return "nobody calls the function around it" if unused else ""
