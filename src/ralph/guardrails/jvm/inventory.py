"""The tests of a Java file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04 and G05):

- A test is a method with an annotation that ends in `Test`, or one named `test...` of a class that extends `TestCase`.
- JUnit's assertions count by their names, AssertJ's by the last call of the chain.
- An assertion inside `assertThrows` or a `try` whose `catch` takes failures demands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.model import Inventory
from ralph.guardrails.inventory.plain import Extractor, Found
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.jvm.asserts import assertj, junit, named_call
from ralph.guardrails.source import Source

WORDS = (r"@\w*Test\b", r"\bassert\w*\(")
TEST_FILE = re.compile(r"(?:^|/)(?:src/\w*[tT]est\w*|tests?)/.*\.java$|(?:Tests?|IT|TestCase)\.java$")
TEST = re.compile(r"@(?:\w+\.)*\w*(?:Test|TestFactory|TestTemplate)\b")
BROAD = re.compile(r"\b(?:Throwable|Error|Exception|AssertionError|AssertionFailedError|RuntimeException)\b")
FAILS = re.compile(r"\b(?:throw|fail|assert\w*)\b")


def is_test_file(path: str) -> bool:
    return TEST_FILE.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path) and not TEST.search(source.data.decode("utf-8", "replace")):
        return Inventory(product=source.data)
    return JavaTests(source).inventory()


class JavaTests(Extractor):
    NAMES = frozenset({"identifier"})
    LITERALS = frozenset(
        {"string_literal", "decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal"}
        | {"character_literal", "true", "false", "null_literal"}
    )
    OWN = re.compile(
        r"assert\w*|Assertions?|Assert|is\w*|verify|when|then\w*|result|actual|expected|String|Integer|List|Arrays|of|get"
        r"|size|has\w*|contains\w*|Mockito|given|with\w*|Throwable|Exception|System|out|println"
    )
    BRANCHES = frozenset({"if_statement"})
    LOOPS = frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"})

    def found(self) -> Iterator[Found]:
        yield from self._inside(self.source.tree.root_node, (), False)

    def _inside(self, place: tree_sitter.Node, classes: tuple[str, ...], old_style: bool) -> Iterator[Found]:
        for node in place.named_children:
            name = node.child_by_field_name("name")
            body = node.child_by_field_name("body")
            if name is None or body is None:
                continue
            if node.type in ("class_declaration", "interface_declaration", "record_declaration"):
                parent = node.child_by_field_name("superclass")
                old = parent is not None and text_of(parent).endswith("TestCase")
                yield from self._inside(body, (*classes, text_of(name)), old)
            elif node.type == "method_declaration":
                yield from self._method(node, body, (*classes, text_of(name)), old_style)

    def _method(
        self, node: tree_sitter.Node, body: tree_sitter.Node, parts: tuple[str, ...], old_style: bool
    ) -> Iterator[Found]:
        modifiers = next((text_of(child) for child in node.named_children if child.type == "modifiers"), "")
        if TEST.search(modifiers) or (old_style and parts[-1].startswith("test")):
            yield Found(parts, node, body)
            return
        used = len(re.findall(rb"\b" + parts[-1].encode() + rb"\b", self.source.data)) > 1
        writing = self.writing(body)
        checks = any(any(True for _ in self.said(each, writing)) for each in self.source.walk(body))
        if checks and not used and "@" not in modifiers:
            yield Found(parts, node, body, why="it has no annotation that makes it a test")
        elif checks:
            yield Found(parts, node, body, "helper")

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        return [*junit(node, writing), *assertj(node, writing)] if node.type == "method_invocation" else ()

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == "variable_declarator" and name is not None and value is not None:
            yield text_of(name), value
        elif node.type == "enhanced_for_statement" and name is not None:
            yield text_of(name), name
        elif node.type == "assignment_expression" and (left := node.child_by_field_name("left")) is not None:
            yield text_of(left), node.child_by_field_name("right") or node

    def called(self, node: tree_sitter.Node) -> str:
        receiver, name, _ = named_call(node)
        return name if receiver is None else ""

    def ends(self, statement: tree_sitter.Node) -> bool:
        return statement.type == "return_statement" or text_of(statement).startswith("System.exit(")

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        if above.type == "method_invocation" and re.match(
            r"assertThrows\w*|assertThatThrownBy|catchThrowable\w*", named_call(above)[1]
        ):
            return "its failure is what is wanted"
        if above.type in ("try_statement", "try_with_resources_statement") and child == above.child_by_field_name(
            "body"
        ):
            for clause in above.named_children:
                if clause.type == "catch_clause":
                    kinds = next((text_of(part) for part in clause.named_children if "parameter" in part.type), "")
                    body = clause.child_by_field_name("body")
                    if BROAD.search(kinds) and body is not None and not FAILS.search(text_of(body)):
                        return "its failure is swallowed"
        return ""
