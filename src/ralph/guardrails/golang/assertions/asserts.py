"""Go: what the assertions of package testing, testify and Gomega demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.golang.assertions.polled import waited_for
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said, compared, holds, share, tolerated
from ralph.guardrails.inventory.wholes.saying_more import VERIFIED
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import Source, parent_of, remembered
from ralph.record import replace
from ralph.system.patterns import later

FAILS = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
REFUSES = frozenset({"Fail", "Failf", "FailNow", "FailNowf"})
"""Testify's own, which ask nothing."""
OF_PACKAGE = later(r"assert|require")
TESTING = later(r"t|tb|b|f|c|s|suite|\w+\.(?:tb?|T(?:\(\))?)|GinkgoT\(\)|log|T")
OF_TESTING = later(r"(\w+)\s+\*?testing\.(?:T|B|F|TB)\b")
FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
PACKAGES = later(r"assert|require|is|a|r|s|suite|(?:\w+\.)+(?:Require|Assert)\(\)|assertions?|c")
MADE = later(r"\b(\w+)\s*:?=\s*(?:assert|require)\.New\(")
EQUAL = frozenset(
    {"Equal", "EqualValues", "Exactly", "JSONEq", "YAMLEq", "Same", "ElementsMatch", "EqualExportedValues"}
)
ORDERS = {
    "Greater": ">",
    "GreaterOrEqual": ">=",
    "Less": "<",
    "LessOrEqual": "<=",
    "NotEqual": "!=",
    "NotEqualValues": "!=",
}
GRADES = {
    Grade.EXISTS: "NotNil NotEmpty NotZero Error NotPanics FileExists DirExists NotSame NotContains NotErrorIs",
    Grade.SHAPE: "Len Contains Subset IsType Implements WithinRange Positive Negative IsIncreasing IsDecreasing",
    Grade.CLOSE: "Nil NoError Empty Zero ErrorIs ErrorAs ErrorContains Panics Regexp Eventually Never NoFileExists",
    Grade.EXACT: "EqualError PanicsWithValue PanicsWithError WithinDuration HTTPStatusCode HTTPBodyContains",
}
KNOWN = {name: grade for grade, names in GRADES.items() for name in names.split()}
OF_DOUBLES = {
    "AssertExpectations": (VERIFIED, Grade.CLOSE),
    "AssertCalled": ("called with", Grade.CLOSE),
    "AssertNotCalled": ("not called", Grade.CLOSE),
    "AssertNumberOfCalls": ("calls", Grade.EXACT),
}
MATCHERS = {
    Grade.EXISTS: "HaveOccurred Not BeADirectory BeAnExistingFile",
    Grade.SHAPE: "HaveLen ContainElement ContainElements ContainSubstring HaveKey BeNumerically BeAssignableToTypeOf"
    " Or SatisfyAny BeElementOf",
    Grade.EXACT: "Equal BeEquivalentTo BeIdenticalTo MatchJSON MatchYAML HaveValue ConsistOf HaveExactElements",
}
MATCHED = {name: grade for grade, names in MATCHERS.items() for name in names.split()}

ALWAYS_TRUE = later(r"\bfunc\([^()]*\) bool \{ return true \}")
NEVER_NIL = later(r"new\(|&[\w.]+\{|make\(|(?:bytes|strings|bufio|httptest)\.New\w*\(")
PIECE = later(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|'(?:[^'\\]|\\.)*'|[()\[\]{}]")
NOBODYS = later(
    r"new\(testing\.[TB]\)|(?:testing\.TB\()?&testing\.[TB]\{\}|\(\*testing\.[TB]\)\(nil\)"
    r"|(?:&|new\()assert\.CollectT\b"
)
MADE_FOR_NOBODY = later(rf"\b(\w+)\s*:?=\s*(?:assert|require)\.New\((?:{NOBODYS.pattern})\)")
OTHER_T = later(
    rf"(?m)^\s*(?:t|tb|f)\s*:?=\s*(?:{NOBODYS.pattern})[{{}})]*\s*(?:;|$)|\bgomock\.NewController\((?:{NOBODYS.pattern})\)"
)
"""The test's own `t` is another one from there on."""
NUMBER_OF = later(r"len\((\w+)\)\s*(?:!=|>)\s*0")
BUILT_IN = frozenset(("", name) for name in ("append", "len", "make", "cap", "copy"))
OWN_WORK = later(
    r"(?:os|ioutil)\.(?:Remove(?:All)?|Setenv|Unsetenv|Chdir|Mkdir(?:All|Temp)?|CreateTemp|TempDir|TempFile|WriteFile)"
    r"\([^()]*(?:\([^()]*\)[^()]*)*\)$"
)
MAY_WORK = later(r"\b(?:os|ioutil)\.(?:Remove|Setenv|Unsetenv|Chdir|Mkdir|Create|Temp|WriteFile)")
"""Most functions hold nothing of it."""


