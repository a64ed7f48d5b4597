"""What a Python test file gives its tests: constants, plain fixtures, functions that assert."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.model import Check, Facts, Fake, Grade
from ralph.guardrails.python.assertions.facts import PLAIN_CASE, facts_of
from ralph.guardrails.python.bodies import without_docstring
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.doubles.replaced import fakes
from ralph.guardrails.python.failures.swallowers import retriers_of, swallowers_of
from ralph.guardrails.python.lending.formulas import Formulas
from ralph.guardrails.python.lending.helping import Helping
from ralph.guardrails.python.lending.making import made
from ralph.guardrails.python.lending.scope import FunctionDef, Scope
from ralph.guardrails.python.rows.case_tables import of_fixtures, tables_among
from ralph.guardrails.python.trees import UNREADABLE, walk
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

SET_UPS = frozenset(
    {"setUp", "setUpClass", "setUpModule", "setup_method", "setup_class", "setup_module", "asyncSetUp", "setup"}
)

OF_THE_MOMENT = later(r"(?:^|\.)(?:cwd|getcwd|now|utcnow|today|time|monotonic|getpid)\(\)$")
"""What such a call gives when the file is read is another thing than what it gives in a test."""

CASE_IMPORTED = later(rb"(?m)^[ \t]*from[ \t]+unittest(?:\.case)?[ \t]+import\b[^#\n]*\bTestCase\b(?![ \t]+as\b)")
ASSERTING = later(r"assert\b|(?:with )?(?:\w+\.)*(?:assert\w*|raises|warns)\(")


def scope_of(statements: Iterable[ast.stmt], classes: Iterable[str] = ()) -> Scope:
    """From the statements of a module, those of its classes included, without its tests."""
    listed = list(statements)
    names, fewer = Counter(name for name, _ in _constants(listed)), Counter(_shortened(listed))
    values = {
        name: _without_last(value, fewer[name])
        for name, value in _constants(listed)
        if names[name] == 1 and not OF_THE_MOMENT.search(source_of(value))
    }
    functions = [each for each in listed if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    values |= {each.name: value for each in functions if (value := _fixed(each)) is not None}
    set_ups = [each for each in functions if each.name in SET_UPS or "autouse=True" in _decorators(each)]
    others = [each for each in listed if each not in functions]
    own = frozenset((*classes, *(each.name for each in functions if not (is_fixture(each) or _is_method(each)))))
    tables = {**tables_among(listed, values), **values}
    return Scope(
        values=values,
        tables={**tables, **dict(of_fixtures(functions, tables))},
        helpers=Helping(functions, values),
        fakes=tuple(replace(fake, line=0) for fake in fakes(_all([*set_ups, *others]), 0)),
        defined=own,
        marks=tuple(_marks(listed)),
        swallowers=swallowers_of(functions),
        retriers=retriers_of(functions),
        formulas=Formulas(functions, own, values),
        fixtures={each.name: _replaced_by(each) for each in functions if is_fixture(each)},
    )


def _replaced_by(function: FunctionDef) -> tuple[Fake, ...]:
    return tuple(replace(fake, line=0) for fake in fakes(walk(function), 0))


def _all(trees: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (node for tree in trees for node in walk(tree))


def _marks(statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """Those of `pytestmark`."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=ast.List(elts=marks) | ast.Tuple(elts=marks)):
                yield from marks
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=mark):
                yield mark


def _decorators(function: FunctionDef) -> str:
    return " ".join(map(source_of, function.decorator_list))


def _is_method(function: FunctionDef) -> bool:
    """Its class is what may stand in for something, by its own name."""
    return [each.arg for each in function.args.args[:1]] in (["self"], ["cls"])


def is_fixture(function: FunctionDef) -> bool:
    return "fixture" in _decorators(function)


def _constants(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield name, value
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                yield name, value
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Name(id=name) as value,
                        attr="append" | "extend" | "insert" | "update",
                    )
                )
            ):
                yield name, value  # what it holds is no constant
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value):
                yield name, value


