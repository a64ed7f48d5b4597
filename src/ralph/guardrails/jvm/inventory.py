"""The tests of a Java file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04 and G05):

- A test is a method with an annotation that ends in `Test`, or one named `test...` of a class that extends `TestCase`.
- JUnit's assertions count by their names, AssertJ's by the last call of the chain.
- A private method is none, whatever stands on it, nor is one of a class that is not collected (`nested`); each literal
  row of parameters is a case.
- What `when(x.f())` gives is a double's answer; an extension that repeats a failing test is named.
- With an `expected` failure of any kind an assertion demands nothing.
- An assertion inside `assertThrows` or a `try` whose `catch` takes failures demands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import tree_sitter

from ralph.guardrails.inventory.lending.files import called_on
from ralph.guardrails.inventory.lending.inheriting import Inheriting
from ralph.guardrails.inventory.model import SWALLOWED, Facts, Grade, Inventory
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.readers import Paths, lends
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.jvm.answering import GIVES, MARK
from ralph.guardrails.jvm.asserts import chained, junit, named_call
from ralph.guardrails.jvm.nested import STATIC, passes_over_nested, why_not_collected
from ralph.guardrails.jvm.roots import why_not_built
from ralph.guardrails.jvm.rows import is_sourced, rows
from ralph.guardrails.jvm.soft import NOBODY_ASKS, without_unasked
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS = (r"@\w*Test\b", r"\bassert\w*\(")
TEST_FILE = later(r"(?:^|/)(?:src/\w*[tT]est\w*|tests?)/.*\.java$|(?:Tests?|IT|TestCase)\.java$")
TEST = later(r"@(?:\w+\.)*+(?!(?:Before|After)\w*Test\b)\w*(?:Test|TestFactory|TestTemplate)\b")
BROAD = later(r"\b(?:Throwable|Error|Exception|AssertionError|AssertionFailedError|RuntimeException)\b")
RETRIES = later(
    r"@(?:\w+\.)*(?:RetryingTest|RepeatedIfExceptionsTest|RetryTest|FlakyTest|Retry|Flaky)\b(?:\([^)\d]*(\d+))?"
    r"|retryAnalyzer\s*=|\bsuccessPercentage\s*=\s*\d{1,2}\b"
)
EXPECTED = later(r"expected\s*=\s*(?:\w+\.)*(?:Throwable|Error|AssertionError|Exception|RuntimeException)\b")
SOFT = later(r"\bnew (?:\w+\.)*SoftAssertions\(\)")
STUBS = frozenset({"when", "given"})
BUILD = later(
    r"(?:^|/)(?:pom\.xml|build\.(?:gradle(?:\.kts)?|xml|sbt|sc|mill)|settings\.gradle(?:\.kts)?|BUILD(?:\.bazel)?|BUCK"
    r"|Makefile|Android\.(?:bp|mk)|[Jj]ustfile|\w+\.sh)$"
)
RUN_BY_MAVEN = later(r"(?:^|/)(?:Test\w*|\w*(?:Tests?|TestCase|IT|ITCase)|IT\w*)\.\w+$")
STARTS = later(r"assert(?:_|That\w*|All|Soft\w*|Failure|WithMessage|About)")
"""Calls that demand nothing by themselves."""
FAILS = later(r"\b(?:throw|fail|assert\w*)\b")


def is_test_file(path: str) -> bool:
    return TEST_FILE.search(path) is not None


def is_called_test(path: str) -> bool:
    return RUN_BY_MAVEN.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path) and not TEST.search(source.data.decode("utf-8", "replace")):
        return Inventory(product=source.data)
    why = why_not_built(source.path, paths) or why_not_run(source.path, paths)
    return JavaTests(source, why, passes_over=passes_over_nested(source.path, paths), paths=paths).inventory()


def why_not_run(path: str, paths: Paths) -> str:
    """Maven's plugins run test classes by the names of their files, unless a `pom.xml` says otherwise."""
    if is_called_test(path):
        return ""
    folders = [path[:index] for index, letter in enumerate(path) if letter == "/"]
    poms = [pom for folder in ("", *(f"{folder}/" for folder in folders)) if (pom := paths.read(f"{folder}pom.xml"))]
    told = not poms or any(b"<include>" in pom for pom in poms)
    return "" if told else "its file's name is none of a test"


