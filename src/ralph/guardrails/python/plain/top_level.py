"""One test for all that stands at the top level of a Python file (see `failures` for what asserts there).

Rules:

- What stands behind `if __name__ == "__main__"` is a part of it, and so is what it calls of the file.
- It is a test as those of frameworks are: where tests of one take its place, they have to ask as much. A file whose top
  level asserts nothing has none.
- A module that is asserted to be there, and what only ensures that the run has what it needs, is no assertion.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from ralph.guardrails.inventory.model import Check, Facts, Test
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.assertions.facts import facts_of
from ralph.guardrails.python.assertions.own_equality import own_equality
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.lending.beside import with_lent
from ralph.guardrails.python.lending.helping import Helping
from ralph.guardrails.python.lending.scope import FunctionDef, Scope
from ralph.guardrails.python.lending.scopes import scope_of
from ralph.guardrails.python.plain.calls import Calls
from ralph.guardrails.python.plain.failures import as_asserted
from ralph.guardrails.python.plain.files import is_program
from ralph.guardrails.python.plain.ledgers import known_of, with_plain_members, within
from ralph.guardrails.python.plain.statements import Function
from ralph.guardrails.python.removed.definitions import IMPORTS, MAIN
from ralph.guardrails.python.trees import UNREADABLE, module_of, walk
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

NAME = "<module>"
"""What Python calls it."""
DEFINED = ("function_definition", "class_definition", "decorated_definition", "comment", *IMPORTS)
MAY_STATE = later(
    rb"(?i)\bassert|\braise\b|\bexit\b|\bquit\(|\bSystemExit\b|\b_*(?:check|verify|expect|should)\w*\(|globals\(\)"
)
WORD = later(rb"\w+")
OWN = later(rb"(?m)^(?:async[ \t]+)?def[ \t]+(\w+)")
DEEPEST = 3
"""Helpers that call helpers are followed so far: `main` calls a test, and that a check."""
NEEDED = later(r"(?i)_*(?:ensure|requires?|validate|must|should|import)|(?:\w+\.)*(?:check_call|check_output)")
"""Called like an assertion, to make something or to have it there."""
FRAMEWORK = later(r"\.wasSuccessful\(|\b(?:pytest|unittest)\.main\(|\brun_tests\(|\btestmod\(|TestRunner\(")
"""It runs tests that have an entry of their own."""


def top_level(source: Source, paths: Paths, tests: Collection[str]) -> Iterator[Test]:
    """`tests` are the names of functions and classes that a framework runs."""
    if not _may_state(source) or not is_program(source.path, paths):
        return
    try:
        facts = _facts(source, paths, tests)
    except UNREADABLE:  # each of hundreds of `elif` stands in the one before
        return
    if facts is None or not facts.checks:
        return
    line = min(check.line for check in facts.checks)
    yield Test(
        parts=(NAME,),
        path=source.path,
        line=line,
        column=1,
        snippet=source.line_text(line),
        text=source.data.decode("utf-8", "replace"),
        facts=lambda: facts,
    )


def _may_state(source: Source) -> bool:
    """Something at the top level may assert, or names a function of the file."""
    run = [each for each in source.tree.root_node.children if each.type not in DEFINED]
    if any(MAY_STATE.search(source.data, each.start_byte, each.end_byte) for each in run):
        return True
    own = set(OWN.findall(source.data)) if run else set()
    return any(not own.isdisjoint(WORD.findall(source.data, each.start_byte, each.end_byte)) for each in run if own)


def _facts(source: Source, paths: Paths, tests: Collection[str]) -> Facts | None:
    module = module_of(source)
    if module is None:
        return None
    tree = with_plain_members(module)
    functions = _methods(tree, tests) | {each.name: each for each in _functions(tree) if each.name not in tests}
    known = known_of(tree, functions)
    bodies = {name: as_asserted(each.body, within(each, known)) for name, each in functions.items()}
    body = Calls(functions, bodies).put_in(as_asserted(_run(tree.body), known))
    if not any(isinstance(each, ast.Assert | ast.Expr | ast.With) for each in _all(body)):
        return None
    scope = _scope(tree, functions, bodies, source, paths)
    facts = facts_of(_as_function(body), scope, source.first_line, is_test=True, line_text=source.line_text)
    imported = _imported(tree)
    return replace(facts, checks=tuple(each for each in facts.checks if _asks(each, imported, functions)))


def _functions(tree: ast.Module) -> Iterable[FunctionDef]:
    """The last of each name, where that is not given to something else behind it."""
    found: dict[str, FunctionDef] = {}
    for each in tree.body:
        if isinstance(each, Function):
            found[each.name] = each
        elif isinstance(each, ast.Assign):
            for name in each.targets:
                found.pop(name.id if isinstance(name, ast.Name) else "", None)
    return found.values()


def _methods(tree: ast.Module, tests: Collection[str]) -> dict[str, FunctionDef]:
    """Those of classes that no framework runs, where there is one of a name."""
    classes = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name not in tests)
    found = [each for inner in classes for each in inner.body if isinstance(each, Function)]
    named = Counter(each.name for each in found)
    return {each.name: each for each in found if named[each.name] == 1}


def _all(statements: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    return (part for each in statements for part in walk(each))


def _run(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """What is run when the file is, without definitions."""
    for each in statements:
        if isinstance(each, ast.If) and MAIN.search(source_of(each.test)):
            yield from _run(each.body)
        elif not isinstance(each, Function | ast.ClassDef | ast.Import | ast.ImportFrom):
            yield _Undefined().visit(copy.deepcopy(each)) if isinstance(each, ast.If | ast.Try) else each


class _Undefined(ast.NodeTransformer):
    """What is only defined under a condition does nothing there."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)


def _scope(
    tree: ast.Module,
    functions: dict[str, FunctionDef],
    bodies: dict[str, list[ast.stmt]],
    source: Source,
    paths: Paths,
) -> Scope:
    """Its functions assert what their bodies stand for."""
    asserting = {name: _with_body(each, bodies[name]) for name, each in functions.items()}
    others = (each for each in tree.body if not isinstance(each, Function))
    defined = (each.name for each in tree.body if isinstance(each, Function | ast.ClassDef))
    scope = scope_of([*asserting.values(), *others], (*defined, *functions))
    own = Helping(asserting.values(), scope.values, DEEPEST)
    return replace(scope, helpers=with_lent(own, source, paths), own_equality=own_equality(source))


def _with_body(function: FunctionDef, body: list[ast.stmt]) -> FunctionDef:
    fresh = copy.copy(function)
    fresh.body = body or [ast.Pass()]
    return fresh


def _as_function(body: list[ast.stmt]) -> ast.FunctionDef:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.FunctionDef(
        name=NAME, args=none, body=body or [ast.Pass()], decorator_list=[], lineno=1, col_offset=0
    )
    return ast.fix_missing_locations(function)


def _imported(tree: ast.Module) -> frozenset[str]:
    imports = (each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom))
    return frozenset(name.asname or name.name for each in imports for name in each.names)


def _asks(check: Check, imported: Collection[str], functions: Collection[str]) -> bool:
    """Of what is called like an assertion and nobody knows, what it is given has to be an answer."""
    if check.relation == "helper":
        name, _, given = check.subject.partition("(")
        return name in functions or ("(" in given and NEEDED.match(name) is None)
    return not (check.relation in ("true", "!=") and check.subject in imported) and not FRAMEWORK.search(check.subject)