def named_call(node: tree_sitter.Node) -> tuple[str, str, Sequence[tree_sitter.Node]]:
    """What a call calls it on, its name and its arguments."""
    if node.type != "call_expression":
        return "", "", ()
    function = node.child_by_field_name("function")
    listed = node.child_by_field_name("arguments")
    if function is None or listed is None:
        return "", "", ()
    package, _, name = text_of(function).rpartition(".")
    return package, name, [each for each in listed.named_children if each.type != "comment"]


def fails(node: tree_sitter.Node) -> bool:
    package, name, listed = named_call(node)
    if name in REFUSES and is_receiver(package, node):
        return not OF_PACKAGE.fullmatch(package) or (bool(listed) and is_testing(text_of(listed[0]), node))
    return (name in FAILS and is_testing(package, node)) or (name == "panic" and not package)


def is_testing(text: str, node: tree_sitter.Node) -> bool:
    """What tells of a failure, by a usual name or by the type that a function around it gives to the name."""
    if TESTING.fullmatch(text):
        return True
    above = parent_of(node) if text.isidentifier() else None
    while above is not None:
        parameters = above.child_by_field_name("parameters") if above.type in FUNCTIONS else None
        if parameters is not None and text in OF_TESTING.findall(text_of(parameters)):
            return True
        above = parent_of(above)
    return False


def is_receiver(text: str, node: tree_sitter.Node) -> bool:
    """What testify's assertions are called on: by a usual name, or by what the function around it gives to the name."""
    return bool(PACKAGES.fullmatch(text)) or (text.isidentifier() and text in _made(_outermost(node)))


def _is_of_nobody(text: str, node: tree_sitter.Node) -> bool:
    """It was made for a `t` that nobody runs: `is := assert.New(new(testing.T))`."""
    return text.isidentifier() and text in _made_for_nobody(_outermost(node))


def _outermost(node: tree_sitter.Node) -> tree_sitter.Node:
    """The declaration of the file around it."""
    while (outer := parent_of(node)) is not None and outer.type != "source_file":
        node = outer
    return node


@remembered(1024)
def _made(declaration: tree_sitter.Node) -> frozenset[str]:
    return frozenset(MADE.findall(text_of(declaration)))


@remembered(1024)
def _made_for_nobody(declaration: tree_sitter.Node) -> frozenset[str]:
    return frozenset(MADE_FOR_NOBODY.findall(text_of(declaration)))


