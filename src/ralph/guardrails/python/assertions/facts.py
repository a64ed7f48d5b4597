"""What one Python test does: its assertions, and whether they are reached and their failure is felt.

Rules (policy set v2, class G05):

- An assertion counts for nothing behind a `return`, a `raise` or a constant condition, in a loop over nothing, in a
  function that nobody calls, in a generator, and where its failure is swallowed: a handler that catches assertions and
  does not raise again, `suppress`, a `finally` that leaves, `raises` of an exception that a failing assertion is.
- Under a condition it is EXISTS, or what the weakest branch asserts if that is more; CLOSE if the condition asks about
  the platform, and in a handler that raises again under a condition.
- So it does in a coroutine that awaits nothing and has no mark that may run it, in any coroutine of a plain
  `unittest.TestCase`, which never runs one, and below an own decorator that swallows failures.
- What the test itself emptied right before (`emptied`) demands nothing, a wanted value that may be the result
  (`taken_over`) little.
- What a test says about an exception that `raises` caught is part of `raises`.
- Names are written out as what they were last given: local variables, constants and plain fixtures of the file. If
  something may have happened between the two sides of a comparison, they are not the same.
"""

from __future__ import annotations

import ast
from functools import cache

from ralph.guardrails.inventory.model import SWALLOWED, Facts, Grade
from ralph.guardrails.inventory.wanted.alternative import judged
from ralph.guardrails.python.assertions.emptied import without_emptied
from ralph.guardrails.python.assertions.giving import words_given
from ralph.guardrails.python.assertions.own_equality import by_own_equality
from ralph.guardrails.python.assertions.rewritten import without_rewritten
from ralph.guardrails.python.assertions.spellings import forget_prefixes, marked
from ralph.guardrails.python.assertions.taken_over import without_taken_over
from ralph.guardrails.python.assertions.walking import LineText, Walker
from ralph.guardrails.python.bodies import body_of, is_empty, literals_of, words_of
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.doubles.own_answers import answered_by_own, faked_properties, methods_of
from ralph.guardrails.python.doubles.replaced import asked_of_doubles, fakes, looked_at, results_in
from ralph.guardrails.python.failures.patience import retries_of, timeout_of
from ralph.guardrails.python.failures.reach import Reach, is_generator
from ralph.guardrails.python.lending.scope import FunctionDef, Scope
from ralph.guardrails.python.removed.supported import runs_nowhere
from ralph.guardrails.python.rows.case_tables import rows_of, times_of
from ralph.guardrails.python.rows.generating import generated, is_generated
from ralph.guardrails.python.rows.restricting import tries_of
from ralph.guardrails.python.rows.tables import constants, looped, written
from ralph.system.patterns import later

PLAIN_CASE = "unittest.TestCase"
LEFT_OUT = later(r"(?:^|\.)(?:skip\w*|xfail|expectedFailure|flaky|parametrize)\b")
"""Marks that run nothing in a loop."""


def facts_of(
    function: FunctionDef,
    scope: Scope,
    first_line: int,
    *,
    is_test: bool,
    line_text: LineText = lambda _: "",
    bases: str = "",
) -> Facts:
    """`first_line` is that of the text that the function was read from, `line_text` gives a line of its file; `bases`
    are those of its class as they are written."""
    walker = Walker(function, scope, first_line, line_text)
    forget_prefixes(walker.nodes)
    rows, made = rows_of(function, scope.tables), is_generated(function)
    reach = Reach(times=None if made else times_of(function, scope.tables, scope.marks))
    if is_test and not function.decorator_list and is_generator(function):
        reach = reach.lowered(Grade.NOTHING, "the test is a generator, which is never run")
    if is_test and _is_never_awaited(function, scope, walker, bases):
        reach = reach.lowered(Grade.NOTHING, "the test is a coroutine that nobody has to await")
    if any(source_of(each).partition("(")[0] in scope.swallowers for each in function.decorator_list):
        reach = reach.lowered(Grade.NOTHING, SWALLOWED)
    walker.block(function.body, generated(function, reach))
    marks = (*function.decorator_list, *scope.marks)
    asked = {each.arg for each in function.args.args}
    given = (fake for name, found in scope.fixtures.items() if name in asked for fake in found)
    replaced = [*fakes(walker.nodes, first_line - 1), *scope.fakes, *given]
    results = results_in(walker.found) if replaced or scope.defined or walker.inliner.functions else frozenset()
    tables = looped(walker.nodes, walker.inliner, walker.found, first_line - 1) if rows == () and not made else []
    passes = scope.formulas.asked(walker.nodes, walker.inliner.at) if scope.formulas else {}
    properties = faked_properties(walker.nodes, walker.found, first_line - 1)
    answered = answered_by_own(walker.found, {**scope.methods, **methods_of(walker.nodes)})
    kept = without_rewritten(walker.nodes, walker.inliner, walker.found, first_line - 1)
    kept = without_emptied(walker.nodes, walker.inliner, kept, first_line - 1)
    kept = without_taken_over(function, walker.nodes, walker.inliner, kept, first_line - 1)
    compared = list(by_own_equality(kept, scope.own_equality))
    return Facts(
        checks=tuple(map(judged, marked(compared, walker.nodes, first_line - 1, line_text))),
        cases=written(tables) if tables else rows,
        words=words_of(walker.nodes, walker.inliner.local),
        literals=literals_of(function, scope.values) | constants(tables),
        body=body_of(function),
        empty=is_empty(function.body),
        faked=(*looked_at(replaced, results, walker.found), *asked_of_doubles(walker.found), *properties)
        if is_test
        else (),
        own=results & (scope.defined | walker.inliner.functions) | passes.keys() | answered,
        defined=scope.defined,
        passes=passes,
        retries=retries_of(marks, scope.retriers),
        timeout_s=timeout_of(marks, walker.nodes),
        nowhere=runs_nowhere(marks, function.body),
        generated=made,
        tries=tries_of(function, walker.nodes, scope.values) if made else None,
        given=cache(lambda line: words_given(walker.nodes, walker.found, walker.inliner.local, line, first_line)),
    )


def _is_never_awaited(function: FunctionDef, scope: Scope, walker: Walker, bases: str) -> bool:
    """It awaits nothing, and nothing in sight says that it is run in a loop; or unittest's plain class holds it."""
    marks = (*function.decorator_list, *scope.marks)
    if not isinstance(function, ast.AsyncFunctionDef) or not all(LEFT_OUT.search(source_of(mark)) for mark in marks):
        return False
    if bases == PLAIN_CASE:
        return True
    if bases or any(each.arg not in ("self", "cls") for each in function.args.args):
        return False
    return not any(isinstance(each, ast.Await | ast.AsyncFor | ast.AsyncWith) for each in walker.nodes)
