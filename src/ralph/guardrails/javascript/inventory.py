"""The tests of a JavaScript file, as its runner collects them (see `ralph.guardrails.inventory`).

Rules (policy set v2, class G04):

- A test is what `Cases` finds: `test`, `it` and their relatives, with the titles of the suites around them. In the
  title of a table of cases, places for values (`%i`, `$name`) do not count.
- In a file that no runner collects (`layout`), in a function that nobody calls, in a comment or in a text, a test is
  only a ghost of one.
- A function of a test file, or of a file that supports tests, is a helper if it checks something; so is a method, a
  command, a matcher, and a hook (`afterEach`) that does. What has the name of an assertion may have checked something.
- A test file that defines no tests and exports nothing is a script; what it checks at its top level is one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from typing import Literal

import tree_sitter

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.lending.surroundings import Surroundings
from ralph.guardrails.inventory.model import Facts, Ghost, Inventory, Test
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.checks.facts import FactsOf
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code, code, may_use_tests
from ralph.guardrails.javascript.collected.called import is_called
from ralph.guardrails.javascript.collected.cases import Case
from ralph.guardrails.javascript.collected.imports import reached
from ralph.guardrails.javascript.collected.nested import NESTED, is_nested
from ralph.guardrails.javascript.collected.never_begun import never_begun
from ralph.guardrails.javascript.collected.roots import Ref
from ralph.guardrails.javascript.collected.surroundings import surroundings
from ralph.guardrails.javascript.failures.patience import limit_s
from ralph.guardrails.javascript.files import sources_of
from ralph.guardrails.javascript.layout import is_collected, is_test_file
from ralph.guardrails.javascript.syntax.calls import first, functions, has_shape, is_object
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.javascript.words import DEFINITION_WORDS
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

__all__ = ["WORDS", "collect", "is_test_file"]

WORDS = (*DEFINITION_WORDS, r"\bexpect\s*[.(]")

_WRAPPER = later(r"(?i)test|^it|it$|spec|scenario|case")
"""Names of imported functions that define tests."""
_DEFINES = later(rf"{_WRAPPER.pattern}|describe|suite|context")
_WRITTEN = later(r"\b(?:it|test|specify)(?:\.\w+)*\s*\(\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`)")
_ASSERTS = later(rb"expect|assert|should|verify|ensure|check|\bthrow\b|process\.exit")
_TAKES = later(
    rb"\bexpect\b[^;]{0,200}?(?:\bfrom|\brequire\()\s*[\"'](?:@playwright/test|@jest/globals|vitest|chai|expect)[\"']"
)
_EXPORTS = later(rb"(?m)^\s*(?:export\b|(?:module\.)?exports\b)")
_NAMED = later(r"(?:^|[/._-])(?:test|spec)s?\.[cm]?[jt]sx?$")
_PLACES = later(r"\s*[-:,(\[]*\s*(?:%[sdifjopc#$]|\$\{?[\w.#]+\}?)\s*[)\]]*")


def collect(source: Source, paths: Paths) -> Inventory:
    if source.language == "vue" or not (may_use_tests(source) or _supports(source)):
        product = b"" if is_test_file(source.path) else source.data
        parts = () if product else sources_of(source.path, source.language, source.data)
        return Inventory(ghosts=tuple(ghost for part in parts for ghost in _written(part)), product=product)
    known, collected = code(source), is_collected(source.path, paths, source.data)
    found = known.source.memo.once(("inventory", collected), lambda: _Reader(known, collected, paths).read())
    return replace(found, reached=cache(partial(reached, source.path, paths)))


class _Reader:
    def __init__(self, code: Code, collected: bool, paths: Paths) -> None:
        self._code, self._collected = code, collected
        self._source = code.source
        self._paths, self._facts, self._writing = paths, FactsOf(code, paths), Writing(code)
        self._cases = [(case, ref) for case, ref in code.cases.defined.values() if case.kind == "test"]
        self._cases += [(code.cases.case_of(call, "test"), Ref("test")) for call in self._wrapped()]
        self._calls = [case.node for case, _ in self._cases]

    @cached_property
    def _around(self) -> Surroundings:
        return surroundings(self._source, self._code.names, self._calls)

    def read(self) -> Inventory:
        tests: list[Test] = []
        ghosts = list(_written(self._source))
        for case, ref in self._cases:
            facts = cache(lambda node=case.node, ref=ref: self._of_test(node, ref))
            why = self._why_not_run(case.node)
            if why:
                ghosts.append(self._ghost(case, why, facts().body))
            else:
                tests.append(self._test(_parts(case), case.node, facts))
        tests += self._script()
        tests += self._helpers()
        return Inventory(tuple(tests), tuple(ghosts), self._product())

    def _script(self) -> Iterator[Test]:
        path, root = self._source.path, self._source.tree.root_node
        if self._calls or not is_test_file(path) or is_sample(path) or _EXPORTS.search(self._source.data):
            return
        if any(has_shape(self._code.names, call) and self._may_define(call) for call in self._code.calls):
            return  # tests of a framework that nobody knows
        if self._facts.is_script(root, named=_NAMED.search(path) is not None):
            yield self._test(("the script",), root, cache(lambda: self._facts.function(root)))

    def _may_define(self, call: tree_sitter.Node) -> bool:
        name = self._code.text(call.child_by_field_name("function")).rpartition(".")[2]
        return _DEFINES.search(name) is not None

    def _of_test(self, call: tree_sitter.Node, ref: Ref) -> Facts:
        return replace(self._facts.test(call, ref), timeout_s=limit_s(self._code, self._writing, call))

    def _wrapped(self) -> Iterator[tree_sitter.Node]:
        """Calls with a title and a function, of a function that defines a test for them, here or elsewhere."""
        for call in self._code.calls:
            function = unwrapped(call.child_by_field_name("function"))
            if function is None or function.type != "identifier" or call.id in self._code.cases.defined:
                continue
            binding = self._code.names.binding(function)
            if binding is None or not has_shape(self._code.names, call) or is_object(first(call)):
                continue
            if binding.kind == "import":
                known = _WRAPPER.search(self._code.names.name(function)) is not None
            else:
                value = unwrapped(binding.value)
                known = value is not None and value.type in FUNCTIONS and self._defines(value)
            if known:
                yield call

    def _defines(self, function: tree_sitter.Node) -> bool:
        nodes = (case.node for case in self._code.cases.all if case.kind == "test")
        return any(function.start_byte <= node.start_byte < function.end_byte for node in nodes)

    def _product(self) -> bytes:
        """Product code may bring its tests along (`import.meta.vitest`)."""
        if is_test_file(self._source.path):
            return b""
        around = self._around_tests()
        return b"" if self._calls and b"import.meta" not in around else around

    def _around_tests(self) -> bytes:
        """The file without its tests."""
        parts, at = [], 0
        for call in sorted(self._calls, key=lambda node: node.start_byte):
            if call.start_byte >= at:
                parts.append(self._source.data[at : call.start_byte])
                at = call.end_byte + (self._source.data[call.end_byte : call.end_byte + 1] == b";")  # it goes with it
        return b" ".join(b" ".join((*parts, self._source.data[at:])).split())

    def _test(
        self,
        parts: tuple[str, ...],
        node: tree_sitter.Node,
        facts: Callable[[], Facts],
        kind: Literal["test", "helper"] = "test",
    ) -> Test:
        line = node.start_point.row + self._source.first_line
        text = self._code.text(node)
        around = self._around.of(text)
        return Test(
            parts=parts,
            path=self._source.path,
            line=line,
            column=node.start_point.column + 1,
            snippet=self._source.line_text(line),
            text=f"{text}\n{around}",
            facts=facts,
            kind=kind,
            written=f"{around}\n{self._source.text(node)}",
        )

    def _ghost(self, case: Case, why: str, body: str) -> Ghost:
        line = case.node.start_point.row + self._source.first_line
        return Ghost(
            name=_parts(case)[-1],
            path=self._source.path,
            line=line,
            column=case.node.start_point.column + 1,
            snippet=self._source.line_text(line),
            why=why,
            body=body,
        )

    def _why_not_run(self, call: tree_sitter.Node) -> str:
        if not self._collected:
            return "its file has no name by which a test runner collects it"
        calls = (each for each in (call, *self._code.names.above(call)) if each.type == "call_expression")
        if any(is_nested(self._code, each) for each in calls):
            return NESTED
        for above in self._code.names.above(call):
            owned = above.type not in FUNCTIONS or self._code.cases.owns(above)
            if not owned and not is_called(self._code, above, self._paths):
                return "nobody calls the function around it"
        return never_begun(self._code, call, self._paths)

    def _helpers(self) -> Iterator[Test]:
        """Functions and hooks that check something; hooks have numbers for names."""
        if not self._calls and not _supports(self._source):
            return
        for name, function in self._functions().items():
            facts = cache(lambda function=function: self._facts.function(function))
            yield self._test((name,), function, facts, "helper")
        for parts, function, known in self._facts.held():
            yield self._test(parts, function, cache(known), "helper")
        hooks = (call for call in self._code.calls if self._is_hook(call))
        for number, call in enumerate(hooks, start=1):
            for function in functions(self._code.names, call):
                facts = cache(lambda function=function: self._facts.function(function))
                yield self._test((f"{self._code.text(call).split('(')[0]} {number}",), call, facts, "helper")

    def _functions(self) -> dict[str, tree_sitter.Node]:
        """Those that check something, and those of which the name says so."""
        found = dict(self._facts.helpers)
        for node in self._code.names.of_types("function_declaration"):
            name = self._code.text(node.child_by_field_name("name"))
            if name not in found and not self._code.cases.owns(node) and self._facts.may_assert(name, node):
                found[name] = node
        return found

    def _is_hook(self, call: tree_sitter.Node) -> bool:
        data = self._source.data[call.start_byte : call.end_byte]
        if b"expect" not in data and b"assert" not in data:
            return False
        ref = self._code.cases.roots.settled(call.child_by_field_name("function"))
        return ref is not None and ref.kind == "hook"


def _supports(source: Source) -> bool:
    """It stands where tests do and has something of an assertion, or takes assertions from a framework for them."""
    if is_test_file(source.path):
        return _ASSERTS.search(source.data) is not None
    return _TAKES.search(source.data) is not None


def _parts(case: Case) -> tuple[str, ...]:
    """The titles, without places for the values of a table or a loop."""
    return tuple(_PLACES.sub("", _text(title)).strip() or title for title in case.title)


def _text(title: str) -> str:
    """A template that is filled in elsewhere is a text like another."""
    return title[1:-1] if "${" in title and title[0] == title[-1] == "`" else title


def _written(source: Source) -> Iterator[Ghost]:
    """Tests in comments and in texts."""
    for node in nodes_of(source, "comment", "template_string"):
        why = "it is commented out" if node.type == "comment" else "it stands in a text"
        for match in _WRITTEN.finditer(source.text(node)):
            line = node.start_point.row + source.first_line
            name = _PLACES.sub("", match[1] or match[2] or match[3] or "").strip()
            yield Ghost(
                name=name,
                path=source.path,
                line=line + source.text(node).count("\n", 0, match.start()),
                column=node.start_point.column + 1,
                snippet=source.line_text(line),
                why=why,
            )
