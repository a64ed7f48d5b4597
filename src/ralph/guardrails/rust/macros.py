"""Rust: what macros are given, whose words are no tree to a grammar (see `inventory`)."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.rust.built import STRING
from ralph.guardrails.rust.snapshots import MARK
from ralph.syntax import parse
from ralph.system.patterns import later

ANYTHING = later(r"_|[a-z]\w*(?<!true)(?<!false)")
OPEN = later(r"(?<!\w)_(?!\w)|\.\.|[(,{:]\s*(?:ref\s+|mut\s+)*(?!true\b|false\b)[a-z_]\w*\s*[,)}]")
PLACE = later(
    r"(?:\w+::)*(?P<kind>Ok|Err|Some|Ready|Break|Continue|Borrowed|Owned|Left|Right)\(\s*(?:\.\.|(?:ref\s+|mut\s+)*[a-z_]\w*)\s*\)"
)
BARE = later(r"(?:\w+::)*(?P<kind>\w+)")
OUTCOMES = tuple(
    frozenset(kinds.split())
    for kinds in (
        *("Ok Err", "Some None", "true false", "Ready Pending", "Less Equal Greater", "Break Continue"),
        *("Borrowed Owned", "Left Right"),
    )
)
"""Kinds of a value of which there are no others."""
TRUE = later(r"\{?\s*true\s*\}?")
EITHER = later(
    r"(?P<of>[\w.]+)\.is_(?:ok|some)\(\)\s*\|\|\s*(?P=of)\.is_(?:err|none)\(\)|(?P<it>[\w.]+)\.is_(?:err|none)\(\)\s*\|\|\s*(?P=it)\.is_(?:ok|some)\(\)"
)
MATCHES = frozenset({"matches", "assert_matches"})


def arguments_of(macro: tree_sitter.Node) -> list[tree_sitter.Node]:
    tree = next((child for child in macro.named_children if child.type == "token_tree"), None)
    if tree is None:
        return []
    root = parse("rust", f"fn f(){{g({MARK.sub('', text_of(tree)[1:-1])});}}".encode()).root_node
    nodes = [root]
    while nodes:
        node = nodes.pop(0)
        if node.type == "arguments":
            return [child for child in node.named_children if "comment" not in child.type]
        nodes += node.named_children
    return []


def matched_by(macro: tree_sitter.Node, writing: Writing) -> Said | None:
    """`matches!(x, Some(3))`: how much the pattern leaves open."""
    name, tree = macro.child_by_field_name("macro"), macro.named_children[-1] if macro.named_children else None
    if macro.type != "macro_invocation" or name is None or tree is None or tree.type != "token_tree":
        return None
    looked_at, parts = arguments_of(macro), between_commas(text_of(tree)[1:-1], STRING)
    if text_of(name).rpartition("::")[2].removeprefix("debug_") not in MATCHES or len(parts) < 2 or not looked_at:
        return None
    pattern, _, guard = (part.strip() for part in parts[1].partition(" if "))
    kinds = [kind.strip() for kind in pattern.split("|")]
    grade = Grade.SHAPE if len(kinds) > 1 or OPEN.search(pattern) else Grade.EXACT
    if guard:
        grade = Grade.EXACT if "==" in guard else Grade.SHAPE
    if takes_all(kinds) if not guard else EITHER.fullmatch(guard):
        return Said(writing.of(looked_at[0]), "matches", pattern, Grade.NOTHING, why="it matches anything")
    relation = "matches if" if guard else "matches"
    return Said(writing.of(looked_at[0]), relation, f"{pattern} {guard}".strip(), grade, grade is Grade.EXACT)


def takes_all(kinds: Sequence[str]) -> bool:
    """One of the patterns takes anything, or together they take each kind that there is, whatever it holds."""
    if any(ANYTHING.fullmatch(kind) for kind in kinds):
        return True
    open_ones = {found["kind"] for kind in kinds if (found := PLACE.fullmatch(kind) or BARE.fullmatch(kind))}
    return any(each <= open_ones for each in OUTCOMES)


def matched_always(node: tree_sitter.Node) -> bool:
    """A `match` that comes to `true` whatever it is given."""
    body = node.child_by_field_name("body") if node.type == "match_expression" else None
    arms = [each for each in body.named_children if each.type == "match_arm"] if body is not None else []
    values = (arm.child_by_field_name("value") for arm in arms)
    return bool(arms) and all(value is not None and TRUE.fullmatch(text_of(value)) for value in values)