def testify(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    package, name, listed = named_call(node)
    name = (
        name.removesuffix("f")
        if name.removesuffix("f") in {*KNOWN, *EQUAL, *ORDERS, "True", "False", "InDelta"}
        else name
    )
    if not is_receiver(package, node):
        return
    arguments = list(listed)
    of_nobody = _is_of_nobody(package, node)
    if of_nobody or (len(arguments) > 1 and NOBODYS.fullmatch(writing.of(arguments[0]))):
        subject = arguments[-1 if of_nobody else 1] if arguments else node
        yield Said(writing.of(subject), name, "", Grade.NOTHING, why="it fails a test that nobody runs")
        return
    if arguments and is_testing(text_of(arguments[0]), node):
        arguments = arguments[1:]
    if name in ("True", "False") and arguments:
        yield from holds(arguments[0], writing, positive=name == "True")
    elif name in EQUAL and len(arguments) > 1:
        said = compared(arguments[1], "==", arguments[0], writing)
        yield replace(said, relation=name) if name == "ElementsMatch" else said
    elif name in ORDERS and len(arguments) > 1:
        yield compared(arguments[0], ORDERS[name], arguments[1], writing)
    elif name in ("InDelta", "InEpsilon") and len(arguments) > 2:
        yield within(arguments, name == "InEpsilon", writing)
    elif name == "Eventually" and arguments and (demanded := waited_for(arguments[0], writing)):
        yield from demanded
    elif name in KNOWN and arguments:
        yield own_work(_known(name, arguments, writing), error_before(node) if name == "NoError" else "")


def _known(name: str, arguments: Sequence[tree_sitter.Node], writing: Writing) -> Said:
    if name in WANTED_FIRST and len(arguments) > 1:
        arguments = [*arguments[1::-1], *arguments[2:]]
    subject, rest = writing.of(arguments[0]), arguments[1:] if name in TWO else []
    wanted, known = writing.of(rest[0]) if rest else "", bool(rest) and writing.is_constant(rest[0])
    if name == "Len":
        return Said(f"len({subject})", "==", wanted, Grade.EXACT, known)
    if rest and subject == wanted and name in OF_ITSELF:
        return Said(subject, name, wanted, Grade.NOTHING, why="both sides are the same")
    if name == "NotNil" and is_made(subject):
        return Said(subject, name, "", Grade.NOTHING, why="what is made on the spot is never nil")
    grade = Grade.NOTHING if writing.is_constant(arguments[0]) and not rest else KNOWN[name]
    return Said(subject, name, wanted, grade, known)


def is_made(subject: str) -> bool:
    """It is made on the spot, and nothing is asked of it: `&T{}`, unlike `&T{}.Run()`."""
    if NEVER_NIL.match(subject) is None:
        return False
    depth = 0
    for part in PIECE.finditer(subject):
        depth += (part[0] in "([{") - (part[0] in ")]}")
        if not depth and part[0] in ")}":
            return part.end() == len(subject) or subject[part.end()] in "({["
    return True


def tidies(function: tree_sitter.Node, source: Source) -> bool:
    """A function of the tests that calls nothing but what prepares or cleans up files."""
    if not MAY_WORK.search(text_of(function)):
        return False
    calls = [node for node in source.walk(function) if node.type == "call_expression"]
    work = [node for node in calls if OWN_WORK.match(text_of(node))]
    return bool(work) and all(node in work or named_call(node)[:2] in BUILT_IN for node in calls)


def error_of(condition: tree_sitter.Node, asked: tree_sitter.Node) -> str:
    """What gave the `err` that an `if` asks for: in the `if` itself, or in the statement before it."""
    given = condition.child_by_field_name("initializer") or condition.prev_named_sibling
    number = NUMBER_OF.fullmatch(text_of(asked))
    name = number[1] if number is not None else text_of(asked).partition("!=")[0].strip()
    left, right = (given.child_by_field_name(side) if given is not None else None for side in ("left", "right"))
    if left is None or right is None or name not in text_of(left).replace(",", " ").split():
        return ""
    return text_of(right)


def error_before(call: tree_sitter.Node) -> str:
    """What gave the `err` that an assertion is called with, in the statement before it."""
    named = (each for each in named_call(call)[2] if each.type == "identifier")
    statement = parent_of(call)
    return next(filter(None, (error_of(statement, each) for each in named)), "") if statement is not None else ""


def own_work(said: Said, given: str = "", *, tidied: bool = False) -> Said:
    """Whether the test could prepare and clean up its own files says nothing about the product."""
    if (tidied or OWN_WORK.match(given or said.subject)) and said.relation in ("NoError", "Nil", "==", "<="):
        return replace(said, grade=Grade.NOTHING, why="it is about what the test prepares or cleans up")
    return said


OF_ITSELF = frozenset({"ErrorIs", "Contains", "Subset", "Regexp"})
"""What holds of everything and itself."""
WANTED_FIRST = frozenset({"Regexp", "IsType", "Implements", "PanicsWithValue", "PanicsWithError"})
TWO = WANTED_FIRST | {
    "Len",
    "Contains",
    "Subset",
    "ErrorIs",
    "ErrorContains",
    "EqualError",
    "NotContains",
    "NotErrorIs",
}


def within(arguments: Sequence[tree_sitter.Node], relative: bool, writing: Writing) -> Said:
    """Equality within a tolerance, taken relative to what is wanted."""
    wanted, margin = writing.number(arguments[0]), writing.number(arguments[2])
    slack = None
    if margin is not None:
        slack = margin if relative else share(margin, wanted)
    known = wanted is not None
    return Said(writing.of(arguments[1]), "==", writing.of(arguments[0]), tolerated(slack), known, slack)


def doubled(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """What testify's doubles are asked about their calls."""
    _, name, listed = named_call(node)
    if name in OF_DOUBLES and listed and is_testing(text_of(listed[0]), node):
        function = node.child_by_field_name("function")
        double = function.child_by_field_name("operand") if function is not None else None
        relation, grade = OF_DOUBLES[name]
        yield Said(writing.of(double), relation, " ".join(map(writing.of, listed[1:])), grade)


def gomega(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    _, name, arguments = named_call(node)
    function = node.child_by_field_name("function")
    operand = function.child_by_field_name("operand") if function is not None else None
    if name not in ("To", "NotTo", "ToNot", "Should", "ShouldNot") or operand is None or not arguments:
        return
    subject = named_call(operand)[2]
    _, matcher, wanted = named_call(arguments[0])
    if not matcher or not subject:
        return
    positive = name in ("To", "Should")
    if matcher in ("Equal", "BeEquivalentTo", "BeIdenticalTo") and wanted:
        yield compared(subject[0], "==" if positive else "!=", wanted[0], writing)
    elif matcher in ("BeTrue", "BeFalse"):
        yield from holds(subject[0], writing, positive=positive == (matcher == "BeTrue"))
    else:
        blind = any(ALWAYS_TRUE.search(text_of(each)) for each in wanted)
        grade = Grade.NOTHING if blind else MATCHED.get(matcher, Grade.CLOSE)
        if not positive:
            grade = Grade.CLOSE if matcher == "HaveOccurred" else Grade.EXISTS
        yield Said(
            writing.of(subject[0]), f"{'' if positive else 'not '}{matcher}", " ".join(map(writing.of, wanted)), grade
        )
