"""C#: what the assertions of xUnit, NUnit, MSTest and Shouldly demand."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.csharp.alike import alike, in_order, quiet
from ralph.guardrails.csharp.failures import BROAD
from ralph.guardrails.csharp.messages import message
from ralph.guardrails.csharp.thrown import thrown
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared, holds, share, tolerated
from ralph.guardrails.inventory.wanted.verified import called
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.record import replace
from ralph.system.patterns import later

AGREES = later(r"=>\s*(?:true|0|\{\s*\})\)?$")
NO_CASES = later(r"\b(?:Array|Enumerable)\.Empty\b|new\s+\w+\[0\]|\[\]$")
SUBJECT_LAST = frozenset({"Equal", "StrictEqual", "Equivalent", "AreEqual", "AreSame", "Same"})
GRADES = {
    Grade.EXISTS: "NotNull IsNotNull NotEqual AreNotEqual NotEmpty IsNotEmpty NotSame AreNotSame DoesNotThrow"
    " NotBeNull NotBe NotBeEmpty NotThrow NotBeNullOrEmpty Record",
    Grade.SHAPE: "InRange NotInRange IsType IsAssignableFrom IsInstanceOfType IsInstanceOf Contains Greater Less"
    " Positive"
    " StartsWith EndsWith StartWith EndWith"
    " BeOfType BeInRange BeGreaterThan BeLessThan BePositive HaveCount Contain BeAssignableTo"
    " Single All GreaterOrEqual LessOrEqual BeOneOf BeCloseTo BeGreaterThanOrEqualTo BeLessThanOrEqualTo BeLessThan"
    " BeNegative Match MatchRegex",
    Grade.EXACT: "Be BeEquivalentTo BeSameAs BeExactly",
}
IGNORES = later(r"^(?:ignore\w+\s*:\s*)?true$")
"""Of a comparison of texts: what is not compared."""
KNOWN = {name: grade for grade, names in GRADES.items() for name in names.split()}


CASE = later(r"Case\.(?:Ins|S)ensitive")
PLAIN = later(r"[<(]")
TRUTH = later(r"Is\.(Not\.)?(True|False)")
WANTS_FAILURE = later(r"Throws\.(?!Nothing\b)")
PERCENT = later(r"\)\.Percent$")
KIND = later(r"(?s).*\.Throw\w*<\s*(?:\w+\.)*(\w+)\s*>\(")


def named_call(node: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str, list[tree_sitter.Node]]:
    """What a call calls it on, its name without type arguments, and its arguments."""
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "invocation_expression" or function is None or listed is None:
        return None, "", []
    arguments = [each.named_children[-1] for each in listed.named_children if each.named_children]
    name = function.child_by_field_name("name") or function
    receiver = function.child_by_field_name("expression")
    if receiver is not None and receiver.type == "cast_expression":  # `(PayException)Assert.Throws<PayException>(f)`
        receiver = receiver.named_children[-1]
    return receiver, text_of(name).partition("<")[0], arguments


def asserted(name: str, arguments: list[tree_sitter.Node], writing: Writing) -> Iterator[Said]:
    agrees = len(arguments) > 2 and AGREES.search(text_of(arguments[2])) is not None
    if agrees or (name in ("All", "Collection") and NO_CASES.search(writing.of(arguments[0]))):
        yield Said(writing.of(arguments[0]), name, "", Grade.NOTHING, why="it always holds")
    elif name in ("True", "False", "IsTrue", "IsFalse"):
        yield from holds(arguments[0], writing, positive=name.endswith("True"))
    elif (said := _alike(name, arguments, writing)) is not None:
        yield said
    elif name in SUBJECT_LAST and len(arguments) > 1:
        said = compared(arguments[1], "==", arguments[0], writing)
        margin = writing.number(arguments[2]) if len(arguments) > 2 and name in ("Equal", "AreEqual") else None
        if any(IGNORES.search(text_of(each.parent or each)) for each in arguments[2:]):
            said = replace(said, grade=min(said.grade, Grade.CLOSE))
        decimals = name == "Equal" and margin is not None and text_of(arguments[2]).isdigit()
        yield said if margin is None or not said.grade else _close(said, margin, decimals, writing.number(arguments[0]))
    elif name in ("ThrowsAny", "ThrowsAnyAsync", "Throws", "ThrowsAsync", "ThrowsException", "Catch", "CatchAsync"):
        yield _thrown(arguments, writing)
    elif name == "That" and len(arguments) > 1:
        yield from _constrained(arguments[0], arguments[1], writing)
    elif name == "That":
        yield from holds(arguments[0], writing)
    elif name == "DoesNotThrow":
        yield quiet(writing.of(arguments[0]))
    elif name == "IsType" and "Record.Exception" in writing.of(arguments[-1]):
        yield Said(writing.of(arguments[-1]), "raises", "", Grade.CLOSE)
    elif name != "Multiple":
        constant = all(map(writing.is_constant, arguments))
        grade = Grade.NOTHING if constant else KNOWN.get(name, Grade.CLOSE)
        yield Said(" ".join(map(writing.of, arguments[:3])), name, "", grade)


def _constrained(subject: tree_sitter.Node, constraint: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    if WANTS_FAILURE.match(text_of(constraint)):
        yield from thrown(subject, constraint, writing)
    else:
        yield _that(subject, constraint, writing)


def _that(subject: tree_sitter.Node, constraint: tree_sitter.Node, writing: Writing) -> Said:
    """`Assert.That(pay.Refund(3), Is.EqualTo(-3))`."""
    text = text_of(constraint)
    _, kind, wanted = named_call(constraint)
    several = re.search(r"\.(?:Not|Or)\.", text) is not None
    percent = PERCENT.search(text) is not None
    within, near = _within((percent and constraint.child_by_field_name("expression")) or constraint)
    if near is not None and not several:
        said = compared(subject, "==", near, writing)
        slack = writing.number(within) if within is not None else None
        value = 100.0 if percent else writing.number(near)
        return said if slack is None or not said.grade else _close(said, slack, False, value)
    if kind in ("EqualTo", "SameAs") and wanted and not several:
        return compared(subject, "==", wanted[0], writing)
    if (truth := TRUTH.fullmatch(text)) is not None:
        said = next(iter(holds(subject, writing, positive=(truth[2] == "True") is not bool(truth[1]))))
        return replace(said, grade=max(said.grade, Grade.CLOSE)) if said.wanted in ("true", "false") else said
    if text.startswith("Throws.Nothing"):
        return quiet(writing.of(subject))
    if (same := alike(subject, PLAIN.split(text)[0], wanted, writing, text)) is not None:
        return same
    if AGREES.search(text) is not None:
        return Said(writing.of(subject), "is", "", Grade.NOTHING, why="it always holds")
    whole = kind == "EquivalentTo" or not kind
    grade = Grade.EXISTS if "Not." in text else Grade.CLOSE if whole else Grade.SHAPE
    return Said(writing.of(subject), "is", writing.of(constraint), grade)


def _alike(name: str, arguments: list[tree_sitter.Node], writing: Writing) -> Said | None:
    subject, wanted = in_order(name, arguments, writing)
    call = arguments[0].parent
    while call is not None and call.type != "invocation_expression":
        call = call.parent
    return alike(subject, name, wanted, writing, text_of(call) if call is not None else "")


def shouldly(
    subject: tree_sitter.Node, call: str, name: str, wanted: list[tree_sitter.Node], writing: Writing
) -> Iterator[Said]:
    """`pay.Refund(3).ShouldBe(-3)`."""
    name = name if name != "Be" or wanted else "BeOfType"  # `ShouldBe<T>()`
    while named_call(subject)[1] == "ShouldNotBeNull" and (inner := named_call(subject)[0]) is not None:
        subject = inner  # `x.ShouldNotBeNull().ShouldBe(3)`
    wanted = [each for each in wanted if not CASE.fullmatch(text_of(each))]
    if name == "Be" and wanted:
        yield _about(subject, wanted, writing)
    elif name in ("BeTrue", "BeFalse"):
        yield from holds(subject, writing, positive=name == "BeTrue")
    elif (said := alike(subject, name, wanted, writing, call)) is not None:
        yield said
    else:
        grade = Grade.NOTHING if writing.is_constant(subject) else KNOWN.get(name, Grade.CLOSE)
        yield Said(writing.of(subject), name, " ".join(map(writing.of, wanted)), grade)


def fluent(node: tree_sitter.Node, receiver: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`pay.Refund(3).Should().Be(-3)`, `act.Should().Throw<PayException>().WithMessage("no")`."""
    _, name, arguments = named_call(node)
    if name == "WithMessage" and arguments and named_call(receiver)[1].startswith("Throw"):
        yield message(writing.of(receiver), arguments[0], writing)
        return
    subject = _talked_of(receiver)
    if subject is None:
        return
    name = name if name != "Be" or arguments else "BeOfType"  # `x.GetType().Should().Be<T>()`
    if name == "Be" and arguments:
        yield compared(subject, "==", arguments[0], writing)
    elif name == "BeEquivalentTo" and len(arguments) == 1:  # of a text, in whatever letters
        whole = compared(subject, "==", arguments[0], writing)
        of_text = arguments[0].type.endswith("string_literal") or "string_expression" in arguments[0].type
        yield replace(whole, grade=min(whole.grade, Grade.CLOSE)) if of_text else whole
    elif name in ("BeTrue", "BeFalse"):
        yield from holds(subject, writing, positive=name == "BeTrue")
    elif name == "BeApproximately" and len(arguments) > 1 and writing.number(arguments[1]) is not None:
        yield _about(subject, arguments, writing)
    elif (said := alike(subject, name, arguments, writing, text_of(node)[len(text_of(receiver)) :])) is not None:
        yield said
    elif name in ("NotThrow", "NotThrowAsync"):
        yield quiet(writing.of(subject))
    elif name in ("Throw", "ThrowAsync", "ThrowExactly", "ThrowExactlyAsync"):
        kind = KIND.search(text_of(node))
        broad = kind is None or kind[1] in BROAD
        yield Said(writing.of(subject), "raises", kind[1] if kind else "", Grade.EXISTS if broad else Grade.CLOSE)
    else:
        always = writing.is_constant(subject) or any(AGREES.search(text_of(each)) for each in arguments)
        grade = Grade.NOTHING if always else KNOWN.get(name, Grade.CLOSE)
        yield Said(writing.of(subject), name, " ".join(map(writing.of, arguments)), grade)