def _shortened(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Names of what an element is taken out of, once for each."""
    for statement in statements:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "remove" | "clear"))):
                yield name
            case ast.Delete(targets=targets):
                yield from (
                    each.value.id
                    for each in targets
                    if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
                )


def _without_last(value: ast.expr, number: int) -> ast.expr:
    """Which elements are taken out does not matter where they are counted."""
    match value:
        case ast.List(elts=elements) if number:
            return ast.List(elts=elements[:-number], ctx=ast.Load())
        case ast.Dict(keys=keys, values=values) if number:
            return ast.Dict(keys=keys[:-number], values=values[:-number])
    return value


def _fixed(function: FunctionDef) -> ast.expr | None:
    """What a fixture gives that does nothing but make a value."""
    return made(without_docstring(function.body)) if is_fixture(function) and not function.args.args else None


def parsed(texts: Iterable[str]) -> list[ast.stmt]:
    """The statements in these texts, those in blocks and classes too; a text that this Python cannot read has none."""
    found: list[ast.stmt] = []
    for written in texts:
        try:
            found += _statements(written)
        except UNREADABLE:
            continue
    return found


def facts_at(source: Source, definition: Node, scope: Scope, *, is_test: bool) -> Facts:
    """The facts of a function, with its decorators."""
    node = definition.parent if definition.parent and definition.parent.type == "decorated_definition" else definition
    row = node.start_point.row
    if node.start_point.column:  # what is indented stands below an `if`
        before = source.lines[row][: node.start_point.column].decode("utf-8", "replace")
        written, first = f"if 1:\n{before if not before.strip() else ' '}{source.text(node)}", row - 1
    else:
        written, first = source.text(node), row
    try:
        function: ast.stmt | None = ast.parse(written).body[0]
    except UNREADABLE:
        return _unread(source, definition)
    if isinstance(function, ast.If):
        function = function.body[0]
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return _unread(source, definition)
    try:
        return facts_of(
            function,
            scope,
            first + source.first_line,
            is_test=is_test,
            line_text=source.line_text,
            bases=bases_of(source, definition),
        )
    except RecursionError:  # each of hundreds of `elif` stands in the one before
        return _unread(source, definition)


def bases_of(source: Source, definition: Node) -> str:
    """Those of the class that a function stands in; `TestCase` alone is what the file imports under this name."""
    above = definition.parent
    while above is not None and above.type not in ("class_definition", "function_definition"):
        above = above.parent
    bases = above.child_by_field_name("superclasses") if above is not None else None
    if above is None or above.type != "class_definition" or bases is None:
        return ""
    written = source.text(bases).strip("( ,)\n")
    plain = written == "TestCase" and CASE_IMPORTED.search(source.data) is not None
    return PLAIN_CASE if plain else written


def with_marks(scope: Scope, written: Iterable[str]) -> Scope:
    """The scope of a test in classes with these decorators."""
    marks = [each.value for each in parsed(written) if isinstance(each, ast.Expr)]
    if not marks:
        return scope
    return replace(
        scope,
        marks=(*scope.marks, *marks),
        fakes=(*scope.fakes, *(replace(each, line=0) for each in fakes(_all(marks), 0))),
    )


def _statements(written: str) -> list[ast.stmt]:
    """A statement of an indented block has lost the indentation of its first line, and of no other."""
    try:
        return ast.parse(written).body
    except SyntaxError:
        block = ast.parse(f"if 1:\n {written}").body[0]
        return block.body if isinstance(block, ast.If) else []


def _unread(source: Source, definition: Node) -> Facts:
    """For syntax that this Python does not know, or too much of it: each line that asserts is an assertion as it is
    written."""
    checks = []
    for row in range(definition.start_point.row, definition.end_point.row + 1):
        line = " ".join(source.lines[row].decode("utf-8", "replace").split())
        if ASSERTING.match(line):
            checks.append(
                Check(
                    subject=line,
                    relation="",
                    wanted="",
                    grade=Grade.CLOSE,
                    line=row + source.first_line,
                    column=1,
                    snippet=line,
                )
            )
    text = " ".join(source.text(definition).partition(":")[2].split())
    return Facts(checks=tuple(checks), words=frozenset(re.findall(r"[A-Za-z_]\w{3,}", text)), body=text)
