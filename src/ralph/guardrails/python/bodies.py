"""A Python test as a whole: its body in one form, the words and constants in it, the rows of its parameters."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.python.claims import EXPECTED_NAME, constant_value, name_of, source_of, text
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

Function = ast.FunctionDef | ast.AsyncFunctionDef

FRAMEWORK = frozenset(dir(builtins)) | frozenset(
    {
        "self",
        "cls",
        "pytest",
        "unittest",
        "mock",
        "patch",
        "Mock",
        "MagicMock",
        "AsyncMock",
        "mark",
        "parametrize",
        "raises",
    }
    | {
        "fixture",
        "approx",
        "monkeypatch",
        "caplog",
        "capsys",
        "tmp_path",
        "tmpdir",
        "request",
        "subTest",
        "assert_that",
    }
    | {"setattr", "object", "np", "numpy", "math", "json", "re", "os", "sys", "time", "datetime", "pathlib", "Path"}
)
"""Names that say nothing about the product."""

WORD = later(r"[-\w./]{3,60}")
PARAMETRIZE = later(r"(?:^|\.)(?:parametrize|parameterized|expand|parameterized_class|data|case|cases|example)$")


def body_of(function: Function) -> str:
    """Free of layout, comments, docstring, annotations and the test's own name."""
    arguments = ", ".join(each.arg for each in function.args.args if each.arg not in ("self", "cls"))
    tables = (source_of(each) for each in function.decorator_list if _table(each) is not None)
    statements = without_docstring(function.body)
    return "\n".join([*tables, arguments, *map(source_of, statements)]) if statements else ""


def is_empty(statements: list[ast.stmt]) -> bool:
    """It does nothing at all."""
    return all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        or (isinstance(each, ast.Return) and (each.value is None or isinstance(each.value, ast.Constant)))
        for each in statements
    )


def without_docstring(statements: list[ast.stmt]) -> list[ast.stmt]:
    match statements:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return statements


def words_of(nodes: Iterable[ast.AST], local: AbstractSet[str]) -> frozenset[str]:
    """What of the product the test names; a name that it imports itself is none of its own."""
    listed = list(nodes)
    imported = {
        alias.asname or alias.name for each in listed if isinstance(each, ast.ImportFrom) for alias in each.names
    }
    own = local - imported
    return frozenset(
        word
        for word in _words(listed)
        if word not in FRAMEWORK and word not in own and not word.startswith(("assert", "__"))
    )


def literals_of(function: Function, values: Mapping[str, ast.expr]) -> frozenset[str]:
    tables = (_given(each) for each in map(_table, function.decorator_list) if each is not None)
    named = [values[each.id] for each in tables if isinstance(each, ast.Name) and each.id in values]
    statements: Iterable[ast.AST] = (*without_docstring(function.body), *function.decorator_list, *named)
    found = (part for each in statements for part in walk(each) if isinstance(part, ast.Constant))
    return frozenset(repr(part.value) for part in found if part.value is not None and part.value is not ...)


def rows_of(function: Function, values: Mapping[str, ast.expr]) -> tuple[str, ...] | None:
    """The rows of all its tables of parameters, those that a name of the file has, too; None if only a run can tell."""
    rows: list[str] = []
    for decorator in function.decorator_list:
        table = _table(decorator)
        if table is None:
            continue
        found = _rows(table, values)
        if found is None:
            return None
        rows += found
    return tuple(rows)


def times_of(function: Function, values: Mapping[str, ast.expr]) -> int | None:
    """How many cases its tables make of it."""
    times = 1
    for decorator in function.decorator_list:
        table = _table(decorator)
        if table is not None:
            found = _rows(table, values)
            if found is None:
                return None
            times *= len(found)
    return times


def _table(decorator: ast.expr) -> ast.Call | None:
    """A decorator that gives parameters."""
    if isinstance(decorator, ast.Call) and PARAMETRIZE.search(name_of(decorator)):
        return decorator
    return None


