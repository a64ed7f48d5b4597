"""Go: an assertion about a variable that the one before it has answered (policy set v2, class G05).

    config, err := Parse(text)
    if err != nil {
        t.Fatal(err)
    }
    pool := NewPool(config)
    if err != nil {
        t.Fatal(err)
    }

Rule: the second one asks nothing where an earlier statement of the same block demands the same of the variables of the
function, and nothing may have given them another value since: no statement in between, no function written in it, and
nobody who is told their place. What calls something, or asks a member or an element, may ask for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import OF_PACKAGE, named_call
from ralph.guardrails.golang.branches import fails_in, function_around
from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

PLAIN = later(r"!?[A-Za-z_]\w*(?:\s*(?:==|!=|<=?|>=?)\s*\w+)?")
NAME = later(r"(?<![\w.])(?!(?:nil|true|false)\b)[A-Za-z_]\w*")
GIVING = frozenset(
    {"assignment_statement", "short_var_declaration", "range_clause", "receive_statement", "var_spec", "const_spec"}
)
STEPS = frozenset({"inc_statement", "dec_statement"})
ANSWERED = "it was asked before, and nothing changed since"
MOST = 20
"""So many statements are looked at: checks of one variable stand near each other."""


def is_asked_before(node: tree_sitter.Node) -> bool:
    """`node` is an `if` that fails the test, or a call that asserts."""
    statement = node if node.type == "if_statement" else node.parent
    asked = _asked(statement) if statement is not None else ""
    names = frozenset(NAME.findall(asked))
    if statement is None or not names:
        return False
    for above in _above(statement):
        if _asked(above) == asked:
            return _are_of_function(names, statement)
        if _gives(above, names):
            return False
    return False


def _asked(statement: tree_sitter.Node) -> str:
    """The condition under which a statement fails the test, if it is about variables alone."""
    if statement.type == "if_statement":
        condition = statement.child_by_field_name("condition")
        if condition is None or statement.child_by_field_name("initializer") is not None:
            return ""
        if not fails_in(statement.child_by_field_name("consequence")):
            return ""
        asked = text_of(condition)
    else:
        call = statement.named_children[0] if statement.named_children else statement
        package, name, listed = named_call(call) if statement.type == "expression_statement" else ("", "", ())
        if name not in ("NoError", "NoErrorf") or OF_PACKAGE.fullmatch(package) is None or len(listed) < 2:
            return ""
        asked = f"{text_of(listed[1])} != nil"
    return " ".join(asked.split()) if PLAIN.fullmatch(asked) else ""


def _above(statement: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    above = statement.prev_named_sibling
    for _ in range(MOST):
        if above is None:
            return
        yield above
        above = above.prev_named_sibling


def _gives(statement: tree_sitter.Node, names: frozenset[str]) -> bool:
    if statement.type in ("labeled_statement", "goto_statement"):
        return True
    return bool(names & set(NAME.findall(text_of(statement)))) and bool(names & set(_given(statement)))


def _given(node: tree_sitter.Node) -> Iterator[str]:
    """The variables that something in a statement gives a value, or tells the place of."""
    if node.type in GIVING:
        for side in ("left", "name"):
            for left in node.children_by_field_name(side):
                yield from map(text_of, left.named_children or [left])
    elif node.type in STEPS or (node.type == "unary_expression" and text_of(node).startswith("&")):
        yield from map(text_of, node.named_children)
    for child in node.named_children:
        yield from _given(child)


def _are_of_function(names: frozenset[str], statement: tree_sitter.Node) -> bool:
    """They are variables of the function around, and no function written in it gives them a value."""
    around = function_around(statement)
    said = text_of(around)
    if any(re.search(rf"&\s*{name}\b", said) or not _is_declared(name, said) for name in names):
        return False
    return not names & {name for literal in _literals(around, statement) for name in _given(literal)}


def _is_declared(name: str, said: str) -> bool:
    return re.search(rf"\bvar {name}\b|(?m:^|[\s{{;(])(?:\w+, *)*{name}(?: *, *\w+)* *:=", said) is not None


def _literals(node: tree_sitter.Node, statement: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The functions written in `node` that the statement does not stand in."""
    holds = node.start_byte <= statement.start_byte and statement.end_byte <= node.end_byte
    if node.type == "func_literal" and not holds:
        yield node
        return
    for child in node.named_children:
        yield from _literals(child, statement)
