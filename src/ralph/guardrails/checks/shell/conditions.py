"""What a shell's test says: True, False, or what would have to be known."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

import tree_sitter

from ralph.guardrails.checks.shell.numbers import arithmetic
from ralph.guardrails.checks.shell.script import Script, Variables
from ralph.guardrails.checks.shell.state import Doubt
from ralph.system.patterns import later

WHO_OR_WHERE = later(
    r"\bgit\b[^|;&\n]*?(?:\bbranch\s+--show-current|\brev-parse\s[^|;&\n]*--abbrev-ref|\bsymbolic-ref\b"
    r"|\bname-rev\b|\bconfig\s[^|;&\n]*user\.(?:name|email)|\bvar\s+GIT_\w+_IDENT"
    r"|\blog\s[^|;&\n]*-(?:-max-count[= ]|n ?)?1\b[^|;&\n]*--(?:format|pretty)[= ]\S*?%(?:[ac][neNEl]|[sbB]))"
    r"|(?:^|[(`|;&\s])(?:whoami|hostname|logname|id\s+-u?n)\b"
)
"""What asks for the branch, the author, the last message, the user or the machine."""
DETACHED = later(r"[=!]=?\s*[\"']?HEAD[\"']?(?:\s|$)")
SWITCH_FILE = later(
    r"-[efs]\s+[\"']?(?:[\w./~-]*/)?\.?(?i:run|do|enable|force|want|need|full|strict|skip|no|disable|without)"
    r"[-_.]?(?i:the[-_.]?)?(?i:tests?|checks?|lint\w*|ci|suite|all)\b"
)
"""A file that is there or not only to say whether to check: somebody makes it, as somebody sets a variable."""
ARGUMENT = later(r"\$\{?(?:[\d#@*]|OPTARG|opt\b|arg\b)")
NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}


def doubt(text: str) -> Doubt:
    """What a condition hangs on, by its text. Who changes something, and on which branch, is set from outside."""
    if WHO_OR_WHERE.search(text) and not DETACHED.search(text):
        return "variable"
    if SWITCH_FILE.search(text):
        return "variable"
    if "$(" in text or "`" in text or "$" not in text:
        return "program"
    return "argument" if ARGUMENT.search(text) else "variable"


def truth(script: Script, node: tree_sitter.Node, variables: Variables) -> bool | None:
    """The truth of a test command or of a part of one; None if it is not known."""
    match node.type:
        case "test_command" | "parenthesized_expression":
            inner = node.named_children
            return truth(script, inner[0], variables) if len(inner) == 1 else False if not inner else None
        case "unary_expression":
            return _unary(script, node, variables)
        case "binary_expression":
            return _binary(script, node, variables)
    value = script.value(node, variables)
    return None if value is None else value != ""


def _unary(script: Script, node: tree_sitter.Node, variables: Variables) -> bool | None:
    sign = script.of(node.children[0])
    operand = node.named_children[-1] if node.named_children else None
    if operand is None:
        return None
    if sign == "!":
        found = truth(script, operand, variables)
        return None if found is None else not found
    value = script.value(operand, variables)
    if value is None or sign not in ("-n", "-z"):
        return None
    return (value != "") is (sign == "-n")


def _binary(script: Script, node: tree_sitter.Node, variables: Variables) -> bool | None:
    left, sign, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
    if left is None or sign is None or right is None:
        return None
    symbol = script.of(sign)
    if symbol in ("&&", "-a", "||", "-o"):
        sides = (truth(script, left, variables), truth(script, right, variables))
        deciding = symbol in ("||", "-o")
        return deciding if deciding in sides else None if None in sides else not deciding
    if left.type == "unary_expression" and script.of(left.children[0]) == "!":  # `! a = b` is parsed as `(! a) = b`
        found = _compared(script, left.named_children[-1], symbol, right, variables)
        return None if found is None else not found
    return _compared(script, left, symbol, right, variables)


def _compared(
    script: Script, left: tree_sitter.Node, symbol: str, right: tree_sitter.Node, variables: Variables
) -> bool | None:
    one, other = script.value(left, variables), script.value(right, variables)
    if one is None or other is None:
        return None
    if symbol in NUMERIC:
        numbers = arithmetic(one, variables), arithmetic(other, variables)
        return None if None in numbers else NUMERIC[symbol](numbers[0] or 0, numbers[1] or 0)
    if symbol in ("=", "==", "!="):
        if re.search(r"[*?\[]", other):
            return None
        return (one == other) is (symbol != "!=")
    return None
