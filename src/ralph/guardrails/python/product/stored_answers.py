"""Tables of whole inputs that the tests give, in Python, with the answers that they want (policy set v2, class G07).

`cases` knows tables whose keys stand in a test as they are. Rule for those whose keys are made of several values that
the tests have in their data: a new table of a few entries, which a function asks first and leaves with what it finds,
while it works out everything else. Each value of each key stands in a test or its data, and of each answer a test wants
a number that is nobody else's. Such a table may be what it says, so it is for a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.common.product.asked import MOST_TESTS, TRIVIAL
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.product.answer_tables import tables_of
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

RULE = "py.special-case-mild"
ASKS = later(r"\bin [A-Za-z_]\w*:|\b[A-Za-z_]\w*\.get\(")
DATA = (".json", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".txt", ".xml", ".jsonl")
LARGEST, MOST = 500_000, 12
"""Larger files are no data of a test, and longer tables are data of the product."""
OWN = later(r"-?\d+\.\d*[1-9]\d*|-?\d{4,}")
"""A number that is hardly met by chance."""


def stored_answers(before: Iterable[Function], after: Iterable[Function], change: Change) -> Iterator[Hit]:
    old = {(function.source.path, function.parts): function for function in before}
    for function in after:
        same = old.get((function.source.path, function.parts))
        tree = function.tree() if same is not None and ASKS.search(function.text) else None
        if same is None or tree is None:
            continue
        for name, table in tables_of(tree, function.source, same.source):
            if 0 < len(table.keys) <= MOST and _leaves_with(tree, name) and _is_of_tests(table, change):
                line = function.first_line + tree.lineno - 1
                detail = f"{name} has what tests give, and what they want of it"
                yield hit_at(RULE, function.source.path, line, detail, function.source.line_text(line))


def _leaves_with(tree: Tree, name: str) -> bool:
    """`if (a, b) in TABLE: ... return ...`, `hit = TABLE.get((a, b))` and `if hit: return ...`; more stands behind."""
    hits = {name}
    for at, each in enumerate(tree.body[:-1]):
        match each:
            case ast.Assign(targets=[ast.Name(id=hit)], value=ast.Call(func=ast.Attribute(attr="get") as asked)):
                if isinstance(asked.value, ast.Name) and asked.value.id == name:
                    hits.add(hit)
            case ast.If(test=test, body=[*_, ast.Return(value=ast.expr())], orelse=[]):
                names = {part.id for part in walk(test) if isinstance(part, ast.Name)}
                if not names.isdisjoint(hits) and any(_computes(later) for later in tree.body[at + 1 :]):
                    return True
    return False


def _computes(statement: ast.stmt) -> bool:
    return any(isinstance(part, ast.Call | ast.BinOp) for part in walk(statement))


def _is_of_tests(table: ast.Dict, change: Change) -> bool:
    entries = [(_values(key), _numbers(value)) for key, value in zip(table.keys, table.values, strict=True) if key]
    if len(entries) != len(table.keys) or not all(len(key) > 1 and numbers for key, numbers in entries):
        return False
    tests, data = _texts(change)
    given = (*tests, *data)
    return all(
        all(any(value in text for text in given) for value in key)
        and any(re.search(rf"(?<![\w.]){re.escape(number)}(?![\w.])", test) for number in numbers for test in tests)
        for key, numbers in entries
    )


def _values(key: ast.expr) -> Sequence[str]:
    """The constants of a tuple, dates as data has them; nothing for another key, or one of names."""
    found = []
    for part in key.elts if isinstance(key, ast.Tuple) else ():
        match part:
            case ast.Constant(value=str() | int() | float() as value) if repr(value) not in TRIVIAL:
                found.append(str(value))
            case ast.Call(func=ast.Name(id="date" | "datetime") | ast.Attribute(attr="date" | "datetime"), args=args):
                numbers = [
                    each.value for each in args if isinstance(each, ast.Constant) and isinstance(each.value, int)
                ]
                found.append("-".join(f"{number:02d}" for number in numbers[:3]))
    return found if any(re.search(r"\d", value) for value in found) else ()


def _numbers(value: ast.expr) -> Sequence[str]:
    constants = (part.value for part in walk(value) if isinstance(part, ast.Constant))
    return [written for each in constants if isinstance(each, int | float) and OWN.fullmatch(written := repr(each))]


def _texts(change: Change) -> tuple[list[str], list[str]]:
    """The tests, and the data that lies among them."""
    paths = [path for path in change.blobs.paths_after() if TEST_PLACE.search(path)]
    tests = nearest(filter(is_test_file, paths), change, MOST_TESTS)
    data = nearest((path for path in paths if path.endswith(DATA)), change, MOST_TESTS)
    return list(_read(tests, change)), list(_read(data, change))


def _read(paths: Iterable[str], change: Change) -> Iterator[str]:
    for path in paths:
        text = change.blobs.after(path) or b""
        if len(text) <= LARGEST:
            yield text.decode("utf-8", "replace")