def is_lost_by_name(old: str, new: str, paths: Paths) -> bool:
    """A class that gives up the name of a test, where no file says how anything is built: Maven would not find it."""
    built = paths.memo.once("jvm builds", lambda: any(BUILD.search(path) for path in paths.all()))
    return is_called_test(old) and not is_called_test(new) and "src/test/" in new and not built


class JavaTests(Inheriting):
    NAMES = frozenset({"identifier"})
    LITERALS = frozenset(
        {"string_literal", "decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal"}
        | {"character_literal", "true", "false", "null_literal"}
    )
    OWN = later(
        r"assert\w*|Assertions?|Assert|is\w*|verify|when|then\w*|result|actual|expected|String|Integer|List|Arrays|of|get"
        r"|size|has\w*|contains\w*|Mockito|given|with\w*|Throwable|Exception|System|out|println"
    )
    BRANCHES = frozenset({"if_statement"})
    SPEAKING = frozenset({"try_statement", "method_invocation"})
    FUNCTIONS = "(method_declaration name: (identifier) @found)"
    CLASSES = "[(class_declaration name: (_) @found) (interface_declaration name: (_) @found)]"
    HERITAGE = "[(superclass) (super_interfaces) (extends_interfaces)] @found"
    STATIC = later(r"(?m)^\s*import\s+static\s+(?:\w+\.)*([A-Z]\w*)\.(?:\w+|\*)\s*;")
    IMPORT = r"(?m)^\s*import\s+(?:static\s+)?([\w.]+)\.%s(?:\.\w+|\.\*)?\s*;"
    LOOPS = frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"})

    def __init__(self, source: Source, why: str = "", *, passes_over: bool = False, paths: Paths | None = None) -> None:
        super().__init__(source, paths)
        self.why, self.passes_over = why, passes_over

    def other(self, source: Source) -> JavaTests:
        return JavaTests(source, paths=self._paths)

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
                why = self._not_collected(node, text_of(name)) if classes else ""
                for found in self._inside(body, (*classes, text_of(name)), old):
                    yield replace(found, why=found.why or why) if found.kind == "test" else found
            elif node.type == "method_declaration":
                yield from self._method(node, body, (*classes, text_of(name)), old_style)

    def _not_collected(self, node: tree_sitter.Node, name: str) -> str:
        within = node.parent.parent if node.parent is not None else None
        static = STATIC.search(modifiers_of(node)) or node.type == "record_declaration"
        inner = not static and node.type == "class_declaration" and within is not None
        if within is not None and within.type == "interface_declaration":
            inner = False
        given = modifiers_of(node)
        return why_not_collected(self.source.data, name, given, is_inner=inner, passes_over=self.passes_over)

    def _method(
        self, node: tree_sitter.Node, body: tree_sitter.Node, parts: tuple[str, ...], old_style: bool
    ) -> Iterator[Found]:
        modifiers = modifiers_of(node)
        if TEST.search(modifiers) or (old_style and parts[-1].startswith("test")):
            yield Found(parts, node, body, why=_no_test(node, modifiers) or self.why)
            return
        used = len(re.findall(rb"\b" + parts[-1].encode() + rb"\b", self.source.data)) > 1
        checks = self.demands(body)
        if checks and not used and "@" not in modifiers:
            yield Found(parts, node, body, why="it has no annotation that makes it a test")
        if checks and (used or "@" in modifiers or self._is_for_others(node, modifiers)):
            yield Found(parts, node, body, "helper")

    def _is_for_others(self, method: tree_sitter.Node, modifiers: str) -> bool:
        """It is static, or one of a class that others are made of."""
        if "static" in modifiers:
            return lends(self.source, TEST)
        owner = method.parent.parent if method.parent is not None else None
        inherited = owner is not None and (owner.type == "interface_declaration" or "abstract" in modifiers_of(owner))
        taken = owner is not None and not is_called_test(self.source.path) and lends(self.source, TEST)
        return "private" not in modifiers and (inherited or taken)

    def facts(self, found: Found) -> Facts:
        facts = super().facts(found)
        if EXPECTED.search(modifiers_of(found.node)):
            nothing = "its failure is what is wanted"
        elif found.body is not None and SOFT.search(text_of(found.body)) and "assertAll(" not in text_of(found.body):
            nothing = NOBODY_ASKS
        else:
            return without_unasked(facts, found.body, self) if found.body is not None else facts
        return replace(facts, checks=tuple(replace(check, grade=Grade.NOTHING, why=nothing) for check in facts.checks))

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        return rows(modifiers_of(found.node), found.parts[-1], self.source.data.decode("utf-8", "replace"))

    def is_sourced(self, found: Found) -> bool:
        return is_sourced(modifiers_of(found.node))

    def retries(self, found: Found) -> int:
        match = RETRIES.search(modifiers_of(found.node))
        return int(match[1] or 1) if match else 0

    def fakes(self, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        """`when(calc.sum(1)).thenReturn(3)`, `doReturn(3).when(calc).sum(1)`: what is asked of a double by name; of a
        class, `calc.when(() -> Calc.sum(1)).thenReturn(3)`."""
        writing = self.writing(body)
        for node in self.source.walk(body):
            receiver, name, arguments = named_call(node)
            if name in STUBS and len(arguments) == 1 and (asked := named_call(_said_by(arguments[0])))[0] is not None:
                yield f"{writing.of(asked[0])}.{asked[1]}", node
            elif receiver is not None and not name.startswith("then"):
                _, before, doubles = named_call(receiver)
                if before == "when" and doubles:
                    yield f"{writing.of(doubles[0])}.{name}", node

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        if node.type == "try_statement":
            return tuple(_awaited(node, writing))
        return [*junit(node, writing), *chained(node, writing)] if node.type == "method_invocation" else ()

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
        if receiver is not None and receiver.type != "this":
            return called_on(receiver, name)
        above = node.parent
        of_double = name == "verify" and above is not None and above.child_by_field_name("object") == node
        return "" if STARTS.fullmatch(name) or (of_double and not self.declares(name)) else name

    def is_unknown(self, said: Said) -> bool:
        return said.relation.startswith("assert")

    def ends(self, statement: tree_sitter.Node) -> bool:
        left = statement.type in ("return_statement", "continue_statement", "break_statement")
        return left or text_of(statement).startswith(("System.exit(", "abort(", "Assumptions.abort("))

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        if above.type == "method_invocation" and re.match(
            r"assertThrows\w*|assertThatThrownBy|catchThrowable\w*|isThrownBy", named_call(above)[1]
        ):
            return "its failure is what is wanted"
        if above.type in ("try_statement", "try_with_resources_statement") and child == above.child_by_field_name(
            "body"
        ):
            for clause in above.named_children:
                if clause.type == "finally_clause" and re.search(r"\breturn\b[^;]*;\s*\}\s*$", text_of(clause)):
                    return SWALLOWED
                if clause.type == "catch_clause":
                    kinds = next((text_of(part) for part in clause.named_children if "parameter" in part.type), "")
                    body = clause.child_by_field_name("body")
                    if BROAD.search(kinds) and body is not None and not FAILS.search(text_of(body)):
                        return SWALLOWED
        return ""


def _said_by(argument: tree_sitter.Node) -> tree_sitter.Node:
    """What a lambda says, or the argument itself."""
    return argument.child_by_field_name("body") or argument


def _awaited(node: tree_sitter.Node, writing: Writing) -> Iterator[Said]:
    """`try { f(); fail(); } catch (E e) { … }` wants a failure of that kind."""
    body = node.child_by_field_name("body")
    if body is None or re.search(r"\bfail\([^;]*\);\s*\}$", text_of(body)) is None:
        return
    for clause in (each for each in node.named_children if each.type == "catch_clause"):
        kinds = next((text_of(part) for part in clause.named_children if "parameter" in part.type), "")
        grade = Grade.EXISTS if BROAD.search(kinds) else Grade.CLOSE
        yield Said(writing.of(body.named_children[0]), "raises", kinds.split(" ")[0], grade)


def _no_test(method: tree_sitter.Node, modifiers: str) -> str:
    """JUnit 5 passes over methods that are private or static, or give something back."""
    if hidden := re.search(r"\b(?:private|static)\b", re.sub(r'"[^"]*"', "", modifiers)):
        return f"a {hidden[0]} method is no test"
    kind = method.child_by_field_name("type")
    gives = kind is not None and text_of(kind) != "void" and MARK.search(modifiers)
    return GIVES if gives else ""


def modifiers_of(node: tree_sitter.Node) -> str:
    """Annotations and words such as `private`, as written."""
    return next((text_of(child) for child in node.named_children if child.type == "modifiers"), "")
