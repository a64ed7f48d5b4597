"""A Python test as a whole: its body in one form, the words and constants in it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.rows.case_tables import given, table_of
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


def body_of(function: Function) -> str:
    """Free of layout, comments, docstring, annotations and the test's own name."""
    arguments = ", ".join(each.arg for each in function.args.args if each.arg not in ("self", "cls"))
    tables = (source_of(each) for each in function.decorator_list if table_of(each) is not None)
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
    tables = (given(each) for each in map(table_of, function.decorator_list) if each is not None)
    named = [values[each.id] for each in tables if isinstance(each, ast.Name) and each.id in values]
    statements: Iterable[ast.AST] = (*without_docstring(function.body), *function.decorator_list, *named)
    found = (part for each in statements for part in walk(each) if isinstance(part, ast.Constant))
    return frozenset(repr(part.value) for part in found if part.value is not None and part.value is not ...)


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
