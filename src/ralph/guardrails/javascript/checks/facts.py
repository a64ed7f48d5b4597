"""What one test does, as the inventory asks for it (test inventory, class G05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import tree_sitter

from ralph.guardrails.inventory.arranged.overwritten import without_overwritten
from ralph.guardrails.inventory.failures.placed import once_more
from ralph.guardrails.inventory.model import ROW, Check, Facts, Grade
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.rows.inputs import CONSTANT
from ralph.guardrails.inventory.wanted.alternative import judged
from ralph.guardrails.javascript.checks.asking import as_asked, of_constants
from ralph.guardrails.javascript.checks.callbacks import awaited, told
from ralph.guardrails.javascript.checks.finding import Finding, Found
from ralph.guardrails.javascript.checks.handed import handed, placed
from ralph.guardrails.javascript.checks.held import held
from ralph.guardrails.javascript.checks.hollow import is_hollow
from ralph.guardrails.javascript.checks.lending import HELPER, Asked, Helper, Lending, Lent
from ralph.guardrails.javascript.checks.looping import arm_of, gone_through
from ralph.guardrails.javascript.checks.owners import Owner
from ralph.guardrails.javascript.checks.parameters import are_kept, filled_up, parameters
from ralph.guardrails.javascript.checks.reach import UNAWAITED, Reaching
from ralph.guardrails.javascript.checks.rows import Rows
from ralph.guardrails.javascript.checks.tables import looped
from ralph.guardrails.javascript.checks.truth import Said
from ralph.guardrails.javascript.checks.verdicts import verdict
from ralph.guardrails.javascript.checks.vocabulary import Vocabulary
from ralph.guardrails.javascript.checks.waiting import waits
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.collected.roots import Ref
from ralph.guardrails.javascript.syntax.calls import functions
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.guardrails.memo import Memo
from ralph.record import replace
from ralph.system.patterns import later

_THIS = later(r"(?<![\w.])this\b")
MAX_DEPTH = 3
"""Helpers that call helpers."""
MAX_INSIDE = 6
"""Assertions of a helper that is looked into."""
MAX_CALLS = 25
"""Calls of helpers in one function that are looked into; where there are more, each counts as one assertion."""


class FactsOf:
    """Answers for the tests and helpers of one file; `this`: of what its methods are."""

    def __init__(self, code: Code, paths: Paths | None, memo: Memo | None = None, this: Owner | None = None) -> None:
        self._code, self._paths = code, paths
        self._memo = memo or (paths.memo if paths is not None else Memo())
        lending = Lending(code, paths, self._memo, this, self._lent)
        self._finding = Finding(code, lending, this.fields if this is not None else {})
        self._rows = Rows(code, self._finding.writing)
        self._vocabulary = Vocabulary(code, self._finding.writing)
        self._sizes: dict[int, int] = {}
        """Assertions of helpers, by the function's id."""

    @property
    def helpers(self) -> dict[str, tree_sitter.Node]:
        return self._finding.helpers

    def may_assert(self, name: str, function: tree_sitter.Node) -> bool:
        """It does, or has the name of what does and does nothing else that could fail."""
        if not self._finding.is_helper(function):
            return False
        return self._finding.asserts(function) or (bool(HELPER.fullmatch(name)) and not self._finding.inside(function))

    def is_script(self, root: tree_sitter.Node, *, named: bool) -> bool:
        """A file that asserts something at its top level; `named`: as a test, where what is thrown is an assertion."""
        return any(named or each.node.type == "call_expression" for each in self._finding.inside(root))

    def held(self) -> Iterator[tuple[tuple[str, ...], tree_sitter.Node, Callable[[], Facts]]]:
        """Helpers that belong to something else: their names, and what they do."""
        for parts, helper in held(self._code, self._paths) if self._paths is not None else ():
            if helper.judges or self.may_assert(parts[-1], helper.value.node):
                yield parts, helper.value.node, partial(self._held, helper)

    def _held(self, helper: Helper) -> Facts:
        facts = self._facts_for(helper)
        whole, judged = facts.function(helper.value.node), facts.judged_by(helper.value.node) if helper.judges else None
        return whole if judged is None else replace(whole, checks=judged.checks)

    def test(self, call: tree_sitter.Node, ref: Ref) -> Facts:
        """The facts of the test that `call` defines."""
        roots = functions(self._code.names, call)
        tables = [modifier.argument for modifier in ref.modifiers if modifier.name in ("each", "for")]
        cases = self._rows.of(tables[-1]) if tables else ()
        around = list(self._rows.around(call))
        times: int | None = None if cases is None else max(len(cases), 1)
        for table in around:
            rows = None if table is None else self._rows.of(table)
            times = None if rows is None or times is None else times * max(len(rows), 1)
        facts = self._facts(roots, cases, times)
        words = facts.words | handed(self._code, call)
        given = (self._finding.writing.value(table) for table in (*tables[-1:], *around))
        constants = frozenset().union(*(self._vocabulary.literals(table) for table in given if table is not None))
        return replace(facts, words=words, literals=facts.literals | constants)

    def function(self, root: tree_sitter.Node) -> Facts:
        """The facts of a helper or a hook."""
        return self._facts([root], (), 1)

    def _judged(self, root: tree_sitter.Node, times: int | None) -> tuple[Check, ...]:
        return without_overwritten(tuple(map(judged, self._checks(root, times))), self._code.source, root)

    def _facts(self, roots: list[tree_sitter.Node], cases: tuple[str, ...] | None, times: int | None) -> Facts:
        body_of = {root: body for root in roots if (body := _body(root)) is not None}
        bodies = list(body_of.values())
        named = [self._vocabulary.of(root, self._vocabulary.telling(body)) for root, body in body_of.items()]
        checks = tuple(check for root in roots for check in self._judged(root, times))
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
        known = depth < MAX_DEPTH and sum((each.helper or each.asked) is not None for each in found) <= MAX_CALLS
        for each in found:
            if known and each.asked is not None:
                yield from self._once_more(each, each.asked, reaching, times)
            elif not known or each.helper is None or each.helper.id == root.id:
                yield self._check(each, reaching, times, root)
            else:
                yield from self._helped(each, each.helper, reaching, times, depth)

    def _helped(
        self, found: Found, helper: tree_sitter.Node, reaching: Reaching, times: int | None, depth: int
    ) -> Iterator[Check]:
        """What a helper checks, as if it stood where it is called. A large one is no shorthand: it counts as one."""
        if self._size(helper) > MAX_INSIDE or not are_kept(self._code, helper):
            yield self._check(found, reaching, times, None)
            return
        reach = reaching.of(found.node).by(times)
        if any(part.type == "async" for part in helper.children) and not reaching.is_awaited(found.node):
            reach = reach.below(Grade.NOTHING, UNAWAITED)
        line = found.node.start_point.row + self._code.source.first_line
        with self._finding.writing.called(helper, filled_up(helper, placed(found.node))):
            for check in map(of_constants, self._checks(helper, reach.times, depth + 1)):
                yield replace(
                    check,
                    grade=min(check.grade, reach.cap),
                    why=reach.why if reach.cap < check.grade else check.why,
                    line=line,
                    column=found.node.start_point.column + 1,
                    snippet=self._code.source.line_text(line),
                )

    def _once_more(self, found: Found, asked: Asked, reaching: Reaching, times: int | None) -> Iterator[Check]:
        reach = reaching.of(found.node).by(times)
        if asked.lent.waits and not reaching.is_awaited(found.node):
            reach = reach.below(Grade.NOTHING, UNAWAITED)
        line = found.node.start_point.row + self._code.source.first_line
        place = (line, found.node.start_point.column + 1, self._code.source.line_text(line))
        for check in as_asked(asked, self._code, self._finding.reading, self._finding.writing):
            often = None if check.times is None or reach.times is None else check.times * reach.times
            yield once_more(check, reach.cap, reach.why, often, place)

    def _lent(self, helper: Helper) -> Lent | None:
        """What a helper asserts, as its own file tells."""
        facts = self._facts_for(helper)
        return facts.judged_by(helper.value.node) if helper.judges else facts.lent(helper.value.node)

    def _facts_for(self, helper: Helper) -> FactsOf:
        code, owner = helper.value.code, helper.owner
        key = ("facts of", code.source.path, owner.key if owner is not None else None)
        return self._memo.once(key, lambda: FactsOf(code, self._paths, self._memo, owner))

    def lent(self, function: tree_sitter.Node) -> Lent | None:
        """What a helper of this file asserts for others."""
        found, given = self._finding.inside(function), parameters(self._code, function)
        if len(found) > MAX_INSIDE or not self._finding.is_helper(function) or not are_kept(self._code, function):
            return None
        if not found:
            return Lent(given, (), False) if is_hollow(self._code, function) else None
        waits = any(part.type == "async" for part in function.children) or any(each.waits for each in found)
        checks = tuple(self._checks(function, 1))
        unknown = any(_THIS.search(f"{check.subject} {check.wanted}") for check in checks)
        return None if unknown else Lent(given, checks, waits)

    def judged_by(self, function: tree_sitter.Node) -> Lent | None:
        """What a matcher of this file demands of what it is given first."""
        place = verdict(self._code, self._finding.writing, function)
        said = list(self._finding.reading.truth(place.node)) if place is not None else []
        kept = are_kept(self._code, function)
        if place is None or not kept or not said or len(said) > MAX_INSIDE or any(map(self._is_unread, said)):
            return None
        reaching = Reaching(self._code, function, [place.at], sure=False)
        checks = tuple(self._check(Found(place.at, each), reaching, 1, None) for each in said)
        waits = any(part.type == "async" for part in function.children)
        return Lent(parameters(self._code, function), checks, waits)

    def _is_unread(self, said: Said) -> bool:
        """A function of the project, or a variable, that nobody can tell the meaning of."""
        plain = self._finding.writing.value(said.subject)
        called = plain is not None and plain.type in ("call_expression", "await_expression", "identifier")
        return said.relation in ("exists", "falsy") and called

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


def _body(root: tree_sitter.Node) -> tree_sitter.Node | None:
    return root if root.type == "program" else root.child_by_field_name("body")


def _does_something(body: tree_sitter.Node) -> bool:
    if body.type not in ("statement_block", "program"):
        return body.type not in ("undefined", "null", "true", "false")
    statements = [child for child in body.named_children if "comment" not in child.type]
    return any(
        child.type not in ("empty_statement", "return_statement") or child.named_children for child in statements
    )
