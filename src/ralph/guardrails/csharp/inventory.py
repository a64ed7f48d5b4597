"""The tests of a C# file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04 and G05):

- A test is a method with an attribute of xUnit, NUnit or MSTest; each row of data (`InlineData`) is a case of it.
- The assertions of xUnit, NUnit and MSTest count by their names, FluentAssertions' by the call after `Should`.
- A private method is none, nor is one that `#if` leaves out for good; xUnit's precision is a tolerance.
- What `Setup(x => x.F())` or `x.F().Returns()` gives is a double's answer; `[Retry]` runs a failing test again.
- An assertion inside `Assert.Throws` or a `try` whose `catch` takes failures demands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import tree_sitter

from ralph.guardrails.csharp.asserts import KNOWN, asserted, fluent, moq, named_call, shouldly
from ralph.guardrails.csharp.failures import (
    THROWS,
    WANTS_FAILURE,
    given_again,
    has_to_leave,
    is_forgotten,
    misread_failure,
    wanted_failure,
    wants_none,
)
from ralph.guardrails.csharp.lending import EXTENSION, is_extension, is_for_others, is_left_alone
from ralph.guardrails.csharp.messages import of_exception
from ralph.guardrails.csharp.scopes import is_scope_unheard
from ralph.guardrails.csharp.symbols import CONDITIONAL, left_out
from ralph.guardrails.inventory.lending.calling import HelperCalls
from ralph.guardrails.inventory.lending.files import CLASS, called_on, defining
from ralph.guardrails.inventory.lending.handing import handed
from ralph.guardrails.inventory.lending.inheriting import Inheriting
from ralph.guardrails.inventory.model import ROW, SWALLOWED, Facts, Grade, Inventory
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.readers import Paths, lends
from ralph.guardrails.inventory.rows.sources import rows_of
from ralph.guardrails.inventory.truth import HELPER, Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS = (r"\[\s*(?:\w+\.)*\w*(?:fact|theory|test\w*)\b", r"\bassert\.")
TEST_FILE = later(r"(?:^|[/.])[\w.]*[tT]ests?/.*\.cs$|Tests?\.cs$")
TEST = later(r"[\[,]\s*(?:\w+\.)*\w*(?:Fact|Theory|Test|TestCase|TestMethod|TestCaseSource)(?:Attribute)?\s*[\](,]")
ROWS = later(r"(?:\w+\.)*(?:InlineData|TestCase|DataRow)(?:Attribute)?")
SOURCES = later(r"\b(?:MemberData|TestCaseSource|DynamicData)\s*\(\s*(?:nameof\(\s*(?:\w+\.)*(\w+)\s*\)|\"(\w+)\")")
ELSEWHERE = later(r"\b(?:ClassData|MemberData|TestCaseSource|DynamicData|\w*Source)\b")
BROAD = later(r"^catch\s*(?:\{|\(\s*(?:\w+\.)*(?:Exception|XunitException|AssertionException|AssertFailedException)\b)")
FAILS = later(r"\b(?:throw|Assert)\b")
RETRIES = later(r"[\[,]\s*(?:\w+\.)*(?:Retry|RetryFact|RetryTheory|Flaky)(?:Attribute)?(?:\([^)\d]*(\d+))?\b")
XUNIT = later(r"[\[,]\s*(?:\w+\.)*(?:Fact|Theory)(?:Attribute)?\s*[\](,]")
EXPECTED = "ExpectedResult"
FUNCTIONS = frozenset({"method_declaration", "lambda_expression", "local_function_statement"})


def is_test_file(path: str) -> bool:
    return TEST_FILE.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path) and not TEST.search(source.data.decode("utf-8", "replace")):
        return Inventory(product=source.data)
    return CsharpTests(source, paths).inventory()


class CsharpTests(Inheriting):
    NAMES = frozenset({"identifier"})
    LITERALS = frozenset(
        {"string_literal", "integer_literal", "real_literal", "character_literal", "boolean_literal", "null_literal"}
        | {"verbatim_string_literal", "raw_string_literal"}
    )
    OWN = later(
        r"Assert|Equal|Should|Be|Is\w*|Are\w*|Not\w*|True|False|That|Throws\w*|result|actual|expected|var|String|List|Xunit"
        r"|(?:Should)?(?:Not)?Be(?:[A-Z]\w*)?|Should(?:Not)?(?:Throw|Contain|Match|StartWith|EndWith)\w*"
    )
    BRANCHES = frozenset({"if_statement"})
    SPEAKING = frozenset({"arrow_expression_clause", "return_statement", "invocation_expression", "binary_expression"})
    FUNCTIONS = "(method_declaration name: (identifier) @found)"
    CLASSES = "[(class_declaration name: (_) @found) (interface_declaration name: (_) @found)]"
    HERITAGE = "(base_list) @found"
    STATIC = later(r"(?m)^\s*(?:global\s+)?using\s+static\s+(?:\w+\.)*([A-Z]\w*)\s*;")
    LOOPS = frozenset({"for_statement", "foreach_statement", "while_statement", "do_statement"})

    def __init__(self, source: Source, paths: Paths) -> None:
        super().__init__(source, paths)
        self.paths = paths

    def other(self, source: Source) -> CsharpTests:
        return CsharpTests(source, self.paths)

    def found(self) -> Iterator[Found]:
        for node in self.source.captures("(method_declaration) @found"):
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is None or body is None:
                continue
            parts = (*_classes(node), text_of(name))
            attributes = attributes_of(node)
            if TEST.search(attributes):
                yield Found(parts, node, body, why=_why_not_run(node) or left_out(node, self.source, self.paths))
            elif self.demands(body):
                used = len(re.findall(rb"\b" + parts[-1].encode() + rb"\b", self.source.data)) > 1
                why = "" if used or attributes else "it has no attribute that makes it a test"
                if why:
                    yield Found(parts, node, body, why=why)
                if not why or is_for_others(node, self.source.path, alone=lends(self.source, TEST)):
                    yield Found(parts, node, body, "helper")

    def facts(self, found: Found) -> Facts:
        facts = super().facts(found)
        if found.body is None or not is_scope_unheard(text_of(found.body)):
            return facts
        why = "nobody asks the assertion scope for its result"
        return replace(facts, checks=tuple(replace(each, grade=Grade.NOTHING, why=why) for each in facts.checks))

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        if node.type in ("arrow_expression_clause", "return_statement") and node.named_children:
            if _is_compared(node):
                yield Said(writing.of(node.named_children[0]), "==", "", Grade.EXACT)
            return
        receiver, name, arguments = named_call(node)
        if receiver is None:
            misread = misread_failure(node, writing)
            yield from [misread] if misread is not None else []
            return
        owner = text_of(receiver)
        if is_forgotten(node, owner, name, self.source.data):
            yield Said(owner, name, "", Grade.NOTHING, why="nobody waits for it")
            return
        if (failure := wanted_failure(node, receiver, name, arguments, writing)) is not None:
            yield failure
            return
        if re.match(r"Should[A-Z]", name):
            told = text_of(node)[len(owner) :]
            yield from shouldly(receiver, told, name.removeprefix("Should"), arguments, writing)
            return
        if owner.rpartition(".")[2] in ("Assert", "CollectionAssert", "StringAssert", "ClassicAssert") and arguments:
            yield from asserted(name, arguments, writing)
        elif name in ("Verify", "VerifyAsync"):
            yield from moq(receiver, arguments, writing)
        else:
            yield from map(of_exception, fluent(node, receiver, writing))

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        name = node.child_by_field_name("name")
        if node.type == "variable_declarator" and name is not None and node.named_children[-1] != name:
            yield text_of(name), node.named_children[-1]
        for changed in given_again(node):
            yield from ((changed, node), (changed, node))  # twice: nobody knows what it holds

    def called(self, node: tree_sitter.Node) -> str:
        receiver, name, _ = named_call(node)
        if receiver is None or text_of(receiver) == "this":
            return name
        if CLASS.fullmatch(text_of(receiver)):
            return called_on(receiver, name)
        plain = name != "Should" and named_call(receiver)[1] != "Should"
        return f".{name}" if plain and HELPER.match(name) else ""

    def is_unknown(self, said: Said) -> bool:
        named = said.relation[:1].isupper() and said.relation.isidentifier()
        return named and said.grade > Grade.NOTHING and said.relation not in KNOWN

    def lent(self, called: str) -> HelperCalls | None:
        """`r.ShouldBeBill(3)` is a function of whatever class, of which the first parameter is `r`."""
        name = called.removeprefix(".")
        if name == called or self.declares(name):
            return super().lent(called)
        found = defining(name, self.source, self.paths, EXTENSION)
        return self.of_file(found[0]) if len(found) == 1 else None

    def handed(
        self, helper: tree_sitter.Node, call: tree_sitter.Node, called: str
    ) -> Mapping[str, tree_sitter.Node] | None:
        receiver = named_call(call)[0] if called.startswith(".") else None
        return None if receiver is not None and not is_extension(helper) else handed(helper, call, receiver)

    def unheard(self, helper: tree_sitter.Node, call: tree_sitter.Node) -> str:
        return "nobody waits for it" if is_left_alone(helper, call) else ""

    def ends(self, statement: tree_sitter.Node) -> bool:
        return (
            statement.type in ("return_statement", "continue_statement", "break_statement", "goto_statement")
            or "Environment.Exit(" in text_of(statement)[:26]
        )

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        receiver, name, _ = named_call(above)
        wanted = receiver is not None and WANTS_FAILURE.match(name) and not wants_none(above)
        wanted = wanted or (name == "That" and THROWS.search(text_of(above)[-100:]) is not None)
        if wanted or has_to_leave(above, child):
            return "its failure is what is wanted"
        if above.type in CONDITIONAL and left_out(child, self.source, self.paths, above):
            return "`#if` leaves it out"
        if above.type == "try_statement" and child == above.child_by_field_name("body"):
            for clause in above.named_children:
                text = text_of(clause)
                if clause.type == "catch_clause" and BROAD.match(text) and not FAILS.search(text):
                    return SWALLOWED
        return ""

    def retries(self, found: Found) -> int:
        match = RETRIES.search(attributes_of(found.node))
        return int(match[1] or 1) if match else 0

    def fakes(self, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        writing = self.writing(body)
        for node in self.source.walk(body):
            receiver, name, arguments = named_call(node)
            if name == "Setup" and receiver is not None and arguments and arguments[0].type == "lambda_expression":
                asked = named_call(arguments[0].named_children[-1])[1]
                yield f"{writing.of(receiver)}.Object.{asked}", node
            elif name in ("Returns", "ReturnsForAnyArgs") and receiver is not None:
                double, asked, _ = named_call(receiver)
                if double is not None and "Substitute.For" in writing.of(double):
                    yield f"{writing.of(double)}.{asked}", node

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        attributes = attributes_of(found.node)
        rows = tuple(_rows(found.node))
        named = SOURCES.findall(attributes)
        if not named:
            return None if not rows and ELSEWHERE.search(attributes) else rows
        names = [name or text for name, text in named]
        given = None if "typeof" in attributes else rows_of(names, self.source.data.decode("utf-8", "replace"))
        return None if given is None else rows + given

    def is_sourced(self, found: Found) -> bool:
        return SOURCES.search(attributes_of(found.node)) is not None


def _why_not_run(method: tree_sitter.Node) -> str:
    if any(child.type == "modifier" and text_of(child) in ("private", "protected") for child in method.children):
        return "a method that is not public is no test"
    if XUNIT.search(attributes_of(method)) and _is_iterator(method):
        return "it is an iterator, and nobody asks for its values"
    return ""


def _is_iterator(method: tree_sitter.Node) -> bool:
    """xUnit calls it, and has something of which no line has run; other frameworks refuse it."""
    waiting = list(method.named_children)
    while waiting:
        node = waiting.pop()
        if node.type == "yield_statement":
            return True
        waiting += [child for child in node.named_children if child.type not in FUNCTIONS]
    return False


def _is_compared(node: tree_sitter.Node) -> bool:
    """What a test with `ExpectedResult` gives back is compared with it."""
    above = node.parent
    while above is not None and above.type not in (
        "method_declaration",
        "lambda_expression",
        "local_function_statement",
    ):
        above = above.parent
    return above is not None and above.type == "method_declaration" and EXPECTED in attributes_of(above)


def _rows(method: tree_sitter.Node) -> Iterator[str]:
    """What each `InlineData` and its like gives, in order."""
    for listed in (child for child in method.named_children if child.type == "attribute_list"):
        for attribute in listed.named_children:
            name = attribute.child_by_field_name("name")
            given = attribute.named_children[-1] if attribute.named_children else name
            if name is not None and given is not None and given != name and ROWS.fullmatch(text_of(name)):
                yield ROW.join(text_of(each) for each in given.named_children if each.type != "comment")


def attributes_of(node: tree_sitter.Node) -> str:
    """All that stands in brackets before it, as written."""
    return "".join(text_of(child) for child in node.named_children if child.type == "attribute_list")


def _classes(node: tree_sitter.Node) -> tuple[str, ...]:
    names: list[str] = []
    above = node.parent
    while above is not None:
        name = above.child_by_field_name("name") if above.type == "class_declaration" else None
        if name is not None:
            names.insert(0, text_of(name))
        above = above.parent
    return tuple(names)
