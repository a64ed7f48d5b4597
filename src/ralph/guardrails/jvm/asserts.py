"""Java: what the assertions of JUnit, AssertJ and Hamcrest demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.inventory.equivalents.spelled_jvm import ITSELF
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared, holds, share, tolerated
from ralph.guardrails.inventory.wanted.verified import called
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

EQUAL = frozenset({"assertEquals", "assertSame", "assertArrayEquals", "assertIterableEquals", "assertLinesMatch"})
GRADES = {
    Grade.EXISTS: "assertNotNull assertDoesNotThrow assertNotEquals assertNotSame isNotNull isNotEmpty isNotEqualTo"
    " isNotZero isPresent isNotBlank doesNotThrowAnyException isNotSameAs assertTimeout assertTimeoutPreemptively",
    Grade.SHAPE: "assertContains assertIs assertInstanceOf"
    " isInstanceOf hasSize contains startsWith endsWith isGreaterThan isLessThan isBetween"
    " isPositive isNegative isGreaterThanOrEqualTo isLessThanOrEqualTo isAtLeast isAtMost containsAtLeast"
    " containsAnyOf isAnyOf isIn isNotNegative containsKey hasSizeGreaterThan satisfies matches isCloseTo isOneOf",
    Grade.EXACT: "containsExactly containsExactlyInAnyOrder isEqualByComparingTo isSameAs isSameInstanceAs hasValue"
    " containsExactlyElementsOf",
}
BROAD = frozenset(
    f"{kind}{form}"
    for kind in ("Throwable", "Exception", "RuntimeException", "Error")
    for form in (".class", "::class.java", "::class")
)
MATCHERS = frozenset(
    {"anyOf", "isA", "instanceOf", "any", "either", "isOneOf", "oneOf", "in", "isIn", "greaterThan", "lessThan"}
    | {"greaterThanOrEqualTo", "lessThanOrEqualTo", "hasItem", "containsString", "startsWith", "endsWith", "hasKey"}
    | {"hasLength", "hasSize", "closeTo"}
)
"""Hamcrest's, which many values meet."""
COMPARES = {"isEqualTo": "==", "isNotEqualTo": "!="}
THROWN = frozenset(
    {"assertThatThrownBy", "assertThatExceptionOfType", "assertThatIllegalArgumentException", "assertFailure"}
)
OF_KIND = later(r"assertThatExceptionOfType|assertThat(?P<kind>(?:[A-Z]\w*)?Exception)")
"""AssertJ's, before it is said what throws."""
STARTS = later(r"assert(?:_|All|Soft\w*|That|ThatThrownBy|ThatCode|Failure|WithMessage|About)")
"""Calls that demand nothing by themselves."""
TELLS = frozenset({"assertWithMessage", "assert_", "withMessage", "about", "assertAbout"})
AGREES = later(r"->\s*(?:0|true|\{\s*\})\s*[)}]")
"""A comparison or condition of the test's own that anything meets."""
MADE = later(r"(?:new\s+)?(?:[a-z]\w*\.)*[A-Z]\w*(?:<[^()]*>)?\(")
"""A call that makes an object."""
GIVEN = later(rf"{MADE.pattern}|[\w.]+\(")
"""A call."""
WITHIN = later(r"\b(?:within|offset|withPrecision)\(([\d.]+(?:[eE][-+]?\d+)?)[fFdDL]?\)")
KNOWN = {name: grade for grade, names in GRADES.items() for name in names.split()}


def named_call(node: tree_sitter.Node) -> tuple[tree_sitter.Node | None, str, list[tree_sitter.Node]]:
    """What a call calls it on, its name and its arguments."""
    name, listed = node.child_by_field_name("name"), node.child_by_field_name("arguments")
    if node.type != "method_invocation" or name is None or listed is None:
        return None, "", []
    return (
        node.child_by_field_name("object"),
        text_of(name),
        [each for each in listed.named_children if "comment" not in each.type],
    )


SUPPLIES = frozenset({"lambda_expression", "lambda_literal", "method_reference"})
"""As the last argument, it gives the message."""


