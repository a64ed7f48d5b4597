"""The tests of a Kotlin file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04, G05 and G06):

- A test is a function with an annotation that ends in `Test`, or a case of a Kotest spec: a text with a block behind it
  (`"adds" { }`, `test("adds") { }`, `it("adds") { }`), with the groups around it. What makes Kotest skip a case
  (`xtest`, `!adds`) is another rule's matter: the case is still there.
- A function of a class that is not collected is no test (`nested`).
- The assertions of JUnit and kotlin.test count by their names, Kotest's by the matcher.
- An assertion inside `runCatching`, `assertFails` or a `try` whose `catch` takes failures demands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import tree_sitter

from ralph.guardrails.inventory.lending.calling import HelperCalls
from ralph.guardrails.inventory.lending.handing import parameters
from ralph.guardrails.inventory.lending.inheriting import Inheriting
from ralph.guardrails.inventory.model import SWALLOWED, Check, Facts, Inventory
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.readers import Paths, lends
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.jvm import kotlin_lending
from ralph.guardrails.jvm.answering import why_passed_over
from ralph.guardrails.jvm.inventory import (
    BROAD,
    FAILS,
    RETRIES,
    STARTS,
    TEST,
    is_lost_by_name,
    modifiers_of,
    why_not_run,
)
from ralph.guardrails.jvm.kotlin_asserts import (
    KNOWN,
    MOCKK,
    RAISES,
    awaited,
    kotest,
    kotlin_test,
    mocked,
    named_call,
    of_type,
    raising,
)
from ralph.guardrails.jvm.nested import INNER, passes_over_nested, why_not_collected
from ralph.guardrails.jvm.roots import why_not_built
from ralph.guardrails.jvm.rows import is_sourced, rows
from ralph.guardrails.jvm.soft import without_unasked
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

__all__ = ["WORDS", "collect", "is_lost_by_name", "is_test_file"]

WORDS = (r"@\w*Test\b", r"\bassert\w*\(", r"\bshould[A-Z]\w*\b")
TEST_FILE = later(r"(?:^|/)(?:src/\w*[tT]est\w*|tests?)/.*\.kts?$|(?:Tests?|IT|Spec|TestCase)\.kt$")
SPEC = later(r"Specs?\.kts?$")
CASES = frozenset({"test", "it", "should", "expect", "scenario", "then", "Then", "and", "And"})
GROUPS = frozenset({"context", "describe", "given", "Given", "when", "When", "`when`", "feature", "include"})
SWALLOWS = later(rf"(?!shouldNot)(?:runCatching|{RAISES.pattern}|shouldFail\w*|forNone)")
PASSED_ON = later(r"\.getOrThrow\b|\.onFailure\s*\{[^{}]*\b(?:throw|fail)\b")
RETURNS = later(r"\breturn\b[^\n]*\s*\}\s*$")
CONFIGURED = later(r"config\([^){]*\bretries\s*=\s*(\d+)")
FUNCTIONS = frozenset({"lambda_literal", "anonymous_function"})


def is_test_file(path: str) -> bool:
    return TEST_FILE.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path) and not TEST.search(source.data.decode("utf-8", "replace")):
        return Inventory(product=source.data)
    passes_over = passes_over_nested(source.path, paths)
    # Kotest's specs are commonly named in a build's settings.
    why = why_not_built(source.path, paths) or ("" if SPEC.search(source.path) else why_not_run(source.path, paths))
    return KotlinTests(source, why, passes_over=passes_over, paths=paths).inventory()


class KotlinTests(Inheriting):
    NAMES = frozenset({"identifier"})
    LITERALS = frozenset(
        {"string_literal", "multiline_string_literal", "number_literal", "float_literal", "character_literal"}
    )
    OWN = later(
        r"assert\w*|should\w*|test|it|expect|context|describe|mockk|every|returns|verify|result|actual|expected|listOf"
        r"|mapOf|setOf|String|Int|List|null|true|false|println|runCatching|runTest|runBlocking|Throwable|Exception"
    )
    BRANCHES = frozenset({"if_expression"})
    SPEAKING = frozenset({"call_expression", "infix_expression", "binary_expression", "try_expression"})
    FUNCTIONS = "(function_declaration name: (identifier) @found)"
    CLASSES = "[(class_declaration name: (_) @found) (object_declaration name: (_) @found)]"
    HERITAGE = "(delegation_specifiers) @found"
    STATIC = later(r"(?m)^\s*import\s+(?:\w+\.)*([A-Z]\w*)\.[a-z]\w*\s*;?\s*$")
    IMPORT = r"(?m)^\s*import\s+([\w.]+)\.%s(?:\.\w+)?\s*;?\s*$"
    LOOPS = frozenset({"for_statement", "while_statement", "do_while_statement"})

    def __init__(self, source: Source, why: str = "", *, passes_over: bool = False, paths: Paths | None = None) -> None:
        super().__init__(source, paths)
        self.why, self.passes_over, self._side = why, passes_over, paths

    def other(self, source: Source) -> KotlinTests:
        return KotlinTests(source, paths=self._side)

    def found(self) -> Iterator[Found]:
        for found in self._inside(self.source.tree.root_node, ()):
            yield replace(found, why=found.why or self.why) if found.kind == "test" else found

    def _inside(self, place: tree_sitter.Node, groups: tuple[str, ...]) -> Iterator[Found]:
        for node in place.named_children:
            name = node.child_by_field_name("name")
            if node.type in ("class_declaration", "object_declaration") and name is not None:
                why = self._not_collected(node, text_of(name)) if groups and node.type == "class_declaration" else ""
                for found in self._inside(node, (*groups, text_of(name))):
                    yield replace(found, why=found.why or why) if found.kind == "test" else found
            elif node.type == "function_declaration":
                yield from self._function(node, groups)
            elif (case := _case(node)) is not None:
                title, block, leaf = case
                if leaf:
                    yield Found((*groups, title), node, block)
                else:
                    yield from self._inside(block, (*groups, title))
            elif node.type != "property_declaration":
                yield from self._inside(node, groups)

    def _not_collected(self, node: tree_sitter.Node, name: str) -> str:
        modifiers = modifiers_of(node)
        inner = INNER.search(modifiers) is not None
        return why_not_collected(self.source.data, name, modifiers, is_inner=inner, passes_over=self.passes_over)

    def _function(self, node: tree_sitter.Node, groups: tuple[str, ...]) -> Iterator[Found]:
        name = node.child_by_field_name("name")
        body = next((child for child in node.named_children if child.type == "function_body"), None)
        if name is None or body is None:
            return
        block = body.named_children[0] if body.named_children and body.named_children[0].type == "block" else body
        parts = (*groups, text_of(name))
        modifiers = modifiers_of(node)
        if TEST.search(modifiers):
            hidden = re.search(r"\b(?:private|suspend)\b", re.sub(r'"[^"]*"', "", modifiers))
            why = f"a {hidden[0]} function is no test" if hidden else why_passed_over(self.source.data, node, modifiers)
            yield Found(parts, node, block, why=why)
            return
        if self.demands(block):
            used = len(re.findall(re.escape(parts[-1]).encode(), self.source.data)) > 1
            why = "" if used or "@" in modifiers else "it has no annotation that makes it a test"
            if why:
                yield Found(parts, node, block, why=why)
            if not why or kotlin_lending.is_for_others(node, modifiers, alone=lends(self.source, TEST)):
                yield Found(parts, node, block, "helper")

    def facts(self, found: Found) -> Facts:
        facts = super().facts(found)
        return facts if found.body is None else without_unasked(facts, found.body, self)

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        if found.node.type != "function_declaration":
            return ()
        return rows(modifiers_of(found.node), found.parts[-1], self.source.data.decode("utf-8", "replace"))

    def is_sourced(self, found: Found) -> bool:
        return found.node.type == "function_declaration" and is_sourced(modifiers_of(found.node))

    def retries(self, found: Found) -> int:
        text = text_of(found.node) if found.node.type == "call_expression" else modifiers_of(found.node)
        match = RETRIES.search(text) or CONFIGURED.search(text)
        return int(match[1] or 1) if match else 0

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        readers = (kotlin_test, kotest, raising, of_type, awaited, mocked)
        return [said for reader in readers for said in reader(node, writing)]

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        if node.type == "property_declaration" and any(child.type == "=" for child in node.children):
            name, value = node.named_children[0], node.named_children[-1]
            declared = next((each for each in node.named_children if each.type == "variable_declaration"), name)
            if declared.named_children and value.type not in FUNCTIONS:
                yield text_of(declared.named_children[0]), value
        elif node.type == "assignment" and (left := node.child_by_field_name("left")) is not None:
            yield text_of(left), node.child_by_field_name("right") or node
        elif node.type == "for_statement":
            for declared in node.named_children[:1]:
                yield text_of(declared), declared

    def called(self, node: tree_sitter.Node) -> str:
        name = kotlin_lending.called(node)
        known = name in MOCKK or STARTS.fullmatch(name) or ("." in name[1:] and self.lent(name) is None)
        return "" if known else name

    def is_unknown(self, said: Said) -> bool:
        return said.relation.startswith(("assert", "should")) and said.relation not in KNOWN

    def lent(self, called: str) -> HelperCalls | None:
        name, paths = called.removeprefix("."), self._side
        if "." in name or self.declares(name) or paths is None or any(self.having(name, {self.source.path})):
            return super().lent(called)
        place = kotlin_lending.top_level(name, self.source, paths)
        return self.of_file(place) if place is not None else None

    def handed(
        self, helper: tree_sitter.Node, call: tree_sitter.Node, called: str
    ) -> Mapping[str, tree_sitter.Node] | None:
        return kotlin_lending.given(helper, call, called)

    def of_helper(self, helper: tree_sitter.Node, check: Check) -> Check:
        if not kotlin_lending.is_extension(helper):
            return check
        own = {each.name for each in parameters(helper) or ()}
        own |= {name for node in self.nodes(helper) for name, _ in self.assigned(node)}
        return replace(check, subject=kotlin_lending.of_receiver(check.subject, own))

    def may_leave(self, statement: tree_sitter.Node) -> bool:
        return re.search(r"\?:\s*return\b[^\n]*$", text_of(statement)) is not None

    def ends(self, statement: tree_sitter.Node) -> bool:
        return (
            re.match(
                r"(?:return|continue|break)\b|(?:kotlin\.system\.)?exitProcess\(|System\.exit\(", text_of(statement)
            )
            is not None
        )

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        if above.type == "call_expression" and SWALLOWS.fullmatch(named_call(above)[1]):
            thrown = above.parent is not None and PASSED_ON.search(text_of(above.parent.parent or above.parent))
            return "" if thrown else "its failure is what is wanted, or caught"
        if above.type == "binary_expression" and RAISES.match(text_of(above)):
            return "its failure is what is wanted"
        if above.type == "try_expression" and child.type == "block":
            for clause in above.named_children:
                if clause.type == "finally_block" and RETURNS.search(text_of(clause)):
                    return SWALLOWED
                if clause.type == "catch_block":
                    kind, _, body = text_of(clause).partition("{")
                    if BROAD.search(kind) and not FAILS.search(body):
                        return SWALLOWED
        return ""

    def fakes(self, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        """`every { box.sum(1) } returns 3`, `whenever(box.sum(1))`: what is asked of a double by name."""
        writing = self.writing(body)
        for node in self.source.walk(body):
            _, name, arguments = named_call(node)
            if name in ("every", "coEvery", "whenever", "`when`", "given") and arguments:
                asked = arguments[-1]
                while asked.type in FUNCTIONS and asked.named_children:
                    asked = asked.named_children[-1]
                receiver, stubbed, _ = named_call(asked)
                if receiver is not None:
                    yield f"{writing.of(receiver)}.{stubbed}", node


def _case(node: tree_sitter.Node) -> tuple[str, tree_sitter.Node, bool] | None:
    """The title, the block and whether it is a case (and no group of cases) of a Kotest spec."""
    if node.type in ("infix_expression", "binary_expression") and len(node.children) == 3:
        title, _, block = node.children
        if title.type == "string_literal" and block.type in ("lambda_literal", "annotated_lambda"):
            return _title(title), block.named_children[0] if block.type == "annotated_lambda" else block, False
    if node.type != "call_expression" or not node.named_children or node.named_children[-1].type != "annotated_lambda":
        return None
    block = node.named_children[-1].named_children[-1]
    receiver, name, arguments = named_call(node)
    if name == "config" and receiver is not None:
        title = receiver
        if receiver.type == "call_expression":
            _, name, arguments = named_call(receiver)
    else:
        title = node.named_children[0]
    if title.type == "string_literal":
        return _title(title), block, True
    kind = re.sub(r"^[xf](?=[a-zA-Z])", "", name) if name not in CASES | GROUPS else name
    if kind not in CASES | GROUPS or not arguments or arguments[0].type != "string_literal":
        return None
    return _title(arguments[0]), block, kind in CASES


def _title(node: tree_sitter.Node) -> str:
    return re.sub(r"^(?:!|f:)", "", text_of(node).strip('"'))
