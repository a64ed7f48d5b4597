"""One assertion read: what it looks at, what it wants, and how much it demands (test inventory, class G05)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks import asserts, chai
from ralph.guardrails.javascript.checks.chain import Chain, Link
from ralph.guardrails.javascript.checks.fallback import fallback
from ralph.guardrails.javascript.checks.inline import ENDING, inlined, is_thrown
from ralph.guardrails.javascript.checks.loose import Loose
from ralph.guardrails.javascript.checks.matchers import (
    CALLED,
    FIXED,
    NOT_FIXED,
    TAKE_SETTINGS,
    THROWS,
    UNKNOWN,
    Matcher,
    matcher,
)
from ralph.guardrails.javascript.checks.members import measured, member, of_value
from ralph.guardrails.javascript.checks.once import with_number
from ralph.guardrails.javascript.checks.predicates import Predicates
from ralph.guardrails.javascript.checks.raising import raises
from ralph.guardrails.javascript.checks.truth import Said, Truths, near
from ralph.guardrails.javascript.checks.vague import demands_nothing, is_made_here, is_of_others, is_vague
from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.record import replace
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade
_LENGTH = later(r"\.(?:length|size)$")
USUAL = 0.1
"""What `toBeCloseTo(0.3)` leaves open by itself is meant for the last digits of a fraction, up to this much of it."""


class Reading:
    def __init__(self, code: Code, writing: Writing) -> None:
        self._code, self._writing = code, writing
        self._truths = Truths(code, writing)
        self._loose = Loose(code, writing)
        self._predicates = Predicates(code, writing, self.settled)

    def chain(self, chain: Chain) -> Iterator[Said]:
        """What `expect(subject)…` says; nothing at all where no matcher is called."""
        subject = next(iter(arguments(chain.start)), None)
        yield from self.links(subject, chain.links)

    def links(self, subject: tree_sitter.Node | None, links: Sequence[Link]) -> Iterator[Said]:
        negated, rejected, said = False, False, False
        for link in links:
            if link.name == "not":
                negated = True
            elif link.name in ("rejects", "rejected"):
                rejected = True
            found = (None if rejected else of_value(link)) or self._link(link)
            if found is not None:
                said = True
                told = self._specific(subject, link, found, negated)
                for each in with_number(told, link.name, subject, negated, self._writing.of):
                    thrown = rejected and each.relation == "=="
                    yield replace(each, relation="raises", member="") if thrown else each
                negated = False
        if rejected and not said and links and links[-1].name == "rejected":
            yield Said(subject, "raises", EXISTS)
        elif not said:
            yield Said(subject, "nothing", NOTHING, why="no matcher is called")

    def should(self, subject: tree_sitter.Node | None, given: Sequence[tree_sitter.Node]) -> Iterator[Said]:
        """Cypress' `should("be.visible")`, `should("have.text", "x")`, `should(callback)`."""
        words = self._code.constants.value(given[0]) if given else None
        if not isinstance(words, str):
            return  # a callback: its assertions are read by themselves
        names = words.split(".")
        last, negated = names[-1], "not" in names
        if last in chai.PROPERTIES and len(given) == 1:
            row, wanted = chai.PROPERTIES[last]
            yield self._said(subject, row, negated, None, wanted)
        else:
            yield self._said(subject, chai.METHODS.get(last, UNKNOWN), negated, given[-1] if len(given) > 1 else None)

    def function(self, name: str, given: Sequence[tree_sitter.Node]) -> Iterator[Said]:
        """A call of an assertion function."""
        row = asserts.FUNCTIONS.get(name, asserts.Function(UNKNOWN, 1))
        subject = given[0] if given else None
        if name in asserts.PASSES:
            yield Said(subject, "exists", NOTHING, why="it always passes")
        elif row.matcher.relation == "raises":
            yield raises(self._code, self._writing, subject, given[1:2])
        elif row.wanted in ("true", "false") or (row.operands == 1 and row.matcher.relation in ("exists", "falsy")):
            yield from self._true(subject, row)
        elif row.matcher.relation == CALLED and len(given) > 1:
            called = iter([self._called(subject, row.matcher, False, given[1:])])
            yield from with_number(called, name, subject, False, self._writing.of)
        elif row.operands == 2 and len(given) > 1 and self._is_truth(row, given):
            yield from self._true(subject, row._replace(wanted=self._writing.of(given[1])))
        elif row.operands == 2 and len(given) > 1:
            equal = iter([self._said(subject, row.matcher, False, given[1], tolerance=next(iter(given[2:]), None))])
            yield from with_number(equal, name, subject, False, self._writing.of)
        else:
            yield self._said(subject, row.matcher, False, None, row.wanted or None)

    def _is_truth(self, row: asserts.Function, given: Sequence[tree_sitter.Node]) -> bool:
        """`equal(x > 2, true)` is a condition."""
        return row.matcher.relation == "==" and self._writing.of(given[1]) in ("true", "false")

    def truth(self, node: tree_sitter.Node | None) -> Iterator[Said]:
        """What is demanded where an expression has to be true."""
        yield from map(self.settled, self._truths.of(node))

    def condition(self, node: tree_sitter.Node | None) -> Iterator[Said]:
        """`if (wrong) throw …`."""
        yield from self._truths.of(node, positive=False)

    def _true(self, subject: tree_sitter.Node | None, row: asserts.Function) -> Iterator[Said]:
        for said in self._truths.of(subject, positive=row.matcher.relation != "falsy" and row.wanted != "false"):
            exact = row.wanted and said.relation in ("exists", "falsy") and said.grade > NOTHING
            yield self._said(subject, row.matcher, False, None, row.wanted) if exact else self.settled(said)

    def _link(self, link: Link) -> Matcher | None:
        if link.arguments is None:
            return chai.PROPERTIES[link.name][0] if link.name in chai.PROPERTIES else None
        if link.name in chai.METHODS:
            return chai.METHODS[link.name]
        return (
            None
            if chai.WORDS.fullmatch(link.name) or link.name in ("poll", "soft", "withContext")
            else matcher(link.name)
        )

    def _specific(self, subject: tree_sitter.Node | None, link: Link, row: Matcher, negated: bool) -> Iterator[Said]:
        given = link.arguments or ()
        if link.name in THROWS or row.relation == "raises":
            yield Said(subject, "not raises", EXISTS) if negated else raises(self._code, self._writing, subject, given)
            return
        if link.name.endswith(ENDING) and given:
            text = self._code.constants.value(given[-1])
            written = text if isinstance(text, str) else self._writing.of(given[-1])
            relation, words = inlined(written, thrown=is_thrown(link.name))
            yield Said(subject, relation, EXACT, wanted=words)
            return
        predicate = None if negated or not given else self._predicate(row, given[0])
        if predicate is not None and (told := self._predicates.of(subject, predicate)):
            yield from told
            return
        wanted = FIXED.get(link.name) or (NOT_FIXED.get(link.name) if negated else None)
        if link.arguments is None or (not given and link.name in chai.PROPERTIES):
            wanted = chai.PROPERTIES[link.name][1] if link.name in chai.PROPERTIES else wanted
        says_true = (wanted or (self._writing.of(given[0]) if len(given) == 1 else "")) in ("true", "false")
        if (row.relation == "==" and says_true) or link.name in ("toBeTruthy", "toBeFalsy", "ok"):
            yield from self._boolean(subject, link, row, negated, wanted)
            return
        if negated and wanted == "undefined" and link.name == "toBeDefined":
            row = Matcher("==", EXACT, "==", EXACT)
        if row.relation == CALLED and given:
            yield self._called(subject, row, negated, given[1:] if "nth" in link.name.lower() else given)
            return
        named = len(given) == 2 and row.relation == "==" and link.name not in TAKE_SETTINGS
        node = given[-1] if named else next(iter(given), None)
        tolerance = given[1] if len(given) > 1 and row.relation == "~" else None
        if row.relation == "snapshot":
            node = None
        if row.relation == "==" and not given and wanted is None:
            # `toMatchInlineSnapshot()` writes itself; `toHaveAttribute("x")` only wants it to be there.
            row = row._replace(relation="exists", grade=EXISTS)
        plain = unwrapped(node)
        if row.relation == "==" and link.name.startswith("toHave") and plain is not None and plain.type == "regex":
            row = UNKNOWN  # Playwright's `toHaveText(/x/)`
        behind = member(link, row, self._code, self._writing)
        said = self._said(subject, row, negated, node, wanted, tolerance, behind)
        there = link.name in ("toHaveAttribute", "toHaveProperty", "property", "attr") and len(given) < 2
        if link.name == "toHaveProperty" and row.relation != "==" and len(given) == 2:
            said = replace(said, grade=self._loose.left_of(Said(subject, "part", said.grade, given[1])).grade)
        yield replace(said, grade=min(said.grade, EXISTS)) if there else said

    def _called(
        self, subject: tree_sitter.Node | None, row: Matcher, negated: bool, given: Sequence[tree_sitter.Node]
    ) -> Said:
        """What a call is to have been given: one value, or all of them as they are listed."""
        listed = self._code.names.parent(given[0]) if len(given) > 1 else next(iter(given), None)
        said = self._said(subject, row, negated, listed)
        return said if negated else self._loose.left_of_call(said, given)

    def _predicate(self, row: Matcher, node: tree_sitter.Node) -> tree_sitter.Node | None:
        """The function of `toSatisfy(f)`, and of `toEqual(expect.toSatisfy(f))`."""
        if row.relation == "satisfies":
            return node
        plain = unwrapped(node)
        if row.relation != "==" or plain is None or plain.type != "call_expression":
            return None
        handed_on = self._code.origins.of(plain.child_by_field_name("function")) == ("expect", "toSatisfy")
        return next(iter(arguments(plain)), None) if handed_on else None

    def _boolean(
        self, subject: tree_sitter.Node | None, link: Link, row: Matcher, negated: bool, wanted: str | None
    ) -> Iterator[Said]:
        """A comparison or a predicate that is to be true or false."""
        text = wanted or (self._writing.of(link.arguments[0]) if link.arguments else "true")
        positive = (text != "false" and link.name != "toBeFalsy") is not negated
        inner = self._coerced(subject)
        if inner is not None:
            yield from self._truths.of(inner, positive)
            return
        for said in self._truths.of(subject, positive):
            plain = said.relation in ("exists", "falsy") and said.grade > NOTHING
            yield self._said(subject, row, negated, None, text if row.relation == "==" else None) if plain else said

    def _coerced(self, subject: tree_sitter.Node | None) -> tree_sitter.Node | None:
        """What `Boolean(x)` and `!!x` are of: any value at all makes them true."""
        node = unwrapped(subject)
        if node is not None and node.type == "unary_expression":
            inner = unwrapped(node.child_by_field_name("argument"))
            twice = re.match(r"!\s*!", self._code.text(node)) is not None
            return inner.child_by_field_name("argument") if twice and inner is not None else None
        if node is None or node.type != "call_expression":
            return None
        named = self._code.origins.of(node.child_by_field_name("function")) == ("Boolean",)
        return arguments(node)[0] if named and len(arguments(node)) == 1 else None

    def _said(
        self,
        subject: tree_sitter.Node | None,
        row: Matcher,
        negated: bool,
        node: tree_sitter.Node | None,
        wanted: str | None = None,
        tolerance: tree_sitter.Node | None = None,
        member: str = "",
    ) -> Said:
        relation, grade = (row.negated, row.negated_grade) if negated else (row.relation, row.grade)
        if relation == "~":
            return self.settled(self._near(subject, node, tolerance))
        if relation in ("<", "<=", ">", ">=") and subject is not None and node is not None:
            return self._truths.compared(subject, relation, node)
        return self.settled(Said(subject, relation, grade, node, wanted, member=member))

    def _near(
        self, subject: tree_sitter.Node | None, node: tree_sitter.Node | None, tolerance: tree_sitter.Node | None
    ) -> Said:
        """`toBeCloseTo(3, digits)` and `closeTo(3, delta)`; the slack is relative where the value is known."""
        call = self._code.names.parent(self._code.names.parent(node) or node) if node is not None else None
        function = call.child_by_field_name("function") if call is not None else None
        by_digits = function is not None and self._code.constants.member(function) == "toBeCloseTo"
        given = [tolerance] if tolerance is not None else []
        slack = (
            self._loose.slack(given)
            if by_digits
            else self._writing.number(tolerance)
            if tolerance is not None
            else None
        )
        said = near(subject, node, slack, self._writing.number(node))
        usual = by_digits and tolerance is None and said.slack is not None and said.slack < USUAL
        return replace(said, grade=max(said.grade, CLOSE)) if usual else said

    def settled(self, said: Said) -> Said:
        """With what both sides together give away."""
        if said.grade is NOTHING:
            return said
        if said.relation in ("==", "part", "in", "matches"):
            said = self._loose.left_of(said)
        subject = self._writing.of(said.subject) + said.member
        wanted = self._writing.of(said.wanted_node) if said.wanted_node is not None else said.wanted
        literal = not is_of_others(said) and self._is_known(said.subject)
        if literal and (said.wanted_node is None or self._writing.is_literal(said.wanted_node)):
            return replace(said, grade=NOTHING, why="it compares constants")
        if said.relation == "==" and wanted is not None and subject == wanted:
            return replace(said, grade=NOTHING, why="both sides are the same")
        if said.relation == "==" and wanted is not None and fallback(self._code, self._writing, said.subject) == wanted:
            return replace(said, grade=EXISTS, why="what is wanted is what it falls back to")
        if said.relation == "exists" and is_made_here(said.subject):
            return replace(said, grade=NOTHING, why="it is always there")
        if demands_nothing(said, wanted):
            return replace(said, grade=NOTHING, why="everything matches")
        if said.relation == "matches" and said.grade is CLOSE and is_vague(self._writing.value(said.wanted_node)):
            return replace(said, grade=SHAPE)
        if said.relation == "==" and said.grade is EXACT and subject.startswith(("typeof ", "typeof(")):
            return replace(said, relation="type", grade=SHAPE)
        if said.relation == "in" and subject.endswith(".message") and ".catch(" in subject:
            return replace(said, grade=max(said.grade, CLOSE))
        if said.relation == "==" and said.grade is EXACT and _LENGTH.search(subject):
            return measured(said)
        return said

    def _is_known(self, subject: tree_sitter.Node | None) -> bool:
        """A literal, or a number that is made of some."""
        return self._writing.is_literal(subject) or self._writing.number(subject) is not None
