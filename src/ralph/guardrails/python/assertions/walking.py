"""Reads the statements of one Python test and collects its assertions (the rules are those of `facts`)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable

from ralph.guardrails.inventory.failures.placed import once_more
from ralph.guardrails.inventory.model import SWALLOWED, Check, Grade
from ralph.guardrails.python.assertions.asserting import asserted
from ralph.guardrails.python.assertions.said_by_failing import stated
from ralph.guardrails.python.assertions.strength import claims
from ralph.guardrails.python.claims import Claim, constant_value, name_of, same_as_written, source_of
from ralph.guardrails.python.failures.guarding import code_of, is_assertion, is_suppression, raised_in, watched
from ralph.guardrails.python.failures.handed_over import lost_functions
from ralph.guardrails.python.failures.reach import (
    CONDITION,
    FAILS,
    LEAVES,
    NEVER,
    PLATFORM,
    Reach,
    capped,
    fails,
    in_arm,
    in_rounds,
    leaves,
    length,
    pairs,
    rest_of,
)
from ralph.guardrails.python.failures.swallowers import EXIT
from ralph.guardrails.python.failures.trying import tried
from ralph.guardrails.python.lending.inlining import Inliner
from ralph.guardrails.python.lending.scope import FunctionDef, Scope
from ralph.guardrails.python.rows.case_tables import parameters_of
from ralph.guardrails.python.rows.cutting import in_whole, is_cut, over_of
from ralph.guardrails.python.trees import walk
from ralph.record import replace

LineText = Callable[[int], str]


class Walker:
    """`found` are the assertions in the order of the text."""

    def __init__(self, function: FunctionDef, scope: Scope, first_line: int, line_text: LineText) -> None:
        self.found: list[Check] = []
        self.nodes = walk(function)
        self.inliner = Inliner(function, scope.values, self.nodes, scope.formulas)
        self._helpers = scope.helpers
        self._defined = scope.defined | self.inliner.functions
        self._parameters = parameters_of(function)
        self._swallowers = scope.swallowers
        self._line = first_line - 1
        self._line_text = line_text
        self._used = Counter(node.id for node in self.nodes if isinstance(node, ast.Name))
        self._attributes = {node.attr for node in self.nodes if isinstance(node, ast.Attribute)}
        self._lost = lost_functions(function, self.nodes)
        self._exceptions: dict[str, int] = {}
        """Names that `raises` gave its exception, and where in `found` its assertion is."""

    def block(self, statements: Iterable[ast.stmt], reach: Reach) -> bool:
        """Reads statements in order; true if the end is never reached."""
        for statement in statements:
            left = self._statement(statement, reach)
            if left:
                reach = reach.lowered(*LEAVES[left])
        return reach.why == NEVER

    def _statement(self, node: ast.stmt, reach: Reach) -> str:
        """How the statement leaves the block (a key of `LEAVES`), empty if it does not."""
        match node:
            case ast.Assert(test=test):
                put_in = self.inliner.put_in(self._decided(test, node.lineno), node.lineno)
                asked, first = in_whole(put_in), len(self.found)
                self._claims(node, claims(asked), reach, test)
                if asked is not put_in:
                    self.found[first:] = [replace(each, cut=True) for each in self.found[first:]]
            case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self._expression(node, value, reach)
            case ast.If():
                if (held := stated(node)) is not None:
                    self._claims(node, claims(self.inliner.put_in(held, node.lineno)), reach, node.test)
                return self._if(node, reach)
            case ast.With() | ast.AsyncWith():
                return self._with(node, reach)
            case ast.Try() | ast.TryStar():
                return tried(node, reach, self.block)
            case ast.Return(value=ast.expr() as value):
                self._expression(node, value, reach)
                return "always"
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                return "always"
            case _:
                self._compound(node, reach)
        return ""

    def _decided(self, test: ast.expr, line: int) -> ast.expr:
        """`same(a, b)` as the comparisons that it returns."""
        if not isinstance(test, ast.Call) or self.inliner.formulas is None:
            return test
        return self.inliner.formulas.decided(test, self.inliner.at(line)) or test

    def _compound(self, node: ast.stmt, reach: Reach) -> None:
        match node:
            case ast.For() | ast.AsyncFor():
                items = self.inliner.put_in(node.iter, node.lineno)
                number, first = length(items), len(self.found)
                self.block(node.body, in_rounds(node, number, reach, self.inliner.given))
                together, over, cut = pairs(items), over_of(items), is_cut(node, items)
                self.found[first:] = [
                    replace(each, pairs=together or each.pairs, over=over, cut=each.cut or cut)
                    for each in self.found[first:]
                ]
                self.block(node.orelse, reach)
            case ast.While():
                value = constant_value(node.test)
                never = value is not None and not value[0]
                self.block(node.body, reach.lowered(Grade.NOTHING, NEVER) if never else reach.repeated(None))
                self.block(node.orelse, reach)
            case ast.Match(cases=cases):
                other = rest_of(cases)
                least = reach.lowered(*LEAVES["sometimes"]) if other else reach
                self._branches([*(case.body for case in cases), *other], reach, least)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                used = self._used[node.name] or node.decorator_list or node.name in self._attributes
                unused = reach.lowered(Grade.NOTHING, "it stands in a function that nobody calls, or hears of")
                self.block(node.body, reach.repeated(None) if used and node.name not in self._lost else unused)
            case ast.ClassDef(body=body):
                self.block(body, reach)

    def _expression(self, node: ast.stmt, value: ast.expr, reach: Reach) -> str:
        call = value.value if isinstance(value, ast.Await) else value
        if not isinstance(call, ast.Call):
            return ""
        name = name_of(call)
        never = [constant_value(each) == (False,) for each in call.args] == [True]  # `assume(False)`
        if isinstance(node, ast.Expr) and (FAILS.search(name) or (never and name.endswith("assume"))):
            return "always"
        last = name.rpartition(".")[2]
        if last == "enter_context" and is_suppression(call.args):
            return "swallowed"
        helper = next((each for each in (name, last) if self._helpers.get(each) is not None), "")
        if helper:
            put_in = self.inliner.put_in(call, node.lineno)
            said = self._helpers.called(helper, put_in if isinstance(put_in, ast.Call) else call)
            self.found += (self._said_by_helper(node, each, reach) for each in said)
        elif isinstance(node, ast.Expr) and last not in self._defined:
            put_in = self.inliner.put_in(call, node.lineno)
            self._claims(node, asserted(put_in) if isinstance(put_in, ast.Call) else (), reach, call)
        return ""

    def _said_by_helper(self, node: ast.stmt, check: Check, reach: Reach) -> Check:
        line = node.lineno + self._line
        times = None if check.times is None or reach.times is None else check.times * reach.times
        return once_more(check, reach.cap, reach.why, times, (line, node.col_offset + 1, self._line_text(line)))

    def _claims(self, node: ast.stmt, found: Iterable[Claim], reach: Reach, written: ast.expr) -> None:
        names = self._names(written, node.lineno)
        caught = next((self._exceptions[name] for name in sorted(names & self._exceptions.keys())), None)
        for claim in found:
            same = claim.why == "both sides are the same" and not same_as_written(written)
            apart = same and self._are_two(written, node)
            if caught is not None and reach.cap is Grade.EXACT and claim.grade > Grade.EXISTS:
                self._narrowed(caught, claim)
            else:
                self.add(node, replace(claim, grade=Grade.CLOSE, why="") if apart else claim, reach)

    def _are_two(self, written: ast.expr, node: ast.stmt) -> bool:
        """The sides are given the same, and are two things: something happened in between, or each was made anew. Names
        of one thing (`expected = actual`) stay one."""
        match written:
            case ast.Compare(left=ast.Name() as left, comparators=[ast.Name() as right]):
                line = node.lineno
                if self.inliner.first_name(left.id, line) == self.inliner.first_name(right.id, line):
                    return False
                given = self.inliner.put_in(left, line)
                made = isinstance(given, ast.Call) and name_of(given).rpartition(".")[2][:1].isupper()
                return made or self.inliner.changes_between(written, node)
        return self.inliner.changes_between(written, node)

    def _names(self, tree: ast.AST, line: int) -> set[str]:
        """The names in it, and those of what they were given."""
        names = {part.id for part in walk(tree) if isinstance(part, ast.Name)}
        given = [known[1] for name in names if (known := self.inliner.given(name, line)) is not None]
        return names | {part.id for each in given for part in walk(each) if isinstance(part, ast.Name)}

    def _narrowed(self, index: int, claim: Claim) -> None:
        """What is said about an exception that `raises` caught is said by `raises`: its message."""
        check = self.found[index]
        self.found[index] = replace(
            check,
            wanted=f"{check.wanted} {claim.wanted}",
            grade=Grade(min(check.grade + 1, Grade.EXACT)) if check.grade else check.grade,
            known=check.known and claim.known,
            covers=check.covers + 1,
        )

    def add(self, node: ast.stmt, claim: Claim, reach: Reach) -> None:
        grade, perhaps = min(claim.grade, reach.cap), reach.cap is Grade.EXISTS
        self.found.append(
            Check(
                subject=claim.subject,
                relation=claim.relation,
                wanted=claim.wanted,
                grade=grade,
                line=node.lineno + self._line,
                column=node.col_offset + 1,
                known=claim.known,
                slack=claim.slack,
                guessed=claim.guessed,
                perhaps=perhaps,
                times=reach.times,
                covers=claim.parts,
                exactly=claim.exactly,
                why=reach.why if grade < claim.grade or (perhaps and grade) else claim.why,
                snippet=self._line_text(node.lineno + self._line),
            )
        )

    def _if(self, node: ast.If, reach: Reach) -> str:
        value = constant_value(node.test)
        if value is not None:
            live, dead = (node.body, node.orelse) if value[0] else (node.orelse, node.body)
            self.block(dead, reach.lowered(Grade.NOTHING, NEVER))
            return "always" if self.block(live, reach) else ""
        names = {part.id for part in walk(node.test) if isinstance(part, ast.Name)}
        platform = PLATFORM.search(source_of(node.test)) is not None
        chosen = bool(names) and names <= self._parameters  # the table of cases chooses the branch
        if chosen and (node.orelse or leaves(node.body)):
            least = reach
        else:
            least = reach.lowered(*LEAVES["platform" if platform else "sometimes"])
        first = len(self.found)
        left = self._branches([node.body, node.orelse], reach, least)
        if all(left):
            return "always"
        if chosen and not node.orelse and any(check.grade for check in self.found[first:]):
            return ""  # what stands behind it is the other branch
        harmless = not any(left) or fails(node.body) or fails(node.orelse)
        return "" if harmless else "platform" if platform else "sometimes"

    def _branches(self, blocks: list[list[ast.stmt]], reach: Reach, least: Reach) -> list[bool]:
        """Branches of which one is run: each is worth what the weakest of them is, and at least what `least` gives.
        Returns for each whether it leaves the block around it."""
        left, best, start = [], [Grade.EXACT], len(self.found)
        for number, block in enumerate(blocks):
            first = len(self.found)
            left.append(self.block(block, reach) or leaves(block))
            self.found[first:] = in_arm(self.found[first:], blocks[0], number)
            grades = [check.grade for check in self.found[first:]]
            best.append(Grade.EXACT if fails(block) else max(grades, default=Grade.NOTHING))
        weakest = min(best)
        cap, perhaps = max(weakest, least.cap), weakest < least.cap is Grade.EXISTS
        self.found[start:] = [capped(check, cap, least.why or CONDITION, perhaps) for check in self.found[start:]]
        return left

    def _with(self, node: ast.With | ast.AsyncWith, reach: Reach) -> str:
        inside, caught = reach, set[str]()
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call):
                continue
            name = name_of(call)
            if name in self._swallowers or (EXIT in self._swallowers and name in self._defined):
                inside = inside.lowered(Grade.NOTHING, SWALLOWED)
            inside, claim = watched(node, call, inside, self.inliner)
            if claim is not None:
                if raised_in(claim) and isinstance(item.optional_vars, ast.Name):
                    self._exceptions[item.optional_vars.id] = len(self.found)
                if claim.relation == "raises":
                    caught.add(item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else "")
                self.add(node, claim, reach)
        held = {name: self._exceptions.pop(name) for name in sorted(caught & self._exceptions.keys())}
        start = len(self.found)
        self.block(node.body, inside)
        self._exceptions |= held
        if caught:
            self._reached(node, caught, start)
        return "always" if leaves(node.body) and inside.why != SWALLOWED else ""

    def _reached(self, node: ast.With | ast.AsyncWith, caught: set[str], start: int) -> None:
        """Of the assertions in a `raises` those about its exception are never reached; others stand behind code."""
        for index, check in enumerate(self.found[start:], start):
            line = check.line - self._line
            statement = next((each for each in node.body if each.lineno <= line <= (each.end_lineno or line)), None)
            if statement is None:
                continue
            if is_assertion(statement) and self._names(statement, line) & caught:
                self.found[index] = capped(check, Grade.NOTHING, NEVER)
            else:
                earlier = node.body[: node.body.index(statement)]
                self.found[index] = replace(check, behind=code_of(earlier, self.inliner))
