"""JavaScript's expressions that are made of others: sums, texts with values in them, and what hangs on a question.

A question about CI has one answer there. Of any other both answers are possible, unless the file itself says which.
"""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter

from ralph.guardrails.config.node import Node, Opaque
from ralph.guardrails.config.readers import in_ci
from ralph.guardrails.config.readers.choices import cases, either, question, truthy
from ralph.guardrails.config.readers.syntax import number_value, returns, text_of

Reading = Callable[[tree_sitter.Node], Node]
EQUAL, UNEQUAL = ("===", "=="), ("!==", "!=")
COMPARING = frozenset((*EQUAL, *UNEQUAL, "<", ">", "<=", ">=", "in", "instanceof"))
LOGICAL = frozenset(("&&", "||", "??"))
YES_OR_NO = frozenset(("includes", "startsWith", "endsWith", "test", "has", "some", "every", "existsSync", "isArray"))
NUMBERS = frozenset(("Number", "parseInt", "parseFloat"))
LARGEST = 10**15


def put_together(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    match node.type:
        case "template_string":
            return _template(node, evaluate, opaque)
        case "binary_expression":
            return _binary(node, evaluate, opaque)
        case "unary_expression":
            return _unary(node, evaluate, opaque)
        case "ternary_expression":
            asked, yes, no = (node.child_by_field_name(name) for name in ("condition", "consequence", "alternative"))
            if asked is not None and yes is not None and no is not None:
                return decided(opaque(node), evaluate(asked), evaluate(yes), evaluate(no))
    return opaque(node)


def decided(opaque: Node, asked: Node, yes: Node, no: Node) -> Node:
    """What is one thing or another, as a question is answered."""
    if (answer := truthy(asked)) is not None:
        return yes if answer else no
    known = truthy(in_ci.there(asked))
    return either(opaque, (yes, no), None if known is None else in_ci.there(yes if known else no))


def given_back(statements: list[tree_sitter.Node], evaluate: Reading) -> Node | None:
    """What a function gives back that returns early in some case; None if that cannot be followed."""
    for index, statement in enumerate(statements):
        values = [each for each in statement.named_children if each.type != "comment"]
        if statement.type == "return_statement":
            return evaluate(values[0]) if values else None
        if not any(True for _ in returns(statement)):
            continue
        asked, yes = (statement.child_by_field_name(name) for name in ("condition", "consequence"))
        if statement.type != "if_statement" or asked is None or yes is None:
            return None
        behind = statement.child_by_field_name("alternative")
        then = given_back(_inside(yes), evaluate)
        other = given_back([*(_inside(behind) if behind is not None else ()), *statements[index + 1 :]], evaluate)
        if then is None or other is None:
            return None
        answer = evaluate(asked)
        return decided(answer.with_value(Opaque(text_of(asked))), answer, then, other)
    return None


def _inside(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    return block.named_children if block.type in ("statement_block", "else_clause") else [block]


def called(node: tree_sitter.Node, name: str, values: list[Node], opaque: Reading) -> Node:
    """Calls whose answer follows from what they are given."""
    if name in YES_OR_NO:
        return question(opaque(node))
    first = values[0] if values else None
    if first is None or (name != "Boolean" and name not in NUMBERS):
        return opaque(node)
    return _each(opaque(node), first, truthy if name == "Boolean" else _as_number)


def _each(opaque: Node, node: Node, change: Callable[[Node], object]) -> Node:
    """What is made of each thing that a value may be; yes or no of what is not known."""
    known, is_all = cases(node)
    there = in_ci.there(node)
    now = there.with_value(change(there)) if not isinstance(there.value, Opaque) else None  # type: ignore[arg-type]
    if change is not _as_number and not is_all:
        return question(opaque, now)
    made = [each.with_value(change(each)) for each in known]  # type: ignore[arg-type]
    return either(opaque, made, now, is_all=is_all)


def _as_number(node: Node) -> object:
    return number_value(node.value.strip()) if isinstance(node.value, str) else node.value


def _is_false(node: Node) -> bool:
    return not truthy(node)


def _unary(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    sign = operator.type if operator is not None else ""
    if argument is None or sign not in ("!", "-", "+"):
        return opaque(node)
    inner = evaluate(argument)
    if sign == "!":
        return _each(opaque(node), inner, _is_false)
    if sign == "+":
        return _each(opaque(node), inner, _as_number)
    plain = isinstance(inner.value, int | float)
    return opaque(node).with_value(-inner.value) if plain else opaque(node)  # type: ignore[operator]


def _template(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    parts = []
    for child in node.named_children:
        inside = child.named_children if child.type == "template_substitution" else []
        parts.append(evaluate(inside[0]) if inside else opaque(child).with_value(text_of(child)))
    return in_ci.joined(opaque(node), parts)


def _binary(node: tree_sitter.Node, evaluate: Reading, opaque: Reading) -> Node:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    sign = text_of(operator) if operator is not None else ""
    if left is None or right is None:
        return opaque(node)
    one, other = evaluate(left), evaluate(right)
    if sign in LOGICAL:
        return _logical(opaque(node), sign, one, other)
    if sign in COMPARING:
        return _compared(opaque(node), sign, one, other)
    if sign == "+" and any(isinstance(in_ci.there(part).value, str) for part in (one, other)):
        return in_ci.joined(opaque(node), [one, other])
    return _sum(opaque(node), sign, one.value, other.value)


def _logical(opaque: Node, sign: str, one: Node, other: Node) -> Node:
    """`a && b`, `a || b`, `a ?? b`: `a` as far as it decides, else `b`."""

    def stays(node: Node) -> bool | None:
        if isinstance(node.value, Opaque):
            return None
        return node.value is not None if sign == "??" else truthy(node) is (sign == "||")

    if (kept := stays(one)) is not None:
        return one if kept else other
    known, is_all = cases(one)
    decided = [each for each in known if stays(each)]
    if sign == "&&" and not is_all:
        decided, is_all = [opaque.with_value(value=False)], True
    in_one = in_ci.there(one)
    now = None if (kept := stays(in_one)) is None else in_one if kept else in_ci.there(other)
    return either(opaque, (*decided, other), now, is_all=is_all)


def _compared(opaque: Node, sign: str, one: Node, other: Node) -> Node:
    plain = all(not isinstance(each.value, Opaque | dict | list) for each in (one, other))
    if plain and sign in (*EQUAL, *UNEQUAL):
        return opaque.with_value((one.value == other.value) is (sign in EQUAL))
    return opaque if isinstance(opaque.value, Opaque) and opaque.value.in_ci is not None else question(opaque)


def _sum(opaque: Node, sign: str, one: object, other: object) -> Node:
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    if not numbers or not isinstance(one, int | float) or not isinstance(other, int | float):
        return opaque
    made = {"+": one + other, "-": one - other, "*": one * other, "/": one / other if other else None}.get(sign)
    return opaque if made is None or abs(made) > LARGEST else opaque.with_value(made)