def _rows(table: ast.Call, known: Mapping[str, ast.expr]) -> list[str] | None:
    if name_of(table).rpartition(".")[2] in ("data", "case", "cases", "example"):
        return [ROW.join(map(text, table.args))] if table.args else None
    wants_names = name_of(table).endswith("parametrize")
    values = _given(table)
    cut = slice(None)
    if isinstance(values, ast.Subscript) and isinstance(values.slice, ast.Slice):
        bounds = [constant_value(each) for each in (values.slice.lower, values.slice.upper) if each is not None]
        if None in bounds or (values.slice.step is not None and bounds):
            return None
        cut = slice(*(_bound(each) for each in (values.slice.lower, values.slice.upper)))
        values = values.value
    values = _written_out(values, known)
    if not isinstance(values, ast.List | ast.Tuple | ast.Set) or any(
        isinstance(each, ast.Starred) for each in values.elts
    ):
        return None
    order = _order(table.args[0] if wants_names and table.args else None)
    return list(dict.fromkeys(_row(each, order) for each in values.elts[cut]))


def _given(table: ast.Call) -> ast.expr | None:
    """What stands for the rows of a table."""
    values = next((each.value for each in table.keywords if each.arg in ("argvalues", "input")), None)
    given = table.args[1:] if name_of(table).endswith("parametrize") else table.args
    return values if values is not None else given[0] if given else None


def _written_out(values: ast.expr | None, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """The rows themselves: of a constant of the file, of a dictionary's items."""
    match values:
        case ast.Name(id=name):
            return known.get(name)
        case ast.ListComp(
            elt=ast.Name(id=one), generators=[ast.comprehension(target=ast.Name(id=each), iter=items, ifs=[_, *_])]
        ) if one == each:
            return _but_one(items, known) or values
        case ast.Subscript(value=items, slice=ast.Slice()):
            return _but_one(items, known) or values
        case ast.Call(func=ast.Name(id="filter"), args=[_, items]):
            return _but_one(items, known) or values
        case ast.Call(func=ast.Attribute(value=ast.Name(id="random"), attr="sample" | "choices"), args=[items, *_]):
            return _but_one(items, known) or values
        case ast.IfExp(body=one, orelse=other):
            both = [_written_out(each, known) for each in (one, other)]
            return min(both, key=_number) if all(isinstance(each, ast.List | ast.Tuple) for each in both) else values
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "reversed"), args=[ast.expr() as inner]):
            return _written_out(inner, known)
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
            table = known.get(owner.id) if isinstance(owner, ast.Name) else owner
            if isinstance(table, ast.Dict) and None not in table.keys:
                pairs = zip(table.keys, table.values, strict=True)
                return ast.List(elts=[ast.Tuple(elts=[key, value]) for key, value in pairs if key is not None])
    return values


def _but_one(items: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """What is chosen from them leaves out one at the least."""
    whole = _written_out(items, known)
    return ast.List(elts=whole.elts[:-1]) if isinstance(whole, ast.List | ast.Tuple) else None


def _number(rows: ast.expr | None) -> int:
    return len(rows.elts) if isinstance(rows, ast.List | ast.Tuple) else 0


def _bound(tree: ast.expr | None) -> int | None:
    found = None if tree is None else constant_value(tree)
    return found[0] if found is not None and isinstance(found[0], int) else None


def _row(tree: ast.expr, order: int | None) -> str:
    if isinstance(tree, ast.Call) and name_of(tree).rpartition(".")[2] == "param":
        parts = tree.args
    else:
        parts = tree.elts if isinstance(tree, ast.Tuple | ast.List) else [tree]
    written = [text(part) for part in parts]
    if order is not None and order < len(written):
        written.append(written.pop(order))
    return ROW.join(written)


def parameters_of(function: Function) -> frozenset[str]:
    """Names that tables of parameters give values to."""
    tables = (table for each in function.decorator_list if (table := _table(each)) is not None and table.args)
    return frozenset(name for table in tables for name in _listed(table.args[0]))


def _order(names: ast.expr | None) -> int | None:
    """Which of the parameters is the one that is wanted, by its name."""
    return next((index for index, name in enumerate(_listed(names)) if EXPECTED_NAME.match(name)), None)


def _listed(names: ast.expr | None) -> list[str]:
    """`"a, b"` or `("a", "b")`."""
    match names:
        case ast.Constant(value=str() as joined):
            return [name.strip() for name in joined.split(",")]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [str(each.value) for each in elements if isinstance(each, ast.Constant)]
    return []


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for part in nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.keyword) and part.arg:
            yield part.arg
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and WORD.fullmatch(part.value):
            yield part.value
        elif isinstance(part, ast.ImportFrom):
            yield from (part.module or "").split(".")
            yield from (alias.name for alias in part.names)
