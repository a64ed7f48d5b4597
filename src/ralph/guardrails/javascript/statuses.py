"""Exit statuses of a check that its script ends well with (policy set v2, class G10; see `wrappers`).

Rule: test runners and linters end with 1 where a test fails or something is wrong. A script that fails for other
statuses of what it runs and not for 1 (`process.exit(code > 1 ? code : 0)`) loses that failure. Only what it does
because of the status counts: the value that it ends with, and the conditions around. So does one that ends with a value
made of a status that is 0 for each (`process.exit(code ? 0 : 0)`).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import eq, ge, gt, le, lt, ne

import tree_sitter

from ralph.guardrails.javascript.calls import arguments
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.constants import UNKNOWN, Value
from ralph.guardrails.javascript.failing import failing, given_status
from ralph.guardrails.javascript.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

FAILED = 1.0
OTHERS = (2.0, 3.0, 127.0)
STATUS = later(r"(?i)(?:exit_?)?(?:code|status)|(?:rc|ret|return_?code)")
"""What the status of another process is called, as a variable or a member."""
MOST_DEEP = 12
COMPARES = {"===": eq, "==": eq, "!==": ne, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def mapped(code: Code) -> Iterator[tree_sitter.Node]:
    """Where a script would end in failure, were it another status than that of failed tests: the first such place."""
    ends = [node for node in failing(code, code.names.nodes[0]) if _Thought(code, node).hangs_on_status]
    if not ends or any(_Thought(code, node).fails(FAILED) for node in ends):
        return
    thoughts = [_Thought(code, node) for node in ends]
    lost = (each for each in thoughts if each.is_always_well or any(map(each.fails, OTHERS)))
    yield from [each.node for each in lost][:1]


class _Thought:
    """One place where the script fails, with a status put in."""

    def __init__(self, code: Code, node: tree_sitter.Node) -> None:
        self._code, self.node = code, node
        self._around = list(self._conditions())
        self._value = given_status(code, node)

    @property
    def hangs_on_status(self) -> bool:
        asked = [condition for condition, _ in self._around]
        return any(self._tells(each) for each in [*asked, self._value])

    @property
    def is_always_well(self) -> bool:
        """The script ends with a value that is made of a status, and that is no failure whatever it is."""
        values = [self._read(self._value, status) for status in (FAILED, *OTHERS)]
        return self._tells(self._value) and not any(value is UNKNOWN or bool(value) for value in values)

    def fails(self, status: float) -> bool:
        """It is not known that it would not."""
        for condition, holds in self._around:
            value = self._read(condition, status)
            if value is not UNKNOWN and bool(value) != holds:
                return False
        value = UNKNOWN if self._value is None else self._read(self._value, status)
        return value is UNKNOWN or bool(value)

    def _conditions(self) -> Iterator[tuple[tree_sitter.Node, bool]]:
        """What must hold, or not, up to the function around it; `if (…) return` before it, too."""
        child = self.node
        for above in self._code.names.above(self.node):
            condition = above.child_by_field_name("condition")
            if above.type == "if_statement" and condition is not None and child != condition:
                yield condition, child == above.child_by_field_name("consequence")
            elif above.type in ("statement_block", "program"):
                yield from self._left_before(above, child)
            if above.type in FUNCTIONS:
                return
            child = above

    def _left_before(self, block: tree_sitter.Node, child: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, bool]]:
        for statement in block.named_children:
            if statement.start_byte >= child.start_byte:
                return
            condition, then = (statement.child_by_field_name(name) for name in ("condition", "consequence"))
            if statement.type == "if_statement" and condition is not None and then is not None:
                last = then.named_children[-1] if then.type == "statement_block" and then.named_children else then
                inner = last.named_children[0] if last.type == "expression_statement" else last
                ends = inner.type == "call_expression" and given_status(self._code, inner) is not None
                if last.type == "return_statement" or ends:
                    yield condition, False

    def _tells(self, node: tree_sitter.Node | None, deep: int = 0) -> bool:
        """A status has a part in it."""
        if node is None or deep > MOST_DEEP:
            return False
        if self._is_status(node):
            return True
        if node.type == "identifier" and (value := self._value_of(node)) is not None:
            return self._tells(value, deep + 1)
        return any(self._tells(child, deep + 1) for child in node.named_children)

    def _is_status(self, node: tree_sitter.Node) -> bool:
        if node.type == "member_expression":
            return STATUS.fullmatch(self._code.constants.member(node) or "") is not None
        if node.type != "identifier" or self._value_of(node) is not None:
            return False
        return STATUS.fullmatch(self._code.names.name(node)) is not None

    def _value_of(self, name: tree_sitter.Node) -> tree_sitter.Node | None:
        """What a constant of the file is made of, where it is no other process's answer."""
        binding = self._code.names.binding(name)
        if binding is None or binding.kind != "value" or binding.path or binding.assigned:
            return None
        value = unwrapped(binding.value)
        return None if value is None or value.type in ("call_expression", "new_expression") else value

    def _read(self, node: tree_sitter.Node | None, status: float, deep: int = 0) -> Value:
        node = unwrapped(node)
        if node is None or deep > MOST_DEEP:
            return UNKNOWN
        if self._is_status(node):
            return status
        if node.type == "identifier" and (value := self._value_of(node)) is not None:
            return self._read(value, status, deep + 1)
        match node.type:
            case "ternary_expression":
                return self._chosen(node, status, deep)
            case "binary_expression":
                return self._joined(node, status, deep)
            case "unary_expression" if self._sign(node) == "!":
                inner = self._read(node.child_by_field_name("argument"), status, deep + 1)
                return UNKNOWN if inner is UNKNOWN else not inner
            case "call_expression" if self._code.text(node.child_by_field_name("function")) in ("Number", "Boolean"):
                given = self._read(next(iter(arguments(node)), None), status, deep + 1)
                return float(given) if isinstance(given, bool) else given
        return self._code.constants.value(node)

    def _chosen(self, node: tree_sitter.Node, status: float, deep: int) -> Value:
        condition = self._read(node.child_by_field_name("condition"), status, deep + 1)
        parts = [
            self._read(node.child_by_field_name(name), status, deep + 1) for name in ("consequence", "alternative")
        ]
        if condition is UNKNOWN:
            return parts[0] if parts[0] == parts[1] else UNKNOWN
        return parts[0] if condition else parts[1]

    def _joined(self, node: tree_sitter.Node, status: float, deep: int) -> Value:
        left, right = (self._read(node.child_by_field_name(name), status, deep + 1) for name in ("left", "right"))
        sign = self._sign(node)
        if sign == "??":
            return left if left is not None else right
        if sign in ("&&", "||"):
            if left is UNKNOWN:
                return right if right is not UNKNOWN and bool(right) == (sign == "||") else UNKNOWN
            return left if bool(left) == (sign == "||") else right
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            if sign in COMPARES:
                return bool(COMPARES[sign](left, right))
            if sign in ("+", "-"):
                return left + right if sign == "+" else left - right
        return UNKNOWN

    def _sign(self, node: tree_sitter.Node) -> str:
        operator = node.child_by_field_name("operator")
        return "" if operator is None else operator.type
