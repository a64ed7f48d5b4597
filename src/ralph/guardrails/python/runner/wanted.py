"""Whether what replaces a function of the product answers what tests of the base want (policy set v2, class G06).

Rules:

- A table of the file, which the replacement looks into, or its own branches have two different answers that tests of
  the base want for what they hand over: key and value stand together in a row of parameters or in one assertion there.
- The product computes them. What only fetches something (a row, a page) may be stood in for with what it would find.
- Numbers that are small, and what the base replaced itself, tell nothing.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.layout import TEST_FILE
from ralph.guardrails.python.trees import parsed_module, walk

Value = int | float | str
Row = Counter[Value]
MOST_TESTS, MOST_VALUES = 400, 16
SMALL = frozenset((0, 1, -1, "", 1.0, 0.0))


def answers_what_is_wanted(hit: Hit, path: str, change: Change) -> bool:
    """`hit`: where a file of tests replaces the dotted `path` for all of them."""
    tree = parsed_module(change.blobs.after(hit.path) or b"")
    pairs = list(_pairs(tree, hit.line)) if tree is not None else []
    if len({value for _, value in pairs}) < 2:
        return False
    module, _, name = path.rpartition(".")
    if not _is_computed(module, name, change):
        return False
    texts = [data for each in _tests(change) if (data := change.blobs.before(each)) is not None]
    replaced = re.compile(rb"\b(?:setattr|patch|object)\([^\n]*\b%s[\"']" % re.escape(name.encode()))
    if any(replaced.search(text) for text in texts):
        return False
    rows = [row for text in texts if (asked := parsed_module(text)) is not None for row in _rows(asked)]
    found = {value for keys, value in pairs if any(_holds(row, keys, value) for row in rows)}
    return len(found) > 1


def _is_computed(module: str, name: str, change: Change) -> bool:
    end = f"{module.replace('.', '/')}.py"
    for path in sorted(change.blobs.paths_before()):
        if path == end or path.endswith(f"/{end}"):
            tree = parsed_module(change.blobs.before(path) or b"")
            found = (each for each in tree.body if isinstance(each, ast.FunctionDef)) if tree is not None else ()
            parts = (part for each in found if each.name == name for part in walk(each))
            return any(isinstance(part, ast.BinOp | ast.AugAssign) for part in parts)
    return False


def _tests(change: Change) -> Iterable[str]:
    return nearest(filter(TEST_FILE.search, change.blobs.paths_before()), change, MOST_TESTS)


def _pairs(tree: ast.Module, line: int) -> Iterator[tuple[list[Value], Value]]:
    """Keys and values of the tables that the replacement on this line looks into."""
    named = dict(_assigned(tree))
    functions = {each.name: each for each in walk(tree) if isinstance(each, ast.FunctionDef)}
    for replacement in _replacements(tree, line):
        parts = list(walk(replacement))
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        parts += [part for name in names if name in functions for part in walk(functions[name])]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        yield from _branches(parts)
        tables = [part for part in parts if isinstance(part, ast.Dict)]
        for table in (*tables, *(named[name] for name in dict.fromkeys(names) if name in named)):
            for key, value in zip(table.keys, table.values, strict=True):
                answer, keys = _constant(value), _constants(key) if key is not None else []
                if answer is not None and answer not in SMALL and keys:
                    yield keys, answer


def _branches(parts: Iterable[ast.AST]) -> Iterator[tuple[list[Value], Value]]:
    """`if zones == 3: return 380`, or the same as an expression."""
    for part in parts:
        match part:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)]) | ast.IfExp(test=test, body=value):
                answer, keys = _constant(value), _constants(test)
                if answer is not None and answer not in SMALL and keys:
                    yield keys, answer


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.Dict]]:
    for node in walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() as value)
            ):
                yield name, value


def _replacements(tree: ast.Module, line: int) -> Iterator[ast.expr]:
    for node in walk(tree):
        if getattr(node, "lineno", 0) != line:
            continue
        match node:
            case ast.Call(args=[*_, last], keywords=[]) if len(node.args) > 1:
                yield last
            case ast.Call(keywords=keywords) if keywords:
                yield from (each.value for each in keywords if each.arg in ("new", "side_effect", "value"))
                yield from node.args[1:]
            case ast.Assign(value=value):
                yield value


def _rows(tree: ast.Module) -> Iterator[Row]:
    for node in walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Assert | ast.Dict | ast.Call):
            values = _constants(node)
            if 1 < len(values) <= MOST_VALUES:
                yield Counter(values)


def _holds(row: Row, keys: list[Value], value: Value) -> bool:
    return not Counter([*keys, value]) - row


def _constants(node: ast.AST) -> list[Value]:
    return [value for part in walk(node) if (value := _constant(part)) is not None]


def _constant(node: ast.AST) -> Value | None:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and not isinstance(node.value, bool)
    ):
        return node.value
    return None
