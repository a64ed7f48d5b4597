"""Exit statuses of a check that its script ends well with (policy set v2, class G10; see `wrappers`).

Rule: test runners and linters end with 1 where a test fails or something is wrong. A script that fails for other
statuses of what it runs and not for 1 (`process.exit(code > 1 ? code : 0)`) loses that failure. Only what it does
because of the status counts: the value that it ends with, and the conditions around, be they about how many of its
runs a function of the file calls so (`results.filter((each) => kind(each) === "crashed").length`). So does one that
ends with a value made of a status that is 0 for each (`process.exit(code ? 0 : 0)`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import eq, ge, gt, le, lt, ne

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.failures.failing import failing, given_status
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.constants import UNKNOWN, Value
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

FAILED = 1.0
OTHERS = (2.0, 3.0, 127.0)
STATUS = later(r"(?i)(?:exit_?)?(?:code|status)|(?:rc|ret|return_?code)")
"""What the status of another process is called, as a variable or a member."""
MOST_DEEP = 24
SIGNAL = "signal"
PICKS = frozenset({"filter", "some", "every"})
EQUALITIES = frozenset({"===", "==", "!==", "!="})
DECLARE = frozenset({"lexical_declaration", "variable_declaration"})
COMPARES = {"===": eq, "==": eq, "!==": ne, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def mapped(code: Code) -> Iterator[tree_sitter.Node]:
    """Where a script would end in failure, were it another status than that of failed tests: the first such place."""
    known: dict[int, bool] = {}
    every = [_Thought(code, node, known) for node in failing(code, code.names.nodes[0])]
    thoughts = [each for each in every if each.hangs_on_status]
    if not thoughts or any(each.fails(FAILED) for each in thoughts):
        return
    lost = (each for each in thoughts if each.is_always_well or any(map(each.fails, OTHERS)))
    yield from [each.node for each in lost][:1]


class _Thought:
    """One place where the script fails, with a status put in."""

    def __init__(self, code: Code, node: tree_sitter.Node, known: dict[int, bool]) -> None:
        """`known`: of what names of the file stand for, whether a status has a part in it."""
        self._code, self.node, self._known = code, node, known
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
        value = self._value_of(node) or self._function(node) if node.type == "identifier" else None
        if value is not None:
            if value.id not in self._known:
                self._known[value.id] = False  # it may name itself
                self._known[value.id] = self._tells(value, deep + 1)
            return self._known[value.id]
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
        unread = value is not None and value.type in ("call_expression", "new_expression") and not self._picks(value)
        return None if unread else value

    def _function(self, name: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """The function of the file that a name stands for."""
        binding = self._code.names.binding(name) if name is not None and name.type == "identifier" else None
        value = unwrapped(binding.value) if binding is not None and not binding.assigned else None
        return value if value is not None and value.type in FUNCTIONS else None

    def _picks(self, call: tree_sitter.Node) -> str:
        """The method of a list that asks each element, whatever the list: `filter`, `some`, `every`."""
        called = unwrapped(call.child_by_field_name("function")) if call.type == "call_expression" else None
        member = self._member(called) if called is not None else ""
        return member if member in PICKS else ""

    def _asked(self, call: tree_sitter.Node, status: float, deep: int) -> Value:
        """What a function of the file answers about one run that ended with the status."""
        given = next(iter(arguments(call)), None)
        function = given if given is not None and given.type in FUNCTIONS else self._function(given)
        return UNKNOWN if function is None else self._returned(function, status, deep + 1)

    def _returned(self, function: tree_sitter.Node, status: float, deep: int) -> Value:
        body = function.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return self._read(body, status, deep + 1)
        return self._ended(body.named_children, status, deep)

    def _ended(self, statements: Sequence[tree_sitter.Node], status: float, deep: int) -> Value:
        """What the first `return` gives that is reached; nothing is known of a body with anything else."""
        for statement in statements:
            if statement.type == "return_statement":
                return self._read(next(iter(statement.named_children), None), status, deep + 1)
            if statement.type in DECLARE or statement.type == "comment":
                continue
            if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
                return UNKNOWN
            condition = self._read(statement.child_by_field_name("condition"), status, deep + 1)
            then = statement.child_by_field_name("consequence")
            if condition is UNKNOWN or then is None:
                return UNKNOWN
            if condition:
                return self._ended(then.named_children if then.type == "statement_block" else [then], status, deep + 1)
        return UNKNOWN

    def _read(self, node: tree_sitter.Node | None, status: float, deep: int = 0) -> Value:
        node = unwrapped(node)
        if node is None or deep > MOST_DEEP:
            return UNKNOWN
        if self._is_status(node):
            return status
        if node.type == "identifier" and (value := self._value_of(node)) is not None:
            return self._read(value, status, deep + 1)
        if (node.type == "identifier" and self._code.text(node) == SIGNAL) or self._member(node) == SIGNAL:
            return None  # what ends with a status was not killed
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
            case "member_expression" | "call_expression":
                return self._of_runs(node, status, deep)
        return self._code.constants.value(node)

    def _of_runs(self, node: tree_sitter.Node, status: float, deep: int) -> Value:
        """How many of several runs there are of a kind, whether there are any, and what a function says of one."""
        if self._member(node) == "length":
            listed = unwrapped(node.child_by_field_name("object"))
            made = self._value_of(listed) if listed is not None and listed.type == "identifier" else listed
            held = self._asked(made, status, deep) if made is not None and self._picks(made) == "filter" else UNKNOWN
            return UNKNOWN if held is UNKNOWN else float(bool(held))
        if self._picks(node) in ("some", "every"):
            held = self._asked(node, status, deep)
            return UNKNOWN if held is UNKNOWN else bool(held)
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        function = self._function(unwrapped(called))
        return self._code.constants.value(node) if function is None else self._returned(function, status, deep)

    def _member(self, node: tree_sitter.Node) -> str:
        return self._code.constants.member(node) or "" if node.type == "member_expression" else ""

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
        if isinstance(left, str) and isinstance(right, str) and sign in EQUALITIES:
            return bool(COMPARES[sign](left, right))
        return UNKNOWN

    def _sign(self, node: tree_sitter.Node) -> str:
        operator = node.child_by_field_name("operator")
        return "" if operator is None else operator.type