def _talked_of(receiver: tree_sitter.Node) -> tree_sitter.Node | None:
    """`x` of `x.Should()`, and of what goes on about it once something is ruled out: `x.Should().NotBeNull().And`."""
    while receiver.type == "member_access_expression" and text_of(receiver).endswith(".And"):
        before = receiver.child_by_field_name("expression")
        called_on, name, _ = named_call(before) if before is not None else (None, "", [])
        if called_on is None or not name.startswith("Not"):
            return None
        receiver = called_on
    return named_call(receiver)[0] if named_call(receiver)[1] == "Should" else None


def moq(receiver: tree_sitter.Node, arguments: list[tree_sitter.Node], writing: Writing) -> Iterator[Said]:
    """`mailer.Verify(m => m.Send("total"), Times.Once)`."""
    body = arguments[0].child_by_field_name("body") if arguments and arguments[0].type == "lambda_expression" else None
    mock, method, given = named_call(body) if body is not None else (None, "", [])
    if mock is not None:
        yield from called(f"{writing.of(receiver)}.{method}", given, " ".join(map(text_of, arguments[1:])), writing)


def _about(subject: tree_sitter.Node, wanted: list[tree_sitter.Node], writing: Writing) -> Said:
    """Equality; a number behind the wanted one is how far off it may be."""
    said = compared(subject, "==", wanted[0], writing)
    margin = writing.number(wanted[1]) if len(wanted) > 1 else None
    return said if margin is None or not said.grade else _close(said, margin, False, writing.number(wanted[0]))


