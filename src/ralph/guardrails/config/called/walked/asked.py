"""What a condition of a script says while the script is followed: True, False, or what only running could tell."""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.checks.shell.conditions import NUMERIC
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.called.walked.names import Names, is_known, matches, text

JOINED = {"&&": False, "-a": False, "||": True, "-o": True}
"""How conditions are joined, and the truth of a side that decides."""


def truth(names: Names, script: Script, node: tree_sitter.Node) -> bool | None:
    match node.type:
        case "test_command" | "parenthesized_expression":
            inner = node.named_children
            return truth(names, script, inner[0]) if len(inner) == 1 else None
        case "unary_expression":
            return _unary(names, script, node)
        case "binary_expression":
            return _binary(names, script, node)
    value = text(names, script, node)
    return value != "" if is_known(value) else None


def _unary(names: Names, script: Script, node: tree_sitter.Node) -> bool | None:
    sign, operand = script.of(node.children[0]), node.named_children[-1]
    if sign == "!":
        found = truth(names, script, operand)
        return None if found is None else not found
    value = text(names, script, operand)
    if value is None or sign not in ("-n", "-z"):
        return None
    return (value != "") is (sign == "-n")


def _binary(names: Names, script: Script, node: tree_sitter.Node) -> bool | None:
    left, sign, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
    if left is None or sign is None or right is None:
        return None
    symbol = script.of(sign)
    if symbol in JOINED:
        sides, deciding = (truth(names, script, left), truth(names, script, right)), JOINED[symbol]
        return deciding if deciding in sides else None if None in sides else not deciding
    if left.type == "unary_expression" and script.of(left.children[0]) == "!":  # `! a = b` is parsed as `(! a) = b`
        found = _compared(names, script, left.named_children[-1], symbol, right)
        return None if found is None else not found
    return _compared(names, script, left, symbol, right)


def _compared(
    names: Names, script: Script, left: tree_sitter.Node, symbol: str, right: tree_sitter.Node
) -> bool | None:
    one, other = text(names, script, left), text(names, script, right)
    if one is None or other is None or not is_known(one) or not (is_known(other) or symbol == "=~"):
        return None
    if symbol in NUMERIC:
        numbers = names.calculated(one), names.calculated(other)
        return None if None in numbers else NUMERIC[symbol](numbers[0] or 0, numbers[1] or 0)
    if symbol in ("=", "==", "!="):
        same = matches(one, other) if _is_pattern(right) else one == other
        return same is (symbol != "!=")
    if symbol == "=~":
        try:
            return re.search(other, one) is not None
        except re.error:
            return None
    return None


def _is_pattern(node: tree_sitter.Node) -> bool:
    """What stands without quotes in double brackets."""
    above = node.parent
    while above is not None and above.type != "test_command":
        above = above.parent
    return node.type not in ("string", "raw_string") and above is not None and above.children[0].type == "[["
