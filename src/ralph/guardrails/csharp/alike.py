"""C#: what the assertions of several libraries say in one form, so that a test can move from one to another.

Rules: that there is one thing, or so many, is a question about their number, as that about the length of a text is; one
thing of a kind is what `Single(of, kind)`, `ContainSingle(kind)` or `ShouldContain(kind, 1)` asks for; that nothing was
recorded is that nothing failed; a bound is a comparison, and a type is asked for by its name. That something does not
hold another is no mere presence.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

ONE = frozenset({"Single", "ContainSingle", "HaveSingleItem"})
NOTHING = frozenset({"Null", "IsNull", "BeNull", "Is.Null"})
THERE = frozenset({"NotNull", "IsNotNull", "NotBeNull", "Is.Not.Null"})
RELATIONS = {
    "NotEqual AreNotEqual NotBe Is.Not.EqualTo": "!=",
    "Greater BeGreaterThan Is.GreaterThan": ">",
    "Less BeLessThan Is.LessThan": "<",
    "GreaterOrEqual BeGreaterThanOrEqualTo BeGreaterOrEqualTo Is.GreaterThanOrEqualTo Is.AtLeast": ">=",
    "LessOrEqual BeLessThanOrEqualTo BeLessOrEqualTo Is.LessThanOrEqualTo Is.AtMost": "<=",
}
COMPARES = {name: relation for names, relation in RELATIONS.items() for name in names.split()}
FORMS = {
    "Empty IsEmpty BeEmpty Is.Empty": ("is empty", Grade.CLOSE),
    "NotEmpty IsNotEmpty NotBeEmpty Is.Not.Empty": ("is not empty", Grade.EXISTS),
    "Contains Contain Does.Contain Has.Member": ("holds", Grade.SHAPE),
    "DoesNotContain NotContain Does.Not.Contain Has.No.Member": ("does not hold", Grade.CLOSE),
    "StartsWith StartWith Does.StartWith": ("starts with", Grade.SHAPE),
    "EndsWith EndWith Does.EndWith": ("ends with", Grade.SHAPE),
}
SAYS = {name: form for names, form in FORMS.items() for name in names.split()}
MORE = {"HaveCountGreaterThan": ">", "HaveCountLessThan": "<", "HaveCountGreaterThanOrEqualTo": ">="}
SIGN = {">": -1, ">=": -1, "<": 1}
TYPED = frozenset(["IsType", "IsInstanceOfType", "IsInstanceOf", "BeOfType", "Is.TypeOf", "Is.InstanceOf"])
OF_NO_TYPE = frozenset(
    ["IsNotType", "IsNotInstanceOfType", "IsNotInstanceOf", "NotBeOfType", "Is.Not.TypeOf", "Is.Not.InstanceOf"]
)
WANTED_FIRST = frozenset(
    ["NotEqual", "AreNotEqual", "Contains", "DoesNotContain", "StartsWith", "EndsWith"],
)
"""What they look at is what they are given last, as a rule."""
KIND = later(r"(?:<|\btypeof\()\s*(?:\w+\.)*(\w+)[^()]*?[>)]\s*(?:\(|$)")
AS_WRITTEN = later(r"(?:System\.)?StringComparison\.(?:Ordinal|InvariantCulture|CurrentCulture)")
"""How texts are compared, where letters in upper case are others."""
RECORDED = later(r"\(?(?:await )?Record\.Exception(?:Async)?\((.*)\)")
CALLED_AGAIN = later(r"\(\)=>(\(\)=>.*)\(\)")


def alike(
    subject: tree_sitter.Node, name: str, wanted: Sequence[tree_sitter.Node], writing: Writing, written: str = ""
) -> Said | None:
    """`subject` is what is looked at, `wanted` what else the assertion is given, `written` the call of it."""
    wanted = [each for each in wanted if not AS_WRITTEN.fullmatch(text_of(each))]
    if name in ONE and not wanted:
        return _number(subject, "1", True, writing)
    if name == "HaveCount" and wanted and wanted[0].type != "lambda_expression":
        return _number(subject, writing.of(wanted[0]), writing.is_constant(wanted[0]), writing)
    if name == "HaveLength" and wanted:
        known = writing.is_constant(wanted[0])
        return Said(f"{writing.of(subject)}.Length", "==", writing.of(wanted[0]), Grade.EXACT, known)
    if name in ONE or (name == "Contain" and len(wanted) == 2 and writing.number(wanted[1]) == 1):
        return Said(writing.of(subject), "holds one", writing.of(wanted[0]), Grade.CLOSE)
    if name in MORE and wanted and (number := writing.number(wanted[0])) is not None:
        return Said(f"{writing.of(subject)}.Count", MORE[name], "", Grade.SHAPE, slack=number * SIGN[MORE[name]])
    if name in NOTHING and (match := RECORDED.match(writing.of(subject))) is not None:
        return quiet(match[1])
    if writing.is_constant(subject) and not wanted:
        return None
    if name in THERE:
        return Said(writing.of(subject), "!=", "null", Grade.EXISTS)
    if name in TYPED or name in OF_NO_TYPE:
        return _of_type(subject, name, f"{written} {' '.join(map(text_of, wanted))}", writing)
    if name in COMPARES and wanted:
        return compared(subject, COMPARES[name], wanted[0], writing)
    if name in SAYS and len(wanted) == name.endswith(("Contain", "Contains", "StartWith", "EndWith", "With", "Member")):
        relation, grade = SAYS[name]
        told = writing.of(wanted[0]) if wanted else ""
        constant = writing.is_constant(subject) and all(map(writing.is_constant, wanted))
        known = all(map(writing.is_constant, wanted))
        return Said(writing.of(subject), relation, told, Grade.NOTHING if constant else grade, known)
    return None


def _of_type(subject: tree_sitter.Node, name: str, written: str, writing: Writing) -> Said | None:
    kind, asked = KIND.search(written), writing.of(subject)
    if kind is None or RECORDED.match(asked) is not None:
        return None
    relation, grade = ("not type", Grade.EXISTS) if name in OF_NO_TYPE else ("type", Grade.SHAPE)
    return Said(asked.removesuffix(".GetType()"), relation, kind[1], grade)


def in_order(
    name: str, arguments: list[tree_sitter.Node], writing: Writing
) -> tuple[tree_sitter.Node, list[tree_sitter.Node]]:
    """What is looked at, and the rest: what is constant is what is wanted, and a function is what is asked of each."""
    if name in WANTED_FIRST and len(arguments) > 1:
        first, second, *rest = arguments
        by_each = second.type == "lambda_expression"
        if not by_each and not (writing.is_constant(second) and not writing.is_constant(first)):
            return second, [first, *rest]
    return arguments[0], arguments[1:]


def quiet(action: str) -> Said:
    """That it does not fail."""
    again = CALLED_AGAIN.fullmatch(action)
    return Said(again[1] if again else action, "not raises", "", Grade.EXISTS)


def _number(subject: tree_sitter.Node, wanted: str, known: bool, writing: Writing) -> Said:
    return Said(f"{writing.of(subject)}.Count", "==", wanted, Grade.EXACT, known)
