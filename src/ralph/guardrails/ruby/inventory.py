"""The tests of a Ruby file (see `ralph.guardrails.inventory`).

Rules (policy set v2, classes G04, G05, G06):

- A test is an example of RSpec or Minitest's spec (`it`, `specify`, `test` with a block), with the groups around it, or
  a method `test_x` of a class.
- The examples of a shared group run for each `it_behaves_like` and its relatives; in a spec without any they do not.
- A private method is none, nor is an example in a file of `spec/` whose name does not end in `_spec.rb`, unless a
  pattern is set; of two methods of one name the later one replaces the other.
- An assertion whose failure a `rescue` takes demands nothing, unless the `rescue` fails itself.
- `allow(x).to receive(:sum)` replaces `sum`; so does a method of that name in the test file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.lending.outer import elements
from ralph.guardrails.inventory.model import ROW, SWALLOWED, Ghost, Inventory, Test
from ralph.guardrails.inventory.plain import Found
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.ruby.classes import may_be_collected
from ralph.guardrails.ruby.context import EXAMPLES, GROUPS, TEST_PATH
from ralph.guardrails.ruby.doubles import Received, asked, defined_methods, given_blocks, given_texts, received
from ralph.guardrails.ruby.expectations import minitest, name_and_arguments, rspec, wants_failure
from ralph.guardrails.ruby.helped import Lending
from ralph.guardrails.ruby.loaded import why_not_loaded
from ralph.guardrails.ruby.matchers import name_of
from ralph.guardrails.ruby.repeating import gone_through, is_repeating
from ralph.guardrails.ruby.shared_groups import INCLUDES, SHARED, handed_over, shared_groups, title_of
from ralph.guardrails.ruby.variables import is_looked_at_before
from ralph.guardrails.ruby.visibility import is_private
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

WORDS = (r"\bdef test_", r"\bassert", r"\bexpect\b")
OF_OTHERS = later(r"[A-Z]\w*(?:::\w+|\.\w+)*\.(?:each|map)\w*\b")  # a loop over what another file may have
METHODS = frozenset({"method", "singleton_method"})
RESCUES = later(r"\b(?:raise|fail|flunk|expect|assert\w*|refute\w*|throw)\b")
RETRIED = later(r"\bretry(?::|\s*=>)\s*(\d+)")
GIVEN_FUNCTION = later(r"(?:\{|do\b)\s*(?:->|(?:lambda|proc)\b|Proc\.new\b)")
"""What `let` gives that can be called."""
ALLOWED = later(r"\b(?:allow|expect)(?P<any>_any_instance_of)?\((?P<object>[\w:]+)\)\.to receive")
DESCRIBED = later(r"(?m)^\s*(?:RSpec\.)?describe\s*\(?\s*([A-Z][\w:]*)")
BROAD = later(r"Exception|StandardError|ExpectationNotMet|Assertion|Minitest")


def is_test_file(path: str) -> bool:
    return TEST_PATH.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    tests = is_test_file(source.path)
    if not tests and not re.search(rb"\bdef test_|RSpec\.describe", source.data):
        return Inventory(product=source.data)
    found = RubyTests(source, why_not_loaded(source, paths), paths).inventory()
    last = {test.parts: test for test in found.tests}
    replaced = [test for test in found.tests if test.parts[-1].startswith("test_") and last[test.parts] is not test]
    return Inventory(
        tuple(test for test in found.tests if test not in replaced),
        (*found.ghosts, *(_replaced(test) for test in replaced)),
        found.product,
    )


def _replaced(test: Test) -> Ghost:
    return Ghost(
        name=test.parts[-1],
        path=test.path,
        line=test.line,
        column=test.column,
        snippet=test.snippet,
        why="a later method has its name",
        body=test.facts().body,
        twin=True,
    )


class RubyTests(Lending):
    NAMES = frozenset({"identifier", "constant", "instance_variable"})
    LITERALS = frozenset(
        {"string", "integer", "float", "simple_symbol", "nil", "true", "false", "regex", "string_array", "symbol_array"}
    )
    OWN = later(
        r"expect|to|not_to|eq|eql|be|be_\w+|have_\w+|assert\w*|refute\w*|must_\w+|raise_error|receive|allow|and_return"
        r"|subject|described_class|let|it|describe|result|new|RSpec|Minitest|self|with|of|include|match|nil|map|each"
    )
    BRANCHES = frozenset({"if", "unless", "if_modifier", "unless_modifier"})
    SPEAKING = frozenset({"call"})
    LOOPS = frozenset({"do_block", "block", "while", "until", "for"})

    def __init__(self, source: Source, why: str = "", paths: Paths | None = None) -> None:
        super().__init__(source, paths)
        self.why = why
        self._open: set[int] = set()
        """Shared groups of which the examples are being read."""

    def found(self) -> Iterator[Found]:
        yield from self._inside(self.source.tree.root_node, ())

    def _inside(self, place: tree_sitter.Node, groups: tuple[str, ...]) -> Iterator[Found]:
        is_spec = self.source.path.endswith("_spec.rb")
        for node in place.named_children:
            name, arguments = name_and_arguments(node) if node.type == "call" else ("", [])
            block = node.child_by_field_name("block") if node.type == "call" else None
            title = text_of(arguments[0]).strip("'\":") if arguments else ""
            defined = name == "define_method" and bool(groups) and title.startswith("test_")
            if block is not None and (defined or name in ("pending", "skip") or name.lstrip("xfp") in EXAMPLES):
                body = block.child_by_field_name("body")
                yield Found((*groups, title or " ".join(text_of(block).split())), node, body or block, why=self.why)
            elif block is not None and name.lstrip("xf") in GROUPS:
                if name in SHARED and title in self._included and title in self._shared:
                    continue  # they run where it is included
                never = name in SHARED and is_spec and title not in self._included
                for each in self._inside(block, (*groups, title)):
                    yield replace(each, why=each.why or "nothing includes its examples") if never else each
            elif name in INCLUDES and (shared := self._shared.get(title)) is not None:
                yield from self._of_shared(node, shared, groups)
            elif node.type in ("class", "module") and (constant := node.child_by_field_name("name")) is not None:
                why = "" if may_be_collected(node, self.source.data) else "its class is no test case"
                inner = self._inside(node, (*groups, text_of(constant)))
                yield from (replace(each, why=each.why or why) if each.kind == "test" else each for each in inner)
            elif node.type in METHODS and (constant := node.child_by_field_name("name")) is not None:
                yield from self._method(node, text_of(constant), groups)
            elif name_of(node):
                yield from self.matcher(node, groups)
            else:
                yield from self._inside(node, groups)

    def _of_shared(self, call: tree_sitter.Node, shared: tree_sitter.Node, groups: tuple[str, ...]) -> Iterator[Found]:
        if shared.id in self._open:  # it includes itself
            return
        self._open.add(shared.id)
        examples, given = list(self._inside(shared, groups)), handed_over(call, shared)
        self._open.discard(shared.id)
        yield from (replace(each, given=given) for each in examples if each.kind == "test" and not each.why)

    @cached_property
    def _shared(self) -> dict[str, tree_sitter.Node]:
        return shared_groups(self.source)

    def _method(self, node: tree_sitter.Node, name: str, groups: tuple[str, ...]) -> Iterator[Found]:
        body = node.child_by_field_name("body")
        if name.startswith("test_") and groups and node.type == "method":
            why = "a private method is no test" if is_private(node) else ""
            if re.search(
                rb"\b(?:undef|undef_method|remove_method)\b[ (]+:?" + name.encode() + rb"\b", self.source.data
            ):
                why = "its definition is taken back"
            yield Found((*groups, name), node, body or node, why=why or self.why)
        elif body is not None and self.demands(body):
            yield Found((*groups, name), node, body, "helper")

    def vocabulary(self, nodes: Iterable[tree_sitter.Node], writing: Writing) -> tuple[frozenset[str], frozenset[str]]:
        """What a test names by `let` and `subject` it names itself."""
        words, literals = super().vocabulary(nodes, writing)
        waiting, known = set(words), set(words)
        while waiting:
            given = self._given.get(waiting.pop())
            more = super().vocabulary(self.nodes(given), writing)[0] - known if given is not None else frozenset()
            known |= more
            waiting |= more
        return frozenset(known), literals

    @cached_property
    def _given(self) -> dict[str, tree_sitter.Node]:
        return given_blocks(self.source)

    def said(self, node: tree_sitter.Node, writing: Writing) -> Iterable[Said]:
        return [*rspec(node, writing), *minitest(node, writing)] if node.type == "call" else ()

    def assigned(self, node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        if node.type in ("assignment", "operator_assignment"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            named = left is not None and left.type in ("identifier", "instance_variable")
            if left is not None and right is not None and named and not is_looked_at_before(left):
                yield text_of(left), right
        elif node.type == "block_parameters":
            for name in node.named_children:
                yield text_of(name), name

    def ends(self, statement: tree_sitter.Node) -> bool:
        return (
            statement.type in ("return", "next", "break")
            or re.fullmatch(r"(?:exit!?|throw)(?:\W.*)?", text_of(statement)) is not None
        )

    def swallowed(self, above: tree_sitter.Node, child: tree_sitter.Node) -> str:
        if above.type == "rescue_modifier":
            return SWALLOWED
        if above.type == "call" and child == above.child_by_field_name("block") and wants_failure(above):
            return "its failure is what is wanted"
        for rescue in above.named_children:
            if rescue.type == "ensure" and re.search(r"\b(?:return|next|break)\b[^\n]*\s*$", text_of(rescue)):
                return SWALLOWED
            if rescue.type == "rescue" and child.type not in ("rescue", "else", "ensure"):
                kinds = rescue.child_by_field_name("exceptions")
                if (kinds is None or BROAD.search(text_of(kinds))) and not RESCUES.search(text_of(rescue)):
                    return SWALLOWED
        return ""

    def rounds(self, loop: tree_sitter.Node, writing: Writing) -> int | None:
        if loop.type not in ("do_block", "block"):
            return None
        call = loop.parent
        if call is None or not is_repeating(call):
            return 1
        rows = self._rows(call, writing)
        return None if rows is None else len(rows)

    def parameters(self, found: Found) -> tuple[str, ...] | None:
        """The values of a literal list that defines a test for each, or what its shared group is included with;
        of a list in another file nobody can tell."""
        above, writing = found.node.parent, Writing(self.NAMES, self.LITERALS, {})
        while above is not None and found.given is None:
            if above.type == "call" and is_repeating(above):
                rows = self._rows(above, writing)
                return tuple(rows or ()) if rows is not None or not OF_OTHERS.match(text_of(above)) else None
            if above.type == "call" and name_and_arguments(above)[0] in SHARED:
                return tuple(
                    ROW.join(map(writing.of, each)) for each in self._included.get(title_of(above), ()) if each
                )
            above = above.parent
        return ()

    @cached_property
    def _included(self) -> dict[str, list[list[tree_sitter.Node]]]:
        """What shared groups are given, each time that they are included; a block that sets something up is nothing."""
        found: dict[str, list[list[tree_sitter.Node]]] = {}
        for node in self.source.walk():
            if node.type == "call" and name_and_arguments(node)[0] in INCLUDES:
                found.setdefault(title_of(node), []).append(name_and_arguments(node)[1][1:])
        return found

    def _rows(self, call: tree_sitter.Node, writing: Writing) -> list[str] | None:
        receiver = gone_through(call)
        value = writing.value(receiver) if receiver is not None else None
        if value is not None and value.type == "constant":
            value = self.outer(text_of(value))
        rows = elements(value) if value is not None else None
        return None if rows is None else [ROW.join(map(writing.of, row)) for row in rows]

    def retries(self, found: Found) -> int:
        match = RETRIED.search(text_of(found.node).partition("\n")[0])
        return int(match[1]) if match else 0

    def own(self, found: Found) -> Iterable[str]:
        return self._methods

    @cached_property
    def _methods(self) -> list[str]:
        functions = (name for name, block in self._given.items() if GIVEN_FUNCTION.match(text_of(block)))
        return [*defined_methods(self.source), *functions]

    def fakes(self, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        yield from self._doubles
        for name, node, test in self._received:
            if test is None or test.start_byte <= body.start_byte < test.end_byte:
                yield name, node

    @cached_property
    def _received(self) -> list[Received]:
        return list(received(self.source, [each.node for each in self._found if each.kind == "test"]))

    @cached_property
    def _doubles(self) -> list[tuple[str, tree_sitter.Node]]:
        return list(asked(self.source, self._given))

    def is_asked(self, name: str, fake: tree_sitter.Node, subjects: str) -> bool:
        """`allow(described_class).to receive(:wrap)` where a `subject` or `let` that is looked at calls just that."""
        match = ALLOWED.search(self.source.line_text(fake.start_point.row + self.source.first_line))
        if match is None or match["object"] not in ("described_class", self._described):
            return False
        owner = rf"\b(?:described_class|{re.escape(self._described)}){r'.*' if match['any'] else ''}"
        asked = re.compile(rf"{owner}\.{re.escape(name)}(?!\w)", re.DOTALL)
        words = set(re.findall(r"\w+", subjects))
        return any(word in words and asked.search(given) is not None for word, given in self._given_texts)

    @cached_property
    def _described(self) -> str:
        match = DESCRIBED.search(self.source.data.decode("utf-8", "replace"))
        return match[1] if match is not None else "described_class"

    @cached_property
    def _given_texts(self) -> list[tuple[str, str]]:
        return given_texts(self.source)
