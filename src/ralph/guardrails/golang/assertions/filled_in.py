"""A branch that takes what is missing from somewhere else, in a test of Go (policy set v2, class G05).

`if name == "" { cfg := item.MustHave(x); name = cfg.Name }` gives `name` the value that is compared further down, as
`name := item.MustHave(x).Name` does by itself: what has to be there is asked wherever it is needed.

Rule: the branch asks whether a name that a call gave a value is empty, does nothing but assign, and gives that name
what it took from the call in it. What only throws the value away, or compares in the branch, runs under a condition.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

EMPTY = later(r"(?:(?P<one>\w+)\s*==\s*(?:\"\"|``|nil|0)|len\((?P<of>\w+)\)\s*==\s*0)")
TAKES = later(r"(?P<names>\w+(?:\s*,\s*\w+)*)\s*:?=\s*(?P<value>[^=].*)", re.DOTALL)
ASSIGNMENTS = frozenset({"short_var_declaration", "assignment_statement"})
LISTS = frozenset({"block", "statement_list"})


def fills_in(branch: tree_sitter.Node, child: tree_sitter.Node) -> bool:
    """`child` is the block of `branch`, which fills in what is empty."""
    condition = branch.child_by_field_name("condition") if branch.type == "if_statement" else None
    asked = EMPTY.fullmatch(text_of(condition).strip("()")) if condition is not None else None
    if asked is None or child != branch.child_by_field_name("consequence"):
        return False
    name = asked["one"] or asked["of"]
    statements = _statements(child)
    if not statements or any(each.type not in ASSIGNMENTS for each in statements):
        return False
    taken = [match for each in statements if (match := TAKES.fullmatch(text_of(each))) is not None]
    if len(taken) != len(statements) or taken[-1]["names"] != name:
        return False
    got = {each for match in taken[:-1] for each in re.findall(r"\w+", match["names"]) if each != "_"}
    used = set(re.findall(r"\w+", taken[-1]["value"]))
    return (not got or not got.isdisjoint(used)) and _is_given(branch, name)


def _is_given(branch: tree_sitter.Node, name: str) -> bool:
    """What stands before the branch gives it what a call gives."""
    before = branch.prev_named_sibling
    while before is not None:
        match = TAKES.fullmatch(text_of(before)) if before.type in ASSIGNMENTS else None
        if match is not None and name in re.findall(r"\w+", match["names"]):
            return match["value"].rstrip().endswith(")")
        before = before.prev_named_sibling
    return False


def _statements(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    found = [each for each in block.named_children if each.type != "comment"]
    return _statements(found[0]) if len(found) == 1 and found[0].type in LISTS else found
