"""What a condition demands that an assertion wants to be true: `assert(x === 3)`, `expect(x > 2).toBe(true)` (G05).

Also what an `if` before `throw` demands. A conjunction demands all of its parts, a disjunction next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments, returned
from ralph.guardrails.javascript.syntax.constants import UNKNOWN
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE
from ralph.record import record
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade


@record
class Said:
    """What one assertion says, before anybody asks whether it is reached. `wanted_node` may stand for `wanted`."""

    subject: tree_sitter.Node | None
    relation: str
    grade: Grade
    wanted_node: tree_sitter.Node | None = None
    wanted: str | None = None
    slack: float | None = None
    why: str = ""
    known: bool | None = None
    member: str = ""
    """Of the subject, where the assertion names it: `.a.b`."""


WIDE = 0.01
"""A tolerance over one percent of the value is a range rather than a value."""
ROUGH = 1.0
"""A tolerance as large as the value itself lets anything through."""


def near(
    subject: tree_sitter.Node | None, wanted: tree_sitter.Node | None, slack: float | None, value: float | None
) -> Said:
    """Equality within a tolerance, which is relative where the value is known."""
    if slack is None:
        return Said(subject, "~", CLOSE, wanted)
    relative = slack / abs(value) if value else slack
    return Said(subject, "~", tolerated(relative), wanted, slack=relative)


def tolerated(relative: float) -> Grade:
    return CLOSE if relative <= WIDE else SHAPE if relative < ROUGH else EXISTS


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPERATORS = {"===": "==", "==": "==", "!==": "!=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_PARTS = later(
    r"(?:includes|startsWith|endsWith|some|every|has|test|match|search|isArray|isInteger|isFinite|isNaN|isSafeInteger)"
)
_EQUALS = later(r"(?:equals?|isEqual|deepEqual|is|isDeepStrictEqual|eq)")
_LITERAL_SHAPES = frozenset({"array", "object", "arrow_function", "function_expression", "new_expression", "class"})


def _relation(name: str, positive: bool) -> str:
    return name if positive else f"not {name}"


class Truths:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing

    def of(self, node: tree_sitter.Node | None, positive: bool = True) -> Iterator[Said]:
        """What `node` demands by being truthy, or falsy where `positive` is false."""
        plain = self._writing.value(node)
        if plain is None:
            yield Said(node, "exists", NOTHING, why="nothing is looked at")
            return
        if plain.type == "unary_expression" and self._code.source.text(plain).startswith("!"):
            yield from self.of(plain.child_by_field_name("argument"), not positive)
            return
        constant = self._constant(plain)
        if constant is not None:
            yield Said(plain, "exists", NOTHING, why="it is a constant")
        elif plain.type == "binary_expression":
            yield from self._binary(plain, positive)
        elif plain.type == "call_expression":
            function = unwrapped(plain.child_by_field_name("function"))
            if function is not None and function.type in FUNCTIONS and (body := returned(function)) is not None:
                yield from self.of(body, positive)
            else:
                yield self._called(plain, positive)
        else:
            yield Said(plain, "exists" if positive else "falsy", EXISTS if positive else CLOSE)

    def _constant(self, node: tree_sitter.Node) -> bool | None:
        if node.type in _LITERAL_SHAPES:
            return True
        value = self._code.constants.value(node)
        return None if value is UNKNOWN else bool(value)

    def _binary(self, node: tree_sitter.Node, positive: bool) -> Iterator[Said]:
        left, right = unwrapped(node.child_by_field_name("left")), unwrapped(node.child_by_field_name("right"))
        operator = node.child_by_field_name("operator")
        sign = operator.type if operator is not None else ""
        if sign in ("&&", "||"):
            if (sign == "&&") == positive:
                yield from self.of(left, positive)
                yield from self.of(right, positive)
            else:
                yield Said(node, "either", EXISTS)
        elif sign in _OPERATORS and left is not None and right is not None:
            relation = _OPERATORS[sign]
            yield self.compared(left, relation if positive else _OPPOSITE[relation], right)
        elif sign == "instanceof":
            yield Said(left, _relation("type", positive), SHAPE if positive else EXISTS, right)
        elif sign == "in":  # what `toHaveProperty` asks
            yield Said(right, _relation("matches", positive), EXISTS, left)
        else:
            yield Said(node, "exists", EXISTS)

    def compared(self, left: tree_sitter.Node, relation: str, right: tree_sitter.Node) -> Said:
        if self._writing.is_constant(left) and not self._writing.is_constant(right):
            left, right, relation = right, left, _MIRRORED.get(relation, relation)
        if self._writing.of(left) == self._writing.of(right):
            return Said(left, relation, NOTHING, right, why="both sides are the same")
        if relation == "==":
            return Said(left, "==", EXACT, right)
        if relation == "!=":
            nan = self._writing.of(right) in ("NaN", "Number.NaN")
            return Said(left, "!=", NOTHING if nan else EXISTS, right, why="nothing equals NaN" if nan else "")
        return self._bounded(left, relation, right)

    def _bounded(self, left: tree_sitter.Node, relation: str, right: tree_sitter.Node) -> Said:
        bound = self._writing.number(right)
        difference = self._difference(left) if relation in ("<", "<=") else None
        if difference is not None:
            subject, wanted = difference
            return near(subject, wanted, bound, self._writing.number(wanted))
        slack = None if bound is None else bound if relation in ("<", "<=") else -bound
        length = re.search(r"\.(?:length|size)$", self._writing.of(left)) is not None
        always = length and bound is not None and ((relation == ">=" and bound <= 0) or (relation == ">" and bound < 0))
        why = "a length is never negative" if always else ""
        return Said(left, relation, NOTHING if always else SHAPE, right, slack=slack, why=why)

    def _difference(self, node: tree_sitter.Node) -> tuple[tree_sitter.Node, tree_sitter.Node] | None:
        """The two numbers of `Math.abs(a - b)`."""
        if node.type != "call_expression" or self._code.origins.of(node.child_by_field_name("function")) != (
            "Math",
            "abs",
        ):
            return None
        inner = unwrapped(next(iter(arguments(node)), None))
        if inner is None or inner.type != "binary_expression":
            return None
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        return (left, right) if left is not None and right is not None else None

    def _called(self, node: tree_sitter.Node, positive: bool) -> Said:
        function = unwrapped(node.child_by_field_name("function"))
        name = self._code.constants.member(function) if function is not None else None
        if name is None and function is not None and function.type == "identifier":
            name = self._code.names.name(function)
        given = arguments(node)
        if name and _EQUALS.fullmatch(name) and given and positive:
            receiver = function.child_by_field_name("object") if function is not None else None
            two = given[:2] if len(given) > 1 else [receiver, given[0]] if receiver is not None else []
            if len(two) == 2 and not self._is_tested(function, two):
                return self.compared(two[0], "==", two[1])
        whole = function.child_by_field_name("object") if function is not None and name == "includes" else None
        if whole is not None and len(given) == 1 and self._constant(whole) is None:  # what `toContain` asks
            return Said(whole, _relation("in", positive), SHAPE if positive else EXISTS, given[0])
        if name and _PARTS.fullmatch(name):
            return Said(node, _relation("part", positive), SHAPE if positive else EXISTS)
        return Said(node, "exists" if positive else "falsy", EXISTS if positive else CLOSE)

    def _is_tested(self, function: tree_sitter.Node | None, two: Sequence[tree_sitter.Node | None]) -> bool:
        """A function of the project that is given the same twice: how it compares is what is asked."""
        path = self._code.origins.of(function)
        same = self._writing.of(two[0]) == self._writing.of(two[1])
        return same and path is not None and LOCAL_MODULE.match(path[0]) is not None
