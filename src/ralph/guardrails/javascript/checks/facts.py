"""What one test does, as the inventory asks for it (test inventory, class G05)."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.alternative import judged
from ralph.guardrails.inventory.calling import put_in
from ralph.guardrails.inventory.inputs import CONSTANT
from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade
from ralph.guardrails.inventory.placed import once_more
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.calls import arguments, functions
from ralph.guardrails.javascript.checks.callbacks import awaited, told
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.finding import Finding, Found
from ralph.guardrails.javascript.checks.handed import handed, placed
from ralph.guardrails.javascript.checks.lending import Lending, Lent, parameters_of
from ralph.guardrails.javascript.checks.looping import arm_of, gone_through
from ralph.guardrails.javascript.checks.reach import UNAWAITED, Reaching
from ralph.guardrails.javascript.checks.tables import looped
from ralph.guardrails.javascript.checks.vocabulary import Vocabulary
from ralph.guardrails.javascript.checks.waiting import waits
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.names import unwrapped
from ralph.guardrails.javascript.roots import Ref
from ralph.record import replace

MAX_DEPTH = 3
"""Helpers that call helpers."""
MAX_INSIDE = 6
"""Assertions of a helper that is looked into."""
MAX_CALLS = 25
"""Calls of helpers in one function that are looked into; where there are more, each counts as one assertion."""


class FactsOf:
    """Answers for the tests and helpers of one file."""

    def __init__(self, code: Code, paths: Paths | None) -> None:
        self._code = code
        self._finding = Finding(code, Lending(code, paths, _lent).of)
        self._vocabulary = Vocabulary(code, self._finding.writing)
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
        constants = frozenset().union(*(self._vocabulary.literals(table) for table in given if table is not None))
        return replace(facts, words=words, literals=facts.literals | constants)

    def function(self, root: tree_sitter.Node) -> Facts:
        """The facts of a helper or a hook."""
        return self._facts([root], (), 1)

    def _facts(self, roots: list[tree_sitter.Node], cases: tuple[str, ...] | None, times: int | None) -> Facts:
        body_of = {root: body for root in roots if (body := root.child_by_field_name("body")) is not None}
        bodies = list(body_of.values())
        named = [self._vocabulary.of(root, self._vocabulary.telling(body)) for root, body in body_of.items()]
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
            before=lambda line: frozenset().union(
                *(self._vocabulary.before(line, root, body) for root, body in body_of.items())
            ),
            awaited=frozenset(awaited(self._code, roots)),
        )

    def _checks(self, root: tree_sitter.Node, times: int | None, depth: int = 0) -> Iterator[Check]:
        found = self._finding.inside(root)
        places = [each.node for each in found]
        reaching = Reaching(self._code, root, places, self._finding.counts_itself(root))
        known = depth < MAX_DEPTH and sum((each.helper or each.lent) is not None for each in found) <= MAX_CALLS
        for each in found:
            if known and each.lent is not None:
                yield from self._once_more(each, each.lent, reaching, times)
            elif not known or each.helper is None or each.helper.id == root.id:
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

    def _once_more(self, found: Found, lent: Lent, reaching: Reaching, times: int | None) -> Iterator[Check]:
        reach = reaching.of(found.node).by(times)
        if lent.waits and not reaching.is_awaited(found.node):
            reach = reach.below(Grade.NOTHING, UNAWAITED)
        line = found.node.start_point.row + self._code.source.first_line
        place = (line, found.node.start_point.column + 1, self._code.source.line_text(line))
        given = dict(zip(lent.parameters, map(self._finding.writing.of, placed(found.node)), strict=False))
        for check in lent.checks:
            often = None if check.times is None or reach.times is None else check.times * reach.times
            said = replace(check, subject=put_in(check.subject, given), wanted=put_in(check.wanted, given))
            yield once_more(said, reach.cap, reach.why, often, place)

    def lent(self, name: str) -> Lent | None:
        """What a helper of this file asserts for others."""
        function = self.helpers.get(name)
        if function is None or self._size(function) > MAX_INSIDE:
            return None
        waits = any(part.type == "async" for part in function.children)
        return Lent(parameters_of(self._code, function), tuple(self._checks(function, 1)), waits)

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
            arm=arm_of(self._code, root, found.node) if root is not None else "",
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


def _does_something(body: tree_sitter.Node) -> bool:
    if body.type != "statement_block":
        return body.type not in ("undefined", "null", "true", "false")
    statements = [child for child in body.named_children if "comment" not in child.type]
    return any(
        child.type not in ("empty_statement", "return_statement") or child.named_children for child in statements
    )


def _lent(code: Code, name: str) -> Lent | None:
    """A helper of another file; what that imports itself is not followed."""
    return FactsOf(code, None).lent(name)