def junit(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    receiver, name, arguments = named_call(node)
    if receiver is None or text_of(receiver).rpartition(".")[2] in ("Assertions", "Assert"):
        yield from demanded(name, arguments, writing)


def _without_message(name: str, arguments: list[tree_sitter.Node], writing: Writing) -> list[tree_sitter.Node]:
    if (
        len(arguments) > 1
        and writing.value(arguments[0]).type == "string_literal"
        and name in ("assertTrue", "assertFalse")
    ):
        arguments = arguments[1:]
    if len(arguments) > 2 and arguments[-1].type in SUPPLIES and name != "assertAll":
        return arguments[:-1]
    if len(arguments) > 2 and arguments[0].type == "string_literal" and arguments[2].type != "string_literal":
        return arguments[1:]
    return arguments


def demanded(name: str, arguments: list[tree_sitter.Node], writing: Writing) -> Iterator[Said]:
    """What a call of that name demands."""
    if not arguments:
        return
    arguments = _without_message(name, arguments, writing)
    if name in ("assertTrue", "assertFalse"):
        one, method, other = named_call(arguments[0])
        if name == "assertTrue" and method == "equals" and one and [text_of(one)] == list(map(text_of, other)):
            yield Said(writing.of(arguments[0]), ITSELF, text_of(one), Grade.CLOSE)
        else:
            yield from holds(arguments[0], writing, positive=name == "assertTrue")
    elif name in EQUAL and len(arguments) > 1:
        said = _apart(compared(arguments[1], "==", arguments[0], writing), arguments, writing)
        margin = writing.number(arguments[2]) if len(arguments) > 2 else None
        yield near(arguments[1], arguments[0], margin, writing) if margin is not None and said.grade else said
    elif name == "assertNotEquals" and len(arguments) > 1:
        yield _apart(compared(arguments[1], "!=", arguments[0], writing), arguments, writing)
    elif name in ("assertThrows", "assertThrowsExactly") and len(arguments) > 1:
        broad = text_of(arguments[0]) in BROAD
        grade = Grade.EXISTS if broad else Grade.CLOSE
        yield Said(writing.of(arguments[1]), "raises", writing.of(arguments[0]), grade)
    elif name == "assertDoesNotThrow":
        yield Said(writing.of(arguments[0]), "not raises", "", Grade.EXISTS)
    elif name == "assertInstanceOf" and len(arguments) > 1:
        yield Said(writing.of(arguments[1]), "isInstanceOf", writing.of(arguments[0]), Grade.SHAPE)
    elif name.startswith("assert") and not STARTS.fullmatch(name):
        constant = writing.is_constant(arguments[0])
        grade = Grade.NOTHING if constant else KNOWN.get(name, Grade.CLOSE)
        yield Said(writing.of(arguments[0]), name, " ".join(map(writing.of, arguments[1:2])), grade)


def near(subject: tree_sitter.Node, wanted: tree_sitter.Node, margin: float, writing: Writing) -> Said:
    """It equals what is wanted, or is off by no more than that."""
    slack = share(margin, writing.number(wanted))
    known = writing.is_constant(wanted)
    return Said(writing.of(subject), "==", writing.of(wanted), tolerated(slack), known, slack)


def _apart(said: Said, compared: list[tree_sitter.Node], writing: Writing) -> Said:
    """Of two variables that each hold what was made for them it is for the product to say whether they are equal, and
    whether one equals itself; that demands nothing, but is no less than the same in other words."""
    one, other = compared[:2]
    if said.grade or not _holds(one, GIVEN, writing):
        return said
    if text_of(one) == text_of(other):
        return Said(said.subject, ITSELF, text_of(one), Grade.NOTHING, why=said.why)
    if not _holds(other, GIVEN, writing) and writing.of(other) != "null":
        return said
    both = said.relation == "==" and _holds(one, MADE, writing) and _holds(other, MADE, writing)
    return Said(said.subject, said.relation, said.wanted, Grade.CLOSE if both else Grade.EXISTS)


def _holds(node: tree_sitter.Node, kind: re.Pattern[str], writing: Writing) -> bool:
    """A variable that is given such a value, once."""
    return text_of(node) in writing.local and kind.match(text_of(writing.value(node))) is not None


SAYS_HOW = later(
    r"as|describedAs|withFailMessage|overridingErrorMessage|extracting|first|element|asString"
    r"|usingRecursiveComparison|ignoring[A-Z]\w*|comparingOnlyFields"
)
"""Calls of a chain that ask nothing themselves."""
ELEMENT = frozenset({"first", "last", "element", "singleElement"})
"""Those that go from a list to an element of it."""
NamedCall = Callable[[tree_sitter.Node], tuple[tree_sitter.Node | None, str, list[tree_sitter.Node]]]


def chained(node: tree_sitter.Node, writing: Writing, named_call: NamedCall = named_call) -> Iterator[Said]:
    """`assertThat(x).isEqualTo(3)`: each call of the chain; Hamcrest's two arguments."""
    receiver, name, arguments = named_call(node)
    if name == "assertThat" and len(arguments) > 1:
        yield _matched(arguments[-2], arguments[-1], writing, named_call)
        return
    if receiver is not None and (verify := named_call(receiver))[1] == "verify" and verify[2]:
        mock, *times = verify[2]
        yield from called(f"{writing.of(mock)}.{name}", arguments, " ".join(map(text_of, times)), writing, once=True)
        return
    if receiver is not None and (raised := list(_raised(receiver, name, arguments, writing, named_call))):
        yield from raised
        return
    start = receiver
    while start is not None and not _begins(start, named_call):
        start = named_call(start)[0]
    given = named_call(start)[2] if start is not None else []
    if not given or SAYS_HOW.fullmatch(name):
        return
    if start is not None and named_call(start)[1] in THROWN:
        yield _thrown(given[0], name, arguments, writing)
    elif AGREES.search(text_of(node)):
        yield Said(writing.of(given[0]), name, "", Grade.NOTHING, why="anything agrees with it")
    elif name in COMPARES and arguments and start == receiver:
        yield _apart(compared(given[0], COMPARES[name], arguments[0], writing), [given[0], *arguments], writing)
    elif name == "isEqualTo" and arguments and receiver is not None and named_call(receiver)[1] in ELEMENT:
        of = f"{writing.of(given[0])}.{text_of(receiver).rpartition('.')[2]}"
        yield Said(of, "==", writing.of(arguments[0]), Grade.EXACT, writing.is_constant(arguments[0]))
    else:
        yield from _asked(node, given[0], name, arguments, writing)


def _matched(subject: tree_sitter.Node, matcher: tree_sitter.Node, writing: Writing, named_call: NamedCall) -> Said:
    """What a matcher of Hamcrest's asks."""
    _, kind, wanted = named_call(matcher)
    if kind == "is" and wanted and named_call(wanted[0])[1]:
        _, kind, wanted = named_call(wanted[0])
    margin = writing.number(wanted[1]) if kind == "closeTo" and len(wanted) > 1 else None
    if margin is not None:
        return near(subject, wanted[0], margin, writing)
    if kind in ("is", "equalTo") and wanted and not named_call(wanted[0])[1]:
        return compared(subject, "==", wanted[0], writing)
    grade = Grade.EXISTS if kind in ("not", "notNullValue") else Grade.CLOSE
    grade = Grade.NOTHING if kind == "anything" else Grade.SHAPE if kind in MATCHERS else grade
    return Said(writing.of(subject), kind, " ".join(map(writing.of, wanted)), grade)


def _asked(
    node: tree_sitter.Node, subject: tree_sitter.Node, name: str, arguments: list[tree_sitter.Node], writing: Writing
) -> Iterator[Said]:
    """What one call of a chain says about `subject`."""
    margin = WITHIN.search(writing.of(node)) if name == "isCloseTo" else None
    if margin is not None and writing.number(arguments[0]):
        yield near(subject, arguments[0], float(margin[1]), writing)
    elif name in ("contains", "containsAtLeast") and len(arguments) > 1:
        for part in arguments:
            yield Said(writing.of(subject), "contains", writing.of(part), Grade.SHAPE)
    elif name in ("isTrue", "isFalse"):
        yield from holds(subject, writing, positive=name == "isTrue")
    else:
        grade = Grade.EXACT if name == "isEqualTo" else KNOWN.get(name, Grade.CLOSE)
        grade = Grade.NOTHING if writing.is_constant(subject) else grade
        known = name.startswith("containsExactly") and all(map(writing.is_constant, arguments))
        yield Said(writing.of(subject), name, " ".join(map(writing.of, arguments)), grade, known)


def _begins(start: tree_sitter.Node, named_call: NamedCall) -> bool:
    """`assertThat(x)`, or Truth's `assertWithMessage("how").that(x)`: what is said before is for people."""
    told, name, _ = named_call(start)
    if name == "that" and told is not None:
        return named_call(told)[1] in TELLS
    return name in ("assertThat", *THROWN)


def _raised(
    receiver: tree_sitter.Node, name: str, arguments: list[tree_sitter.Node], writing: Writing, named_call: NamedCall
) -> Iterator[Said]:
    """AssertJ's `assertThatExceptionOfType(E.class).isThrownBy(f)` is `assertThrows(E.class, f)`, and there are short
    forms for some exceptions: `assertThatNullPointerException().isThrownBy(f).withMessage("no")`."""
    thrown: tree_sitter.Node | None = None
    start: tree_sitter.Node | None = receiver
    if name == "doesNotThrowAnyException":
        yield from _quiet(receiver, writing, named_call)
        return
    while start is not None and not OF_KIND.fullmatch(named_call(start)[1]):
        start, before, given = named_call(start)
        thrown = given[0] if before == "isThrownBy" and given else thrown
    if start is None:
        return
    _, begins, kinds = named_call(start)
    short = OF_KIND.fullmatch(begins)
    wanted = (
        f"{short['kind']}.class"
        if short is not None and short["kind"] and not kinds
        else "".join(map(writing.of, kinds[:1]))
    )
    if name == "isThrownBy" and arguments and begins == "assertThatNoException":
        yield Said(writing.of(arguments[0]), "not raises", "", Grade.EXISTS)
    elif name == "isThrownBy" and arguments:
        grade = Grade.EXISTS if wanted in BROAD else Grade.CLOSE
        yield Said(writing.of(arguments[0]), "raises", wanted, grade)
    elif thrown is not None and not kinds and arguments:
        yield _thrown(thrown, name, arguments, writing)


def _quiet(receiver: tree_sitter.Node, writing: Writing, named_call: NamedCall) -> Iterator[Said]:
    """`assertThatCode(f).as("how").doesNotThrowAnyException()` is `assertDoesNotThrow(f)`."""
    start: tree_sitter.Node | None = receiver
    while start is not None and named_call(start)[1] != "assertThatCode":
        start = named_call(start)[0]
    for given in named_call(start)[2][:1] if start is not None else ():
        yield Said(writing.of(given), "not raises", "", Grade.EXISTS)


def _thrown(subject: tree_sitter.Node, name: str, arguments: list[tree_sitter.Node], writing: Writing) -> Said:
    """`assertThatThrownBy(f).isInstanceOf(E.class).hasMessage("no")`."""
    wanted = " ".join(map(writing.of, arguments))
    if name in ("hasMessage", "withMessage", "hasToString"):
        return Said(writing.of(subject), "message", wanted, Grade.EXACT, all(map(writing.is_constant, arguments)))
    if "Message" in name and wanted == '""':
        return Said(writing.of(subject), name, wanted, Grade.NOTHING, why="every message has it")
    broad = name in ("isInstanceOf", "isExactlyInstanceOf") and wanted in BROAD
    return Said(writing.of(subject), name, wanted, Grade.EXISTS if broad else Grade.CLOSE)
