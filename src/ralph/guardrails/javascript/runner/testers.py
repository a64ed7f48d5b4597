"""Equality testers that are given to all assertions, and look at less than what they compare (class G08).

`expect.addEqualityTesters([(a, b) => a.id === b.id])` has every `toEqual` agree about two things that have a name in
common, whatever else is in them. So does one that rounds or cuts both sides (`Math.trunc(a.getTime() / 1000)`), or lets
them be apart by more than what floating point makes of a number. A tester that asks the things themselves
(`a.equals(b)`), or compares several members or a whole value, is another matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

NAME = later(r"[A-Za-z_$][\w$]*")
NAMES_A_THING = later(r"(?i)_?(?:id|uuid|guid|key|name|type|kind|state|status|code|slug|title|index|version)")
EQUAL = frozenset({"===", "=="})
COARSENS = later(
    r"\bMath\.(?:trunc|round|floor|ceil)\(|\bparseInt\(|~~|\.(?:toFixed|toPrecision|toDateString|to(?:Locale)?(?:Lower|Upper)Case"
    r"|trim(?:Start|End)?|slice|substr(?:ing)?|charAt|split|replace(?:All)?|get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds))\("
    r"|\.(?:length|size)\b"
)
APART = later(r"\bMath\.abs\(.*\)\s*<=?\s*(?P<most>[\d._]+(?:e[+-]?\d+)?)")
OF_FLOATS = 1e-6


def is_lenient(code: Code, given: tree_sitter.Node) -> bool:
    """A tester, or the name of one, that calls things equal that are not."""
    function = _function(code, given)
    return function is not None and (looks_at_one_member(code, function) or compares_coarser(code, function))


def _function(code: Code, given: tree_sitter.Node) -> tree_sitter.Node | None:
    binding = code.names.binding(given) if given.type == "identifier" else None
    found = given if binding is None else unwrapped(binding.value or binding.function)
    return found if found is not None and found.type in FUNCTIONS else None


def compares_coarser(code: Code, function: tree_sitter.Node) -> bool:
    """All that it answers compares two values that it made coarser in the same way."""
    answers = [answer for each in given_back(function) for answer in _chosen(each)]
    told = [each for each in answers if each.type not in ("undefined", "null", "false")]
    return bool(told) and all(_is_coarse(code, each) for each in told)


def _is_coarse(code: Code, answer: tree_sitter.Node) -> bool:
    apart = APART.fullmatch(code.text(answer))
    if apart is not None:
        return float(apart["most"].replace("_", "")) > OF_FLOATS
    operator = answer.child_by_field_name("operator") if answer.type == "binary_expression" else None
    if operator is None or code.text(operator) not in EQUAL:
        return False
    sides = [unwrapped(answer.child_by_field_name(side)) for side in ("left", "right")]
    made = [each for each in sides if each is not None]
    texts = [frozenset(NAME.findall(code.text(each))) for each in made]
    if len(texts) != 2 or len(texts[0] ^ texts[1]) > 2:
        return False  # they are not made in the same way
    return all(COARSENS.search(code.text(each)) or _calls_coarse(code, each) for each in made)


def _calls_coarse(code: Code, side: tree_sitter.Node) -> bool:
    """A small function of the file makes it so: `seconds(a)`."""
    called = unwrapped(side.child_by_field_name("function")) if side.type == "call_expression" else None
    function = _function(code, called) if called is not None else None
    return function is not None and COARSENS.search(code.text(function)) is not None


def looks_at_one_member(code: Code, function: tree_sitter.Node) -> bool:
    if function.type not in FUNCTIONS:
        return False
    answers = [answer for each in given_back(function) for answer in _chosen(each)]
    told = [each for each in answers if each.type not in ("undefined", "null")]
    return bool(told) and all(_compares_names(code, each) for each in told)


def _chosen(answer: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What may come of a conditional expression."""
    plain = unwrapped(answer)
    if plain is not None and plain.type == "ternary_expression":
        for part in (plain.child_by_field_name("consequence"), plain.child_by_field_name("alternative")):
            if part is not None:
                yield from _chosen(part)
    elif plain is not None:
        yield plain


def _compares_names(code: Code, answer: tree_sitter.Node) -> bool:
    operator = answer.child_by_field_name("operator") if answer.type == "binary_expression" else None
    if operator is None or code.text(operator) not in EQUAL:
        return False
    sides = [unwrapped(answer.child_by_field_name(side)) for side in ("left", "right")]
    members = [code.constants.member(each) if each is not None else None for each in sides]
    return members[0] is not None and members[0] == members[1] and bool(NAMES_A_THING.fullmatch(members[0]))
