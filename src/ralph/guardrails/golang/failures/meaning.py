"""Go: what conditions and testify's assertions mean, in one form, where variables hold what they were given last.

A fact is a sign and what holds or does not: `+f()==nil`, `-in(s,"a")`. A condition is a list of cases, each of which
makes it true: `(err != nil) != want` is one where `err` is not nil and nothing is wanted, and the other way round.
`NoError(t, err)` and `if err != nil { t.Fatal() }` both fail where `-err==nil` holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.system.patterns import later

LONGEST = 300
"""Longer values are told by their hash: they are compared, never read."""
MEASURED = later(r"len\(.+\)")
NAMES = frozenset({"identifier"})
TEXTS = frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"})
CALLED = {"strings.Contains": "in", "errors.Is": "is", "errors.As": "as", "reflect.DeepEqual": "=="}
SAME = {"Equal": True, "NotEqual": False}
NIL = {"Nil": True, "NoError": True, "NotNil": False, "Error": False}
HELD = {"Contains": True, "NotContains": False}
OF_ERRORS = {"ErrorIs": "is", "ErrorAs": "as", "ErrorContains": "in", "EqualError": "=="}
DECLARATIONS = frozenset({"var_declaration", "const_declaration"})
GIVING = frozenset({"short_var_declaration", "assignment_statement", "receive_statement"})

Env = Mapping[str, str]
Cases = list[frozenset[str]]


def written(node: tree_sitter.Node, env: Env) -> str:
    """An expression free of layout, with what its variables hold; `<-c` is what is known to be sent to `c`."""
    parts, waiting = list[str](), [node]
    while waiting:
        each = waiting.pop()
        if each.type in NAMES:
            parts.append(env.get(text_of(each), text_of(each)))
        elif each.type == "unary_expression" and (sent := env.get("".join(text_of(each).split()))) is not None:
            parts.append(sent)
        elif each.type in TEXTS or not each.child_count:
            parts.append(text_of(each).strip())
        elif each.type != "comment":
            waiting += reversed(each.children)
    text = " ".join(part for part in parts if part)
    return text if len(text) <= LONGEST else blake2b(text.encode(), digest_size=12).hexdigest()


def given(node: tree_sitter.Node, env: Env) -> Env:
    """What variables hold behind a statement; nobody knows it of those whose place it tells, or that a function written
    in it changes."""
    fresh = {name: value for name, value in env.items() if name not in _touched(node)}
    if node.type in DECLARATIONS:
        listed = (spec.named_children if spec.type == "var_spec_list" else [spec] for spec in node.named_children)
        for spec in chain.from_iterable(listed):
            fresh = {**fresh, **_declared(spec, env)}
        return fresh
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type not in GIVING or left is None or right is None:
        return fresh
    targets, values = left.named_children, right.named_children if right.type == "expression_list" else [right]
    operator = node.child_by_field_name("operator")
    plain = operator is None or text_of(operator) in ("=", ":=")
    for index, name in enumerate(targets):
        if name.type == "identifier" and not plain:
            fresh.pop(text_of(name), None)
        elif name.type == "identifier":
            single = len(targets) == len(values)
            fresh[text_of(name)] = written(values[index], env) if single else _one_of(values[0], index, env)
    return fresh


def _declared(spec: tree_sitter.Node, env: Env) -> dict[str, str]:
    """What the names of a `var` or `const` hold; one that is given nothing goes by its own name."""
    names, listed = spec.children_by_field_name("name"), spec.child_by_field_name("value")
    values = listed.named_children if listed is not None else []
    if len(values) != len(names):
        return {text_of(name): text_of(name) for name in names}
    return {text_of(name): written(value, env) for name, value in zip(names, values, strict=True)}


def _touched(node: tree_sitter.Node, *, inside: bool = False) -> set[str]:
    found = set[str]()
    left, operand = node.child_by_field_name("left"), node.child_by_field_name("operand")
    if inside and node.type == "assignment_statement" and left is not None:
        found |= {text_of(name) for name in left.named_children}
    if node.type == "unary_expression" and operand is not None and text_of(node).startswith("&"):
        found.add(text_of(operand))
    for child in node.named_children:
        found |= _touched(child, inside=inside or child.type == "func_literal")
    return found


def _one_of(value: tree_sitter.Node, index: int, env: Env) -> str:
    """One of several values that an expression gives; of a lookup, the second says whether it is there."""
    operand, key = value.child_by_field_name("operand"), value.child_by_field_name("index")
    if value.type == "index_expression" and index and operand is not None and key is not None:
        return f"in({written(operand, env)},{written(key, env)})"
    kind = value.child_by_field_name("type")
    if value.type == "type_assertion_expression" and index and operand is not None and kind is not None:
        return f"type({written(operand, env)},{text_of(kind)})"
    return f"{written(value, env)}#{index}"


def is_possible(facts: frozenset[str]) -> bool:
    return not any(fact[0] == "+" and f"-{fact[1:]}" in facts for fact in facts)


class Meaning:
    def __init__(self, env: Env) -> None:
        self._env = env

    def cases(self, node: tree_sitter.Node, *, positive: bool = True) -> Cases:
        """The cases in which a condition holds, or does not."""
        while node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        operator = node.child_by_field_name("operator")
        sign = text_of(operator) if operator is not None else ""
        operand = node.child_by_field_name("operand")
        if node.type == "unary_expression" and sign == "!" and operand is not None:
            return self.cases(operand, positive=not positive)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type != "binary_expression" or left is None or right is None:
            return [frozenset({_signed(self._plain(node), positive)})]
        if sign in ("&&", "||"):
            sides = self.cases(left, positive=positive), self.cases(right, positive=positive)
            return _both(*sides) if (sign == "&&") == positive else [*sides[0], *sides[1]]
        if sign in ("==", "!=") and (_is_condition(left) or _is_condition(right)):
            return self._of_one_truth(left, right, (sign == "==") == positive)
        return [frozenset({self._compared(left, sign, right, positive)})]

    def _of_one_truth(self, one: tree_sitter.Node, other: tree_sitter.Node, alike: bool) -> Cases:
        """Two conditions of which both hold or none, or just one."""
        ways = ((True, alike), (False, not alike))
        return [
            case
            for first, second in ways
            for case in _both(self.cases(one, positive=first), self.cases(other, positive=second))
        ]

    def refused(self, name: str, arguments: Sequence[tree_sitter.Node]) -> Cases:
        """The cases in which an assertion of testify fails; none if that is not known."""
        plain = name.removesuffix("f")
        if plain in ("True", "False") and arguments:
            return self.cases(arguments[0], positive=plain == "False")
        if plain in NIL and arguments:
            return [frozenset({_signed(f"{self._of(arguments[0])}==nil", not NIL[plain])})]
        if plain == "NotErrorIs" and len(arguments) > 1:
            return [frozenset({f"+is({self._of(arguments[0])},{self._of(arguments[1])})"})]
        if plain in ("Empty", "NotEmpty") and arguments:
            return [frozenset({_signed(f"len({self._of(arguments[0])})==0", plain == "NotEmpty")})]
        if name in ("Fail", "FailNow", "Failf", "FailNowf"):
            return [frozenset()]
        return self._of_two(plain, *arguments[:2]) if len(arguments) > 1 else []

    def _of_two(self, name: str, one: tree_sitter.Node, other: tree_sitter.Node) -> Cases:
        first, second = self._of(one), self._of(other)
        if name in SAME and (_is_condition(one) or _is_condition(other)):
            return self._of_one_truth(one, other, not SAME[name])
        if name in SAME:
            return [frozenset({_signed(_equal(first, second), not SAME[name])})]
        if name in HELD:
            return [frozenset({_signed(f"in({first},{second})", not HELD[name])})]
        if name == "Len":
            return [frozenset({_signed(_equal(f"len({first})", second), False)})]
        if name == "IsType":
            kind = f"*{first[1:].partition('{')[0].strip()}" if first[:1] == "&" else first.partition("{")[0].strip()
            return [frozenset({f"-type({second},{kind})"})]
        if name in OF_ERRORS:
            about = f"{first} . Error ( )" if name in ("ErrorContains", "EqualError") else first
            asked = OF_ERRORS[name]
            fact = _equal(about, second) if asked == "==" else f"{asked}({about},{second})"
            return [frozenset({f"+{first}==nil"}), frozenset({f"-{fact}"})]
        return []

    def _plain(self, node: tree_sitter.Node) -> str:
        """A call whose answer is asked for, by what it asks."""
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        asked = CALLED.get(text_of(function)) if function is not None else None
        arguments = [self._of(each) for each in listed.named_children] if listed is not None else []
        if asked is None or len(arguments) != 2:
            return self._of(node)
        return _equal(*arguments) if asked == "==" else f"{asked}({arguments[0]},{arguments[1]})"

    def _compared(self, left: tree_sitter.Node, sign: str, right: tree_sitter.Node, positive: bool) -> str:
        one, other = self._of(left), self._of(right)
        if sign in ("==", "!="):
            return _signed(_equal(one, other), (sign == "==") == positive)
        if sign in (">", "<="):
            one, other, positive = other, one, positive == (sign == ">")
        elif sign == ">=":
            positive = not positive
        elif sign != "<":
            return _signed(f"{one}{sign}{other}", positive)
        if one == "0" and MEASURED.fullmatch(other):  # a length is never negative
            return _signed(_equal(other, "0"), not positive)
        return _signed(f"{one}<{other}", positive)

    def _of(self, node: tree_sitter.Node) -> str:
        if node.type == "call_expression" and (function := node.child_by_field_name("function")) is not None:
            listed = node.child_by_field_name("arguments")
            if text_of(function) == "len" and listed is not None and len(listed.named_children) == 1:
                return f"len({written(listed.named_children[0], self._env)})"
        return written(node, self._env)


def _is_condition(node: tree_sitter.Node) -> bool:
    while node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    operator = node.child_by_field_name("operator")
    return operator is not None and text_of(operator) in ("==", "!=", "<", "<=", ">", ">=", "&&", "||", "!")


def _equal(one: str, other: str) -> str:
    first, second = sorted((one, other), key=lambda text: (text in ("nil", "0"), text))
    return f"{first}=={second}"


def _both(one: Cases, other: Cases) -> Cases:
    return [each | more for each in one for more in other if is_possible(each | more)]


def _signed(fact: str, positive: bool) -> str:
    return f"{'+' if positive else '-'}{fact}"
