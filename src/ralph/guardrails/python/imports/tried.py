"""Imports that are tried: what is there only if one succeeds, and what happens if it fails (policy set v2, G02, G04).

Rules:

- A name tells whether an import worked if a `try` around the import, or its handler for the failure, gives it; so does
  `find_spec("x")`. What stands in an `if` that asks for it, or in the `try` itself, needs the module.
- A module that nothing in the tree declares, imports without a `try` or is called like, and that is not in the standard
  library, is never there: what needs it is never run.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator

from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.imports.packages import MOST_FILES, NAMING, written
from ralph.guardrails.python.trees import module_of, walk
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from ralph.system.patterns import later

CAUGHT = later(r"\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b")
TRIES = later(rb"\bImportError\b|\bModuleNotFoundError\b|\bfind_spec\b|\bexcept\b[^\n]*\bException\b|\bexcept[ \t]*:")
INSIDE = later(rb"(?m)^[ \t\f]+(?:import|from)\b|[:;\\][ \t\f\r\n]*(?:import|from)\b|find_spec")
"""An import that is no statement of the module, as one in a `try` is, or the question whether there is one."""
Modules = frozenset[str]


def may_try(data: bytes) -> bool:
    """Most files try no import: they need not be parsed. Letters of other alphabets may spell what they please."""
    return TRIES.search(data) is not None and (INSIDE.search(data) is not None or not data.isascii())


def only_with_unknown(source: Source, paths: Paths) -> Callable[[Node], bool]:
    """What tells of a place whether it is reached only if a module can be imported that nothing knows."""
    tree = module_of(source) if may_try(source.data) else None
    if tree is None:
        return lambda _: False
    lines = [(first, last) for first, last, needed in needing(tree) if not _are_known(needed, source.path, paths)]
    if not lines:
        return lambda _: False
    return lambda node: any(
        first <= node.start_point.row + source.first_line and node.end_point.row + source.first_line <= last
        for first, last in lines
    )


def needing(tree: ast.Module) -> Iterator[tuple[int, int, Modules]]:
    """First and last lines of blocks that need modules, and which."""
    tried = tried_names(tree)
    for node in walk(tree):
        if isinstance(node, ast.Try) and (needed := _tried(node)):
            for part in (*node.body, *node.orelse):
                if not isinstance(part, ast.Import | ast.ImportFrom):
                    yield part.lineno, part.end_lineno or part.lineno, needed
        elif isinstance(node, ast.If) and (needed := _asked(node.test, tried)):
            yield node.body[0].lineno, node.body[-1].end_lineno or node.lineno, needed


def missing(tree: ast.Module, line: int) -> Modules:
    """The modules of which one is missing where this line is run, or where what it decorates is skipped."""
    tried = tried_names(tree)
    for node in walk(tree):
        if isinstance(node, ast.Try) and any(_holds(each.body, line) for each in node.handlers):
            return _tried(node)
        if isinstance(node, ast.If) and _holds(node.body, line) and (needed := _asked_not(node.test, tried)):
            return needed
        if isinstance(node, ast.Call) and node.lineno == line and node.args:
            name = source_of(node.func)
            asks = (
                _asked if name.endswith("skipUnless") else _asked_not if name.endswith(("skipif", "skipIf")) else None
            )
            if asks is not None and (needed := asks(node.args[0], tried)):
                return needed
    return frozenset()


def _holds(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or line)


def _asked_not(test: ast.expr, tried: dict[str, Modules]) -> Modules:
    """The modules without which a condition holds."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _asked(inner, tried)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | False)]):
            return _asked(left, tried)
    return frozenset()


def tried_names(tree: ast.Module) -> dict[str, Modules]:
    """Names that are true only if modules could be imported."""
    found: dict[str, Modules] = {}
    for node in tree.body:
        needed = _tried(node) if isinstance(node, ast.Try) else frozenset()
        if needed and isinstance(node, ast.Try):
            found |= dict.fromkeys(_given((*node.body, *node.orelse)), needed)
        elif isinstance(node, ast.Assign) and (needed := _asked(node.value, found)):
            found |= dict.fromkeys((each.id for each in node.targets if isinstance(each, ast.Name)), needed)
    return found


def _tried(node: ast.Try) -> Modules:
    """The modules whose absence a `try` is about."""
    if not any(each.type is None or CAUGHT.search(source_of(each.type)) for each in node.handlers):
        return frozenset()
    return frozenset(name for each in node.body for name in imported(each))


def imported(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (each.name.partition(".")[0] for each in statement.names)
    elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
        yield statement.module.partition(".")[0]


def _given(statements: tuple[ast.stmt, ...]) -> Iterator[str]:
    """What they import, and what they call true."""
    for each in statements:
        match each:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (name.asname or name.name.partition(".")[0] for name in names)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)) if value:
                yield name


def _asked(test: ast.expr, tried: dict[str, Modules]) -> Modules:
    """The modules without which a condition does not hold."""
    match test:
        case ast.Name(id=name):
            return tried.get(name, frozenset())
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            return _asked(left, tried)
        case ast.BoolOp(op=ast.And(), values=values):
            return frozenset().union(*(_asked(each, tried) for each in values))
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return _asked(inner, tried)
        case ast.Call(args=[ast.Constant(value=str() as name), *_]) if source_of(test.func).endswith("find_spec"):
            return frozenset({name.partition(".")[0]})
    return frozenset()


def _are_known(modules: Modules, path: str, paths: Paths) -> bool:
    return all(is_known(each, path, paths) for each in modules)


def is_known(module: str, path: str, paths: Paths) -> bool:
    """Something other than this file, or than a `try` of another test, names it. In a very large tree it may be."""
    return paths.memo.once(("known", module, path), lambda: _is_known(module, path, paths))


def _is_known(module: str, path: str, paths: Paths) -> bool:
    if module in sys.stdlib_module_names:
        return True
    listed = [each for each in sorted(paths.all()) if NAMING.search(each)]
    if len(listed) > MOST_FILES or any(re.search(rf"(?:^|/){re.escape(module)}(?:/|\.pyi?$)", each) for each in listed):
        return True
    named = written(module)
    plainly = re.compile(rf"(?m)^(?:import|from)[ \t]+{re.escape(module)}\b".encode())
    return any(
        (plainly if each.endswith(".py") and is_support(each) else named).search(paths.read(each) or b"")
        for each in listed
        if each != path
    )
