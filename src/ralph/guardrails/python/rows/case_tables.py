"""The tables of cases that a Python test goes through: their rows as they are written down.

Rules: the parameters of a fixture are rows of the tests that take it. What a condition chooses from a table leaves one
row out at the least; of several tables that there may be, the one of the fewest rows counts, whether they stand in one
expression, under one name, or in one function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.python.claims import EXPECTED_NAME, constant_value, name_of, text
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

Function = ast.FunctionDef | ast.AsyncFunctionDef

FIXTURE = "fixture "
"""Before the name of a fixture, which is no name of the file's tables."""
PARAMETRIZE = later(r"(?:^|\.)(?:parametrize|parameterized|expand|parameterized_class|data|case|cases|example)$")


def rows_of(function: Function, values: Mapping[str, ast.expr]) -> tuple[str, ...] | None:
    """The rows of all its tables of parameters, those that a name of the file has, too; None if only a run can tell."""
    rows: list[str] = []
    for table in _tables(function, values):
        found = _rows(table, values)
        if found is None:
            return None
        rows += found
    return tuple(rows)


def times_of(function: Function, values: Mapping[str, ast.expr], marks: Iterable[ast.expr] = ()) -> int | None:
    """How many cases its tables make of it; `marks` are those of its class, whose tables hold for each test in it."""
    times = 1
    for table in _tables(function, values, marks):
        found = _rows(table, values)
        if found is None:
            return None
        times *= len(found)
    return times


def _tables(function: Function, values: Mapping[str, ast.expr], marks: Iterable[ast.expr] = ()) -> Iterator[ast.Call]:
    """What gives it parameters: its decorators, `marks`, and the fixtures of the file that it takes."""
    yield from (table for each in (*function.decorator_list, *marks) if (table := table_of(each)) is not None)
    taken = (values.get(f"{FIXTURE}{each.arg}") for each in function.args.args)
    yield from (table for table in taken if isinstance(table, ast.Call))


def table_of(decorator: ast.expr) -> ast.Call | None:
    """A decorator that gives parameters."""
    if isinstance(decorator, ast.Call) and PARAMETRIZE.search(name_of(decorator)):
        return decorator
    return None


def _rows(table: ast.Call, known: Mapping[str, ast.expr]) -> list[str] | None:
    if name_of(table).rpartition(".")[2] in ("data", "case", "cases", "example"):
        return [ROW.join(map(text, table.args))] if table.args else None
    wants_names = name_of(table).endswith("parametrize")
    values = given(table)
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


def given(table: ast.Call) -> ast.expr | None:
    """What stands for the rows of a table."""
    values = next((each.value for each in table.keywords if each.arg in ("argvalues", "input")), None)
    given = table.args[1:] if name_of(table).endswith("parametrize") else table.args
    return values if values is not None else given[0] if given else None


def _written_out(values: ast.expr | None, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """The rows themselves: of a constant of the file, of a dictionary's items."""
    items = _chosen_from(values)
    if items is not None:
        return _but_one(items, known) or values
    match values:
        case ast.Name(id=name):
            # Under its own name it stands for nothing else: `CASES = CASES[:1]`.
            return _written_out(known.get(name), {each: known[each] for each in known if each != name})
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if f"{name}()" in known:
            return known[f"{name}()"]
        case ast.BoolOp(op=ast.Or(), values=several):
            return _fewest([_written_out(each, known) for each in several]) or values
        case ast.IfExp(body=one, orelse=other):
            return _fewest([_written_out(each, known) for each in (one, other)]) or values
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "reversed"), args=[ast.expr() as inner]):
            return _written_out(inner, known)
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
            table = known.get(owner.id) if isinstance(owner, ast.Name) else owner
            if isinstance(table, ast.Dict) and None not in table.keys:
                pairs = zip(table.keys, table.values, strict=True)
                return ast.List(elts=[ast.Tuple(elts=[key, value]) for key, value in pairs if key is not None])
    return values


def _chosen_from(values: ast.expr | None) -> ast.expr | None:
    """What an expression takes a part of, or nothing of, by a condition that only a run can tell."""
    match values:
        case ast.ListComp(
            elt=ast.Name(id=one), generators=[ast.comprehension(target=ast.Name(id=each), iter=items, ifs=[_, *_])]
        ) if one == each:
            return items
        case (
            ast.Subscript(value=items, slice=ast.Slice())
            | ast.Call(func=ast.Name(id="filter"), args=[_, items])
            | ast.Call(func=ast.Attribute(value=ast.Name(id="random"), attr="sample" | "choices"), args=[items, *_])
            | ast.BoolOp(op=ast.And(), values=[*_, items])
        ):
            return items
        case ast.BinOp(left=items, op=ast.Mult(), right=times) if not isinstance(times, ast.Constant):
            return items
    return None


def _but_one(items: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """What is chosen from them leaves out one at the least."""
    whole = _written_out(items, known)
    return ast.List(elts=whole.elts[:-1]) if isinstance(whole, ast.List | ast.Tuple) else None


def _fewest(several: Sequence[ast.expr | None]) -> ast.List | ast.Tuple | None:
    """The shortest of what there may be, if all of it is written out."""
    listed = [each for each in several if isinstance(each, ast.List | ast.Tuple)]
    return min(listed, key=lambda rows: len(rows.elts)) if listed and len(listed) == len(several) else None


def of_fixtures(functions: Iterable[Function], values: Mapping[str, ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """The rows that a fixture hands out one by one, where they are written down, each under a name of its own."""
    for function in functions:
        for decorator in function.decorator_list:
            if not isinstance(decorator, ast.Call) or name_of(decorator).rpartition(".")[2] != "fixture":
                continue
            rows = next((each.value for each in decorator.keywords if each.arg == "params"), None)
            if rows is None:
                continue
            table = ast.Call(func=ast.Name(id="parametrize"), args=[ast.Constant(value=""), rows], keywords=[])
            if _rows(table, values):
                yield f"{FIXTURE}{function.name}", table


def tables_among(statements: Sequence[ast.stmt], values: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The tables of a file by their names: where a name is given several, or a function answers with several, the one
    of the fewest rows."""
    given: dict[str, list[ast.expr]] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in values:
                given.setdefault(name, []).append(value)
            case (
                ast.AugAssign(target=ast.Name(id=name))
                | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            ) if name not in values:
                given.setdefault(name, []).append(ast.Name(id=name))  # it grows by what is not looked at
            case ast.FunctionDef(name=name, args=ast.arguments(args=[])):
                answers = [each.value for each in walk(statement) if isinstance(each, ast.Return) and each.value]
                given[f"{name}()"] = answers
    return {name: rows for name, several in given.items() if (rows := _of_name(name, several, values)) is not None}


def _of_name(name: str, several: Sequence[ast.expr], values: Mapping[str, ast.expr]) -> ast.expr | None:
    wholes = [each for each in several if isinstance(each, ast.List | ast.Tuple)]
    known = {**values, name: wholes[0]} if wholes else values
    return _fewest([None if isinstance(each, ast.Name) else _written_out(each, known) for each in several])


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
    tables = (table for each in function.decorator_list if (table := table_of(each)) is not None and table.args)
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