def _close(said: Said, margin: float, decimals: bool, value: float | None) -> Said:
    """xUnit's third argument is a number of decimals when it is whole, MSTest's is a distance."""
    slack = share(10.0**-margin if decimals else margin, value)
    return replace(said, grade=tolerated(slack), slack=slack)


def _within(constraint: tree_sitter.Node) -> tuple[tree_sitter.Node | None, tree_sitter.Node | None]:
    """Of `Is.EqualTo(3.14).Within(0.01)`: the margin and the number."""
    _, kind, given = named_call(constraint)
    function = constraint.child_by_field_name("function")
    inner = function.child_by_field_name("expression") if function is not None else None
    if kind != "Within" or not given or inner is None:
        return None, None
    _, name, wanted = named_call(inner)
    return (given[0], wanted[0]) if name == "EqualTo" and wanted else (None, None)


def _thrown(arguments: list[tree_sitter.Node], writing: Writing) -> Said:
    """`Assert.Throws<E>(() => f())`: which failure is wanted."""
    call = arguments[0].parent
    while call is not None and call.type != "invocation_expression":
        call = call.parent
    kind = re.search(r"<\s*(?:\w+\.)*(\w+)\s*>\($", text_of(call).partition("(")[0] + "(") if call else None
    wanted = kind[1] if kind else ""
    broad = not wanted or wanted in BROAD
    return Said(writing.of(arguments[-1]), "raises", wanted, Grade.EXISTS if broad else Grade.CLOSE)
