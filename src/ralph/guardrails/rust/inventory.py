"""The tests of a Rust file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04, G05, G06):

- A test is a function with an attribute that ends in `test` (`#[test]`, `#[tokio::test]`, `#[rstest]`), in whatever
  modules; each `#[case]` is a case of it.
- Nothing runs a test that is not built (`built`).
- The arguments of `assert!` and its relatives are read as the expressions that they are.
- A pattern of `matches!` that takes anything demands nothing, one with places left open a shape.
- A `match` asserts if each of its arms says something; `let … else { return }` may leave the test, and so may
  `prop_assume!` of what the product answers.
- The tests inside of `proptest! { … }` are tests (`opened`).
- What holds where nothing is there (`map_or(true, ...)`), or of a NaN (`!(a < 1.5)`), demands less than it seems to.
- With `#[should_panic]` an assertion that fails lets the test pass: it demands nothing.
- A function beside the tests that has the name of what they imported is what they test from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade, Inventory
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.readers import Paths, lends
from ralph.guardrails.inventory.truth import ALWAYS, Said, compared, holds
from ralph.guardrails.inventory.wanted.values import SNAPSHOT
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.rust.built import CFG, left_out, on_at, why_not_built
from ralph.guardrails.rust.caught import passed_on
from ralph.guardrails.rust.fields import with_field
from ralph.guardrails.rust.held import are_any, asked_among
from ralph.guardrails.rust.helped import Lending
from ralph.guardrails.rust.macros import MATCHES, arguments_of, matched_always, matched_by
from ralph.guardrails.rust.opened import opened
from ralph.guardrails.rust.snapshots import recorded
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS = (r"\w", r"/\*|\*/")
TEST_FILE = later(r"(?:^|/)tests?/.*\.rs$|(?:^|[/_])tests?\.rs$")
TEST = later(r"#\[\s*(?:\w+::)*(?:test|\w+_test|rstest|test_case|quickcheck|proptest|test_log|traced_test)\b")
CASE = later(r"#\[\s*(?:test_)?case(?:::\w+)?\s*\((.*)\)\s*\]$", re.DOTALL)
PANICS = later(r"#\[\s*should_panic\b(.*)\]$", re.DOTALL)
SPEAKS = later(
    r"\b(?:assert\w*|panic|unreachable|todo|unimplemented|bail|prop_assert\w*)!|\bErr\(|\.(?:unwrap|expect)\(|\bfail\w*\("
)
OWN_MACRO = later(rb"macro_rules!\s*(assert(?:_eq|_ne)?)\b")
PART = later(
    r"\.(?:contains|starts_with|ends_with|is_none_or|map_or\(true,|map_or_else\(\|\|true,)|\.unwrap_or\([\w:]*NAN\)\.is_nan\("
)
HELD_IF_THERE = later(r"\.(?:is_some_and|is_ok_and|map_or\(false,|map_or_else\(\|\|false,)")
ORDERS = frozenset({"<", "<=", ">", ">="})
ASSUMES = later(
    r"prop_assume!\(\s*(?:false\b|(?=[^;]*==)[^;]*(?<![.\w])(?:\w+::)*[a-z_]\w*\()",
)
FLOAT = later(r"\d\.\d|\de-?\d|\bf(?:32|64)\b|\bEPSILON\b")
EITHER_WAY = later(r"\.(?:map_or\(\s*true\s*,|map_or_else\(\s*\|_?\w*\|\s*true\s*,)\s*\|_?\w*\|\s*true\s*,?\s*\)$")
VAGUE = later(r"\.is_(?:ok|some|err)(?:_and)?\(")


def is_test_file(path: str) -> bool:
    return TEST_FILE.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path) and b"test" not in source.data:
        return Inventory(product=source.data)
    return RustTests(opened(source), why_not_built(source.path, paths), on_at(source.path, paths), paths).inventory()


UNHEARD = later(
    r"(?s)(?:let\s+_\w*\s*=\s*)?(?:std::)?thread::spawn\(.*\)\.join\(\)(?:\.(?:ok|is_ok|is_err|err|unwrap_or\w*)\([^()]*\))?;?$"
)
"""A panic of a thread is what `join` gives: `unwrap` and `expect` pass it on."""
PANICKING = later(r"(?m)^[ \t]*(?:panic|unreachable|todo|unimplemented)!\s*[({\[]|\bassert!\(\s*false\b")


class RustTests(Lending):
    NAMES = frozenset({"identifier", "field_identifier"})
    LITERALS = frozenset(
        {"string_literal", "raw_string_literal", "integer_literal", "float_literal", "char_literal", "boolean_literal"}
    )
    OWN = later(
        r"assert\w*|insta|super|std|vec|unwrap|expect|Some|None|Ok|Err|len|iter|into|to_string|String|format|println"
        r"|is_(?:some|none|ok|err)(?:_and|_or)?|is_(?:empty|nan|finite|infinite|positive|negative|file|dir|ascii\w*|numeric)"
        r"|result|got|want|self|new|clone|Vec|u\d+|i\d+|f\d+|usize|str|bool|panic"
    )
    BRANCHES = frozenset({"if_expression", "match_expression"})
    SPEAKING = frozenset({"macro_invocation", "call_expression"})
    LOOPS = frozenset({"for_expression", "while_expression", "loop_expression"})

    def __init__(
        self, source: Source, why: str = "", on: frozenset[str] = frozenset(), paths: Paths | None = None
    ) -> None:
        super().__init__(source, paths)
        self._why = why
        self._on = on
        self._functions_of: dict[int, list[str]] = {}

    def found(self) -> Iterator[Found]:
        yield from self._inside(self.source.tree.root_node, (), self._why, is_test_file(self.source.path))

    def _inside(
        self, place: tree_sitter.Node, modules: tuple[str, ...], why: str, among_tests: bool
    ) -> Iterator[Found]:
        attributes: list[str] = []
        for node in place.named_children:
            if node.type == "attribute_item":
                attributes.append(text_of(node))
                continue
            if "comment" in node.type:
                continue
            reason = why or left_out(attributes, self._on)
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if node.type == "mod_item" and name is not None and body is not None:
                tests = among_tests or any("test" in text for text in attributes)
                yield from self._inside(body, (*modules, text_of(name)), reason, tests)
            elif node.type == "function_item" and name is not None:
                parts = (*modules, text_of(name))
                if any(TEST.match(text) for text in attributes):
                    yield Found(parts, node, body, why=reason)
                elif among_tests and body is not None and self.demands(body):
                    called = rb"(?<!fn )(?<!::)\b" + parts[-1].encode() + rb"\b"
                    why = "" if attributes or re.search(called, self.source.data) else "it has no `#[test]`"
                    if why:
                        yield Found(parts, node, body, why=why)
                    by_path = re.search(rb"::" + parts[-1].encode() + rb"\(", self.source.data) is not None
                    if not why or (text_of(node).startswith("pub") and (by_path or lends(self.source, TEST))):
                        yield Found(parts, node, body, "helper")
            elif node.type == "macro_definition" and among_tests:
                yield from self.macro(node, modules, alone=lends(self.source, TEST))
            attributes = []

    def facts(self, found: Found) -> Facts:
        facts = super().facts(found)
        panics = next((match for text in _attributes(found.node) if (match := PANICS.match(text))), None)
        if panics is None:
            return facts
        nothing = "its failure lets the test pass"
        checks = [replace(check, grade=Grade.NOTHING, why=nothing) for check in facts.checks]
        line, column, snippet = self._place(found.node)
        grade = Grade.SHAPE if "expected" in panics[1] or "=" in panics[1] else Grade.EXISTS
        itself = found.body is not None and PANICKING.search(text_of(found.body)) is not None
        wanted = "".join(panics[1].split())
        expected = Check(
            subject="",
            relation="panics",
            wanted=wanted,
            grade=Grade.NOTHING if itself else grade,
            why="the test panics itself" if itself else "",
            line=line,
            column=column,
            snippet=snippet,
            known=bool(wanted),
        )
        return replace(facts, checks=(*checks, expected))

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        if node.type != "macro_invocation" or (macro := node.child_by_field_name("macro")) is None:
            return
        name = text_of(macro).rpartition("::")[2].removeprefix("debug_").removeprefix("prop_")
        arguments = arguments_of(node)
        if name.encode() in OWN_MACRO.findall(self.source.data) or left_out(
            _attributes(
                node.parent if node.parent is not None and node.parent.type == "expression_statement" else node
            ),
            self._on,
        ):
            return
        if name == "matches":  # by itself it only tells, and nobody listens
            return
        pattern = node if name in MATCHES else arguments[0] if name == "assert" and arguments else None
        denied = pattern.named_children[0] if pattern is not None and text_of(pattern)[:1] == "!" else None
        if denied is not None and (matched := matched_by(denied, writing)) is not None:
            grade = Grade.NOTHING if matched.grade is Grade.NOTHING else Grade.EXISTS
            yield replace(matched, relation=f"not {matched.relation}", grade=grade)
        elif pattern is not None and (matched := matched_by(pattern, writing)) is not None:
            yield matched
        elif name == "assert" and arguments and matched_always(arguments[0]):
            yield Said(writing.of(arguments[0]), "is", "", Grade.NOTHING, why=ALWAYS)
        elif name == "assert" and arguments:
            yield from (_demand(said, text_of(arguments[0])) for said in holds(arguments[0], writing))
        elif name in ("assert_eq", "assert_ne", "assert_str_eq") and len(arguments) > 1:
            asked = compared(arguments[0], "!=" if name == "assert_ne" else "==", arguments[1], writing)
            yield with_field(asked, text_of(arguments[1]), self.source.data)
        elif len(arguments) > 1 and (text := recorded(name, text_of(node))):
            yield Said(writing.of(arguments[0]), SNAPSHOT, text, Grade.EXACT, known=True)
        elif name.startswith("assert_") and arguments:
            wanted = " ".join(map(writing.of, arguments[1:2]))
            yield Said(writing.of(arguments[0]), name, wanted, Grade.CLOSE)

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        if node.type == "let_declaration":
            pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
            plain = pattern is not None and pattern.type == "identifier"
            if plain and pattern is not None and value is not None and value.type != "closure_expression":
                yield text_of(pattern), value
        elif node.type in ("assignment_expression", "compound_assignment_expr"):
            left = node.child_by_field_name("left")
            if left is not None and left.type == "identifier":
                yield from ((text_of(left), node), (text_of(left), node))  # twice: nobody knows what it holds
        elif node.type == "for_expression" and (pattern := node.child_by_field_name("pattern")) is not None:
            for name in self.source.walk(pattern):
                if name.type == "identifier":
                    yield text_of(name), name

    def own(self, found: Found) -> Iterator[str]:
        """Functions and closures of the test, and functions beside it."""
        for node in self.source.walk(found.body):
            if node.type == "let_declaration" and (match := re.match(r"let (\w+)[^=]*=\s*(?:move )?\|", text_of(node))):
                yield match[1]
        for place in (found.body, found.node.parent):
            if place is not None and (place != self.source.tree.root_node or is_test_file(self.source.path)):
                yield from self._functions(place)

    def _functions(self, place: tree_sitter.Node) -> Sequence[str]:
        """What a file or a module defines is asked for each of its tests."""
        if place.id not in self._functions_of:
            functions = (node for node in place.named_children if node.type == "function_item")
            names = (node.child_by_field_name("name") for node in functions)
            self._functions_of[place.id] = [text_of(name) for name in names if name is not None]
        return self._functions_of[place.id]

    def ends(self, statement: tree_sitter.Node) -> bool:
        return re.match(r"(?:return|continue|break)\b|(?:std::)?process::exit\(", text_of(statement)) is not None

    def may_leave(self, statement: tree_sitter.Node) -> bool:
        if ASSUMES.match(text_of(statement)):
            return True
        other = statement.child_by_field_name("alternative") if statement.type == "let_declaration" else None
        return other is not None and re.search(r"\b(?:return|continue|break)\b", text_of(other)) is not None

    def asserts(self, branch: tree_sitter.Node) -> bool:
        body = branch.child_by_field_name("body") if branch.type == "match_expression" else None
        arms = [each for each in body.named_children if each.type == "match_arm"] if body is not None else []
        values = [arm.child_by_field_name("value") for arm in arms]  # a pattern (`Err(_)`) says nothing
        return bool(arms) and all(value is not None and SPEAKS.search(text_of(value)) for value in values)

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        function = above.child_by_field_name("function") if above.type == "call_expression" else None
        catches = function is not None and function != child and text_of(function).endswith("catch_unwind")
        caught = catches and not passed_on(above)
        if above.type in ("expression_statement", "let_declaration") and UNHEARD.match(text_of(above)):
            return "what becomes of its thread is dropped"
        return "its failure is caught" if caught else ""

    def rounds(self, loop: tree_sitter.Node, writing: Writing) -> int | None:
        value = loop.child_by_field_name("value")
        value = writing.value(value) if value is not None else None
        while value is not None and value.type == "reference_expression" and value.named_children:
            value = value.named_children[-1]
        if value is None or value.type != "array_expression" or ";" in text_of(value):
            return None
        return len([each for each in value.named_children if "comment" not in each.type])

    def parameters(self, found: Found) -> tuple[str, ...]:
        matches = (CASE.match(text) for text in _attributes(found.node))
        return tuple(ROW.join(re.split(r"\s*(?:,|=>)\s*", match[1].strip())) for match in matches if match)

    def product(self, found: list[Found]) -> bytes:
        if is_test_file(self.source.path):
            return b""
        parts, at = [], 0
        for node in self.source.tree.root_node.named_children:
            if node.type == "mod_item" and any(_asks_for_test(text) for text in _attributes(node)):
                parts.append(self.source.data[at : node.start_byte])
                at = node.end_byte
        return b"".join((*parts, self.source.data[at:]))


def _attributes(node: tree_sitter.Node) -> Iterator[str]:
    before = node.prev_named_sibling
    while before is not None and (before.type == "attribute_item" or "comment" in before.type):
        if before.type == "attribute_item":
            yield text_of(before)
        before = before.prev_named_sibling


def _asks_for_test(attribute: str) -> bool:
    return CFG.match(attribute) is not None and re.search(r"\btest\b", attribute) is not None


def _demand(said: Said, written: str) -> Said:
    """That there is a result says little about it, and so does what holds without one, or for a NaN."""
    said = replace(said, subject=asked_among(said.subject))
    if EITHER_WAY.search(written):
        return replace(said, grade=Grade.NOTHING, why=ALWAYS)
    ordered = said.relation in ORDERS or said.slack is not None
    if ordered and written.startswith("!") and FLOAT.search(written):
        return replace(said, grade=min(said.grade, Grade.EXISTS), why="it holds for a NaN, too")
    vague = (said.wanted == "true" and VAGUE.search(said.subject) is not None) or are_any(said)
    loose = PART if said.wanted == "true" else HELD_IF_THERE
    part = said.wanted in ("true", "false") and loose.search(said.subject) is not None
    most = Grade.EXISTS if vague else Grade.SHAPE if part else Grade.EXACT
    return replace(said, grade=min(said.grade, most))
