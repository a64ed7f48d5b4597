"""The tests of a Go file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04, G05, G09):

- A test is a function `TestX` or `FuzzX` of a `_test.go` file; so are an `ExampleX` whose output is compared
  (`examples`), and Ginkgo's `It` with a text. It holds its subtests.
- Nothing runs a test in a folder that the go command leaves out (`testdata`, `_x`, `.x`), in a file whose name or build
  constraint asks for another system or a tag (`built`), under a name that does not begin with `Test`, or a method of a
  type of which no file of tests makes a value (`methods`).
- `if got != want { t.Error() }` asserts the opposite of its condition; testify and Gomega count by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, partial

import tree_sitter

from ralph.guardrails.golang.assertions import columns
from ralph.guardrails.golang.assertions.asked_before import ANSWERED, is_asked_before
from ralph.guardrails.golang.assertions.asserts import (
    doubled,
    error_of,
    fails,
    gomega,
    is_testing,
    named_call,
    own_work,
    testify,
    tidies,
)
from ralph.guardrails.golang.assertions.beginnings import only_begins
from ralph.guardrails.golang.assertions.comparing import equality
from ralph.guardrails.golang.assertions.filled_in import fills_in
from ralph.guardrails.golang.assertions.gotest import gotest, is_comparison
from ralph.guardrails.golang.assertions.standard import without_standard
from ralph.guardrails.golang.branches import fails_in, handed_on_to, is_branch_of_if
from ralph.guardrails.golang.failures.channels import SENDING, sent_to, without_own_sent
from ralph.guardrails.golang.failures.failing import ways_of
from ralph.guardrails.golang.failures.silent import tells_nobody
from ralph.guardrails.golang.failures.unheard import FAILS, unheard
from ralph.guardrails.golang.lending import is_of_product, place_of
from ralph.guardrails.golang.reached import reached
from ralph.guardrails.golang.removed import examples, ginkgo
from ralph.guardrails.golang.removed.methods import is_used
from ralph.guardrails.golang.removed.outside import inside
from ralph.guardrails.golang.skipped.built import why_not_built
from ralph.guardrails.golang.stubs import REPLACING, asked, replaced
from ralph.guardrails.golang.variables import ASSIGNING, DECLARING, POINTING, assigned, scoped, told_place
from ralph.guardrails.inventory.lending.calling import HelperCalls
from ralph.guardrails.inventory.lending.files import source_at
from ralph.guardrails.inventory.lending.outer import numbers_of, tables_of
from ralph.guardrails.inventory.model import Check, Facts, Grade, Inventory
from ralph.guardrails.inventory.plain import Extractor, Found
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import Said, holds
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS: tuple[str, ...] = ()
TEST = later(r"(?:Test|Fuzz)(?![a-z])\w*")
ALMOST = later(r"(?i)_*x?(?:disabled|skip|old|no|un)?_?(?:test|fuzz)\w*")
MOST_DEEP = 4
"""So many functions that only call the next one are followed."""
RETRIED = later(r"\bFlakeAttempts\((\d+)\)")


def is_test_file(path: str) -> bool:
    return path.endswith("_test.go")


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path):
        return Inventory(product=source.data)
    found = GoTests(source, paths).inventory()
    return replace(found, reached=cache(partial(reached, source.path, paths)))


ENDING = frozenset({"panic", "os.Exit", "runtime.Goexit"})
HANDED = later(r"\btesting\.(T|TB|B|F|M)\b")


class GoTests(Extractor):
    NAMES = frozenset({"identifier", "field_identifier"})
    LITERALS = frozenset(
        {"interpreted_string_literal", "raw_string_literal", "int_literal", "float_literal", "rune_literal"}
        | {"imaginary_literal", "true", "false", "nil"}
    )
    OWN = later(
        r"t|tb|b|testing|T|Errorf?|Fatalf?|Logf?|Run|Helper|Parallel|assert|require|Equal|NoError|nil|string|int|error|len|True"
        r"|False|NotEqual|NotEmpty|NotNil|NotZero|NotContains"
        r"|err|got|want|reflect|DeepEqual|cmp|Diff|tt|tc|name|ctx|context|Background|fmt|errors|Is|bool|byte|append|make"
    )
    BRANCHES = frozenset({"if_statement", "expression_case", "type_case", "select_statement"})
    SPEAKING = frozenset({"if_statement", "call_expression"})
    LOOPS = frozenset({"for_statement"})
    ASSIGNING = ASSIGNING

    def __init__(self, source: Source, paths: Paths | None = None) -> None:
        super().__init__(source)
        self._paths = paths

    def found(self) -> Iterator[Found]:
        why = why_not_built(self.source, self._paths)
        for node in self.source.tree.root_node.named_children:
            if node.type in ("function_declaration", "method_declaration") and (
                name := node.child_by_field_name("name")
            ):
                yield from self._function(node, text_of(name), why)
            elif node.type in ("var_declaration", "expression_statement"):
                calls = (each for each in self.source.walk(node) if each.type == "call_expression")
                yield from ginkgo.found(calls, why, self.demands)

    def _function(self, node: tree_sitter.Node, name: str, why: str) -> Iterator[Found]:
        body = node.child_by_field_name("body")
        parameters = node.child_by_field_name("parameters")
        testing = parameters is not None and re.search(r"\*testing\.[TF]\b", text_of(parameters)) is not None
        method = node.type == "method_declaration"
        if TEST.fullmatch(name) and (testing or method):
            said = text_of(body) if body is not None else ""
            why = why or ("its failures are told to nobody" if tells_nobody(said, self.source, self._paths) else "")
            if not why and method and not is_used(node, self.source, self._paths):
                why = "it is a method, and nothing runs the methods of its type"
            yield Found((name,), node, body, why=why)
        elif body is not None and not method and examples.NAMED.fullmatch(name):
            yield Found((name,), node, body, why=why or ("" if examples.is_run(body) else examples.UNRUN))
        elif testing and ALMOST.fullmatch(name) and not self._used(name):
            yield Found((name,), node, body, why="its name does not begin with Test")
        elif body is not None and not _only_measures(name, node) and self._demands_by_another(body):
            yield Found((name,), node, body, "helper")

    def _demands_by_another(self, body: tree_sitter.Node) -> bool:
        """It demands something itself, or does nothing but call a function of the file that does."""
        for _ in range(MOST_DEEP):
            if self.demands(body):
                return True
            function = self._functions.get(handed_on_to(body))
            behind = function.child_by_field_name("body") if function is not None else None
            if behind is None:
                return False
            body = behind
        return False

    @cached_property
    def _functions(self) -> dict[str, tree_sitter.Node]:
        functions = (node for node in self.source.tree.root_node.named_children if node.type == "function_declaration")
        return {text_of(name): node for node in functions if (name := node.child_by_field_name("name")) is not None}

    @cached_property
    def _tidying(self) -> frozenset[str]:
        """Functions of the file that clean up what its tests made."""
        return frozenset(name for name, node in self._functions.items() if tidies(node, self.source))

    def _used(self, name: str) -> bool:
        return len(re.findall(rb"\b" + name.encode() + rb"\b", self.source.data)) > 1

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        said = list(self._said(node, writing))
        if any(each.grade for each in said) and is_asked_before(node):
            return [replace(each, grade=Grade.NOTHING, why=ANSWERED) for each in said]
        return said

    def _said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        if node.type == "if_statement" and (condition := node.child_by_field_name("condition")) is not None:
            if fails_in(node.child_by_field_name("consequence")):
                said = (equality(each) for each in holds(condition, writing, positive=False))
                given = error_of(node, condition)
                tidied = given.partition("(")[0] in self._tidying
                return [own_work(each, given, tidied=tidied) for each in said]
            if fails_in(node.child_by_field_name("alternative")):
                return [equality(each) for each in holds(condition, writing)]
        if node.type != "call_expression" or is_comparison(node):
            return ()
        if fails(node):
            return () if is_branch_of_if(node) else (Said("fail", "reached", "", Grade.CLOSE),)
        return [said for library in (testify, gotest, doubled, gomega) for said in library(node, writing)]

    def checks(self, body: tree_sitter.Node, writing: Writing, rows: int | None = 1) -> Iterator[Check]:
        checks = without_own_sent(super().checks(body, writing, rows), self.of_types(body, SENDING), writing)
        return without_standard(checks, self.source.data, self._paths)

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        return assigned(node)

    def written(self, body: tree_sitter.Node) -> Writing:
        """A constant whose place something is told (`Value: &v`, `Parse(&v)`) may be another one afterwards, and a
        function that the test replaces goes by its own name, as does a channel that it sends to."""
        writing = super().written(body)
        told = {name for node in self.of_types(body, POINTING) if (name := told_place(node)) in writing.local}
        changed = {name for name in told if writing.is_constant(writing.local[name])}
        changed |= {name for name, _ in self.fakes(body)} | set(sent_to(self.of_types(body, SENDING)))
        local = {name: value for name, value in writing.local.items() if name not in changed}
        return Writing(self.NAMES, self.LITERALS, local, scoped(self.assigning(body)))

    def context(self, found: Found, rest: str) -> str:
        """The helpers and tables that it names: nothing else of a file of tests says what an assertion demands."""
        words = set(re.findall(r"\w+", text_of(found.node)))
        helpers = (body for name, body in sorted(self.helpers.bodies().items()) if name in words)
        outer = {**tables_of(self, found.body), **numbers_of(self, found.body)} if found.body is not None else {}
        return " ".join(map(text_of, (*helpers, *outer.values())))

    def facts(self, found: Found) -> Facts:
        facts = inside(super().facts(found), self.source)
        if found.body is not None:
            ways = partial(ways_of, found.body, self.source, numbers_of(self, found.body))
            facts = replace(facts, failing=cache(ways))
        if found.body is not None and examples.NAMED.fullmatch(found.parts[-1]):
            printed = examples.outputs(found.body, self.source, self.writing(found.body))
            facts = replace(facts, checks=(*facts.checks, *printed))
        return replace(facts, faked=asked(facts.faked, facts.checks, found.parts[-1])) if facts.faked else facts

    def fakes(self, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        return replaced(self.of_types(body, REPLACING), self.source)

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        """The entries of a table of Ginkgo's, without their names."""
        return ginkgo.entries(found.node)

    def is_asked(self, name: str, fake: tree_sitter.Node, subjects: str) -> bool:
        """A method that a library replaces goes by its name alone, behind a point."""
        return name.startswith(".") and f"{name}(" in subjects

    def own(self, found: Found) -> Iterator[str]:
        declared = self.of_types(found.body, DECLARING) if found.body is not None else ()
        for node in declared:
            if (match := re.match(r"(\w+)\s*:=\s*func\s*\(", text_of(node))) is not None:
                yield match[1]

    def retries(self, found: Found) -> int:
        match = RETRIED.search(text_of(found.node).partition("\n")[0])
        return int(match[1]) if match else 0

    def asserts(self, branch: tree_sitter.Node) -> bool:
        """Each case of a `select` says something."""
        cases = branch.named_children if branch.type == "select_statement" else []
        return bool(cases) and all(FAILS.search(text_of(case)) for case in cases if case.type != "comment")

    def called(self, node: tree_sitter.Node) -> str:
        package, name, listed = named_call(node)
        if only_begins(name, node) or (not listed and name in ("Require", "Assert")) or "." in package:
            return ""
        told = package or any(is_testing(text_of(each), node) for each in listed)
        return "" if not told and is_of_product(name, self.source.data, self.source.path, self._paths) else name

    def lent(self, called: str) -> HelperCalls | None:
        place = place_of(called, self.source.path, self._paths) if self._paths is not None else None
        if place is None or self._paths is None:
            return None
        read = partial(source_at, place, "go", self._paths)
        return self._paths.memo.once(
            ("go helpers of", place), lambda: GoTests(source).helpers if (source := read()) is not None else None
        )

    def ends(self, statement: tree_sitter.Node) -> bool:
        if statement.type != "expression_statement":
            return statement.type in ("return_statement", "continue_statement", "break_statement")
        function = statement.named_children[0].child_by_field_name("function") if statement.named_children else None
        return function is not None and text_of(function) in ENDING

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        return unheard(above, child)

    def rounds_of(self, loop: tree_sitter.Node, node: tree_sitter.Node, writing: Writing) -> int | None:
        table = self._table(loop, writing)
        return None if table is None else len(columns.filled(table, columns.asked_on_the_way(loop, node)))

    def asks_row(self, branch: tree_sitter.Node, child: tree_sitter.Node, writing: Writing) -> bool:
        loop = columns.loop_of(branch, child)
        table = self._table(loop, writing) if loop is not None else None
        return fills_in(branch, child) or (table is not None and columns.are_named(table))

    def rows(self, body: tree_sitter.Node, writing: Writing) -> tuple[str, ...]:
        tables = (self._table(loop, writing) for loop in self.of_types(body, self.LOOPS))
        return tuple(columns.row(each, writing) for table in tables if table for each in table)

    def _table(self, loop: tree_sitter.Node, writing: Writing) -> list[tree_sitter.Node] | None:
        clause = next((each for each in loop.named_children if each.type == "range_clause"), None)
        right = clause.child_by_field_name("right") if clause is not None else None
        value = writing.value(right) if right is not None else None
        outer = self.outer(text_of(value)) if value is not None and value.type == "identifier" else None
        return self._rows_of(outer.named_children[0] if outer is not None and outer.named_children else value, writing)

    def _rows_of(self, value: tree_sitter.Node | None, writing: Writing) -> list[tree_sitter.Node] | None:
        if value is not None and value.type == "slice_expression":
            whole, start, end = (value.child_by_field_name(name) for name in ("operand", "start", "end"))
            rows = self._rows_of(writing.value(whole), writing) if whole is not None else None
            first, last = (writing.number(each) if each is not None else None for each in (start, end))
            return None if rows is None else rows[int(first or 0) : len(rows) if last is None else int(last)]
        body = value.child_by_field_name("body") if value is not None and value.type == "composite_literal" else None
        return None if body is None else [each for each in body.named_children if each.type != "comment"]


def _only_measures(name: str, function: tree_sitter.Node) -> bool:
    """A benchmark, or what only benchmarks can call: nobody's answer hangs on it."""
    handed = set(HANDED.findall(text_of(function)))
    return name.startswith("Benchmark") or handed == {"B"}
