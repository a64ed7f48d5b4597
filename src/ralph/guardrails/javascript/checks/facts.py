"""What one test does, as the inventory asks for it (test inventory, class G05)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.alternative import judged
from ralph.guardrails.inventory.before import standing_before
from ralph.guardrails.inventory.inputs import CONSTANT
from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade
from ralph.guardrails.javascript.calls import arguments, functions
from ralph.guardrails.javascript.checks.callbacks import awaited, told
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.finding import Finding, Found
from ralph.guardrails.javascript.checks.handed import handed, placed
from ralph.guardrails.javascript.checks.inline import inline_literal
from ralph.guardrails.javascript.checks.looping import gone_through
from ralph.guardrails.javascript.checks.reach import UNAWAITED, Reaching
from ralph.guardrails.javascript.checks.tables import looped
from ralph.guardrails.javascript.checks.waiting import waits
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.names import unwrapped
from ralph.guardrails.javascript.origins import LOCAL_MODULE
from ralph.guardrails.javascript.roots import Ref
from ralph.record import replace
from ralph.system.patterns import later

MAX_DEPTH = 3
"""Helpers that call helpers."""
MAX_INSIDE = 6
"""Assertions of a helper that is looked into."""
MAX_CALLS = 25
"""Calls of helpers in one function that are looked into; where there are more, each counts as one assertion."""
_WORD = later(r"[\w$-]+")
_OWN_NAMES = later(
    r"expect|to[A-Z]\w*|not|resolves|rejects|mock\w*|jest|vi|fn|spyOn|it|test|describe|assert\w*|equal|strictEqual|deepEqual"
    r"|deepStrictEqual|length|push|map|forEach|toString|Promise|Array|Object|JSON|console|Error|undefined|async|await|any"
    r"|string|number|boolean|unknown|cy|screen|getByText|getByRole|render|page|t|resolve|then|catch|should|be|have|to|eq"
)
"""What the language and its test frameworks call their own."""
_IDENTIFIERS = ("identifier", "property_identifier", "shorthand_property_identifier", "type_identifier")
_TELLING = frozenset(_IDENTIFIERS) | {"number", "string", "template_string"}


class FactsOf:
    """Answers for the tests and helpers of one file."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._finding = Finding(code)
        self._sizes: dict[int, int] = {}
        """Assertions of helpers, by the function's id."""

    @property
    def helpers(self) -> dict[str, tree_sitter.Node]:
        return self._finding.helpers

    def test(self, call: tree_sitter.Node, ref: Ref) -> Facts:
        """The facts of the test that `call` defines."""
        roots = functions(self._code.names, call)
        tables = [modifier.argument for modifier in ref.modifiers if modifier.name in ("each", "for")]
        cases = self._rows(tables[-1]) if tables else ()
        around = list(self._tables_around(call))
        times: int | None = None if cases is None else max(len(cases), 1)
        for table in around:
            rows = None if table is None else self._rows(table)
            times = None if rows is None or times is None else times * max(len(rows), 1)
        facts = self._facts(roots, cases, times)
        words = facts.words | handed(self._code, call)
        given = (self._finding.writing.value(table) for table in (*tables[-1:], *around))
        constants = frozenset().union(*(self._literals(table) for table in given if table is not None))
        return replace(facts, words=words, literals=facts.literals | constants)

    def function(self, root: tree_sitter.Node) -> Facts:
        """The facts of a helper or a hook."""
        return self._facts([root], (), 1)

    def _facts(self, roots: list[tree_sitter.Node], cases: tuple[str, ...] | None, times: int | None) -> Facts:
        body_of = {root: body for root in roots if (body := root.child_by_field_name("body")) is not None}
        bodies = list(body_of.values())
        named = [self._vocabulary(root, self._telling(body)) for root, body in body_of.items()]
        checks = tuple(judged(check) for root in roots for check in self._checks(root, times))
        if cases == ():
            cases = tuple(row for body in bodies for row in looped(self._code, self._finding.writing, body, checks))
        rows = [value for row in cases or () for value in row.split(ROW)]
        rows += [constant for value in rows for constant in CONSTANT.findall(value)]  # of the file's own names, too
        return Facts(
            checks=checks,
            cases=cases,
            words=frozenset().union(*(words for words, _ in named)),
            literals=frozenset(rows).union(*(literals for _, literals in named)),
            body=" ".join(self._finding.writing.body(body) for body in bodies),
            empty=not any(_does_something(body) for body in bodies),
            told=tuple(told(self._code, roots)),
            before=lambda line: frozenset().union(*(self._before(line, root, body) for root, body in body_of.items())),
            awaited=frozenset(awaited(self._code, roots)),
        )

    def _checks(self, root: tree_sitter.Node, times: int | None, depth: int = 0) -> Iterator[Check]:
        found = self._finding.inside(root)
        places = [each.node for each in found]
        reaching = Reaching(self._code, root, places, self._finding.counts_itself(root))
        known = depth < MAX_DEPTH and sum(each.helper is not None for each in found) <= MAX_CALLS
        for each in found:
            if not known or each.helper is None or each.helper.id == root.id:
                yield self._check(each, reaching, times, root)
            else:
                yield from self._helped(each, each.helper, reaching, times, depth)

    def _helped(
        self, found: Found, helper: tree_sitter.Node, reaching: Reaching, times: int | None, depth: int
    ) -> Iterator[Check]:
        """What a helper checks, as if it stood where it is called. A large one is no shorthand: it counts as one."""
        if self._size(helper) > MAX_INSIDE:
            yield self._check(found, reaching, times, None)
            return
        reach = reaching.of(found.node).by(times)
        if any(part.type == "async" for part in helper.children) and not reaching.is_awaited(found.node):
            reach = reach.below(Grade.NOTHING, UNAWAITED)
        line = found.node.start_point.row + self._code.source.first_line
        with self._finding.writing.called(helper, placed(found.node)):
            for check in self._checks(helper, reach.times, depth + 1):
                yield replace(
                    check,
                    grade=min(check.grade, reach.cap),
                    why=reach.why if reach.cap < check.grade else check.why,
                    line=line,
                    column=found.node.start_point.column + 1,
                    snippet=self._code.source.line_text(line),
                )

    def _size(self, helper: tree_sitter.Node) -> int:
        if helper.id not in self._sizes:
            self._sizes[helper.id] = len(self._finding.inside(helper))
        return self._sizes[helper.id]

    def _check(self, found: Found, reaching: Reaching, times: int | None, root: tree_sitter.Node | None) -> Check:
        said, reach = found.said, reaching.of(found.node).by(times)
        if found.waits and not reaching.is_awaited(found.node):
            reach = reach.below(Grade.NOTHING, UNAWAITED)
        writing = self._finding.writing
        wanted = said.wanted if said.wanted_node is None else writing.of(said.wanted_node)
        perhaps = reach.cap is Grade.EXISTS
        listed = gone_through(self._code, root, found.node) if root is not None and reach.times is None else None
        bounded = said.relation in ("<", "<=", ">", ">=") and said.slack is not None
        return Check(
            subject=self._subject(said.subject) + said.member,
            named=said.member,
            relation=said.relation,
            wanted="" if bounded else wanted or "",
            grade=min(said.grade, reach.cap),
            line=found.node.start_point.row + self._code.source.first_line,
            column=found.node.start_point.column + 1,
            known=said.wanted_node is None or writing.is_constant(said.wanted_node),
            slack=said.slack,
            perhaps=perhaps,
            times=reach.times,
            why=reach.why if reach.cap < said.grade or (perhaps and said.grade) else said.why,
            snippet=self._code.source.line_text(found.node.start_point.row + self._code.source.first_line),
            waits=waits(self._code, writing, found),
            over=writing.of(listed) if listed is not None else "",
        )

    def _subject(self, node: tree_sitter.Node | None) -> str:
        """A function without parameters is what it does."""
        plain = unwrapped(node)
        if plain is not None and plain.type == "arrow_function" and (body := plain.child_by_field_name("body")):
            parameters = plain.child_by_field_name("parameters")
            statements = [child for child in body.named_children if "comment" not in child.type]
            if body.type == "statement_block" and len(statements) == 1 and statements[0].named_children:
                body = statements[0].named_children[0]
            if parameters is not None and not parameters.named_children and body.type != "statement_block":
                return self._finding.writing.of(body)
        return self._finding.writing.of(node)

    def _rows(self, table: tree_sitter.Node | None) -> tuple[str, ...] | None:
        """The rows of `each([[1, 2], [3, 4]])`; None where they are known only at run time."""
        node = self._finding.writing.value(table)
        if node is not None and node.type == "call_expression":
            return self._some_of(node)
        if node is not None and node.type == "template_string":
            return tuple(
                line.strip() for line in self._code.source.text(node).strip("`").splitlines()[1:] if line.strip()
            )
        if node is None or node.type != "array":
            return None
        items = [child for child in node.named_children if "comment" not in child.type]
        if any(item.type == "spread_element" for item in items):
            return None
        return tuple(self._row(item) for item in items)

    def _some_of(self, call: tree_sitter.Node) -> tuple[str, ...] | None:
        """What is left of known rows: `[...].slice(0, 1)`. A filter is taken to leave one."""
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("property") if function is not None else None
        if function is None or name is None or self._code.text(name) not in ("slice", "filter"):
            return None
        rows, given = self._rows(function.child_by_field_name("object")), arguments(call)
        if rows is None or self._code.text(name) == "filter":
            return None if rows is None else rows[:1]
        bounds = [self._finding.writing.number(each) for each in given]
        return rows[slice(*(int(each) for each in bounds if each is not None))] if None not in bounds else rows[:1]

    def _row(self, item: tree_sitter.Node) -> str:
        node = self._finding.writing.value(item)
        if node is None or node.type not in ("array", "object"):
            return self._finding.writing.of(item)
        parts = [child for child in node.named_children if "comment" not in child.type]
        return ROW.join(self._finding.writing.of(child) for child in parts)

    def _is_local(self, node: tree_sitter.Node, root: tree_sitter.Node) -> bool:
        """A variable of the test itself."""
        binding = self._code.names.binding(node) if node.type == "identifier" else None
        if binding is None or binding.kind == "import":
            return False
        place = binding.value or binding.function
        return place is not None and root.start_byte <= place.start_byte < root.end_byte

    def _is_of_the_project(self, node: tree_sitter.Node) -> bool:
        """An imported function that is called as a matcher could be: `toInteger`."""
        path = self._code.origins.of(node) if node.type == "identifier" else None
        return path is not None and LOCAL_MODULE.match(path[0]) is not None

    def _tables_around(self, call: tree_sitter.Node) -> Iterator[tree_sitter.Node | None]:
        """What `describe.each` and loops around a test go through; None where nobody can tell."""
        for above in self._code.names.above(call):
            defined = self._code.cases.defined.get(above.id)
            for modifier in defined[1].modifiers if defined is not None else ():
                if modifier.name in ("each", "for"):
                    yield modifier.argument
            if above.type == "for_in_statement":
                yield above.child_by_field_name("right")
            elif above.type in ("for_statement", "while_statement"):
                yield None
            elif above.type == "call_expression":
                function = unwrapped(above.child_by_field_name("function"))
                accessed = function if function is not None and function.type in ACCESSES else None
                if accessed is not None and self._code.constants.member(accessed) in ("forEach", "map"):
                    yield accessed.child_by_field_name("object")

    @cached_property
    def _all_telling(self) -> Sequence[tree_sitter.Node]:
        return self._code.names.of_types(*_TELLING)

    def _telling(self, body: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
        """The names and literals in a body; those of the whole file are looked up once."""
        first, last = (bisect_left(self._all_telling, at, key=_start) for at in (body.start_byte, body.end_byte))
        return self._all_telling[first:last]

    def _literals(self, place: tree_sitter.Node) -> frozenset[str]:
        return frozenset(self._literal(node) for node in self._telling(place) if node.type not in _IDENTIFIERS)

    def _literal(self, node: tree_sitter.Node) -> str:
        """As an assertion that wants it has it."""
        return inline_literal(self._code, node) or self._finding.writing.of(node)

    def _before(self, line: int, root: tree_sitter.Node, body: tree_sitter.Node) -> frozenset[str]:
        """The names and constants up to a line."""
        nodes = standing_before(self._telling(body), body, self._code.source, line)
        return frozenset().union(*self._vocabulary(root, nodes))

    def _vocabulary(
        self, root: tree_sitter.Node, nodes: Iterable[tree_sitter.Node]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The names that a function uses, and its constants."""
        words: set[str] = set()
        literals: set[str] = set()
        for node in nodes:
            if node.type in _IDENTIFIERS:
                name = self._code.names.name(node)
                own = _OWN_NAMES.fullmatch(name) and not self._is_of_the_project(node)
                if not own and not self._is_local(node, root):
                    words.add(name)
            else:
                literal = self._literal(node)
                literals.add(literal)
                if _WORD.fullmatch(literal.strip("'\"")) and node.type == "string":
                    words.add(literal.strip("'\""))
        return frozenset(words), frozenset(literals)


def _start(node: tree_sitter.Node) -> int:
    return node.start_byte


def _does_something(body: tree_sitter.Node) -> bool:
    if body.type != "statement_block":
        return body.type not in ("undefined", "null", "true", "false")
    statements = [child for child in body.named_children if "comment" not in child.type]
    return any(
        child.type not in ("empty_statement", "return_statement") or child.named_children for child in statements
    )
