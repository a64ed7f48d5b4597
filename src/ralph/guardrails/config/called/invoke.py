"""Tasks of invoke: `inv test --args tests/slow --fast`, and `if fast: c.run(f"pytest {args}")` in `tasks.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.called.call import Call
from ralph.guardrails.config.side import Side

Value = str | bool
RUNS = frozenset(("run", "sudo"))


def commands(call: Call, side: Side) -> list[str]:
    """A parameter of a task is an option of its call. Of a branch that one decides is left what holds."""
    try:
        tree = ast.parse(side.text("tasks.py") or "")
    except (SyntaxError, ValueError):
        return []
    functions = {node.name.replace("_", "-"): node for node in tree.body if isinstance(node, ast.FunctionDef)}
    task = functions.get(call.words[0].replace("_", "-")) if call.words else None
    values = _values(task, call.words[1:]) if task is not None else {}
    return list(_runs(task.body, values)) if task is not None and values else []


def _values(task: ast.FunctionDef, words: Sequence[str]) -> dict[str, Value]:
    names = [argument.arg for argument in task.args.args]
    defaults = zip(names[len(names) - len(task.args.defaults) :], task.args.defaults, strict=True)
    values: dict[str, Value] = {
        name: each.value
        for name, each in defaults
        if isinstance(each, ast.Constant) and isinstance(each.value, str | bool)
    }
    for number, word in enumerate(words):
        name, equals, given = word.lstrip("-").partition("=")
        name = name.replace("-", "_")
        off = name.removeprefix("no_")
        if word.startswith("--") and isinstance(values.get(name), bool):
            values[name] = True
        elif word.startswith("--no-") and isinstance(values.get(off), bool):
            values[off] = False
        elif word.startswith("--") and name in values:
            values[name] = given if equals else " ".join(words[number + 1 : number + 2])
    return values


def _runs(body: Sequence[ast.stmt], values: Mapping[str, Value]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.If) and (truth := _truth(statement.test, values)) is not None:
            yield from _runs(statement.body if truth else statement.orelse, values)
            continue
        if isinstance(statement, ast.Return | ast.Raise):
            return
        inner = [each for name in ("body", "orelse", "finalbody") for each in getattr(statement, name, ())]
        if inner:
            yield from _runs(inner, values)
            continue
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in RUNS
                and node.args
            ):
                text = _text(node.args[0], values)
                if text is not None:
                    yield text


def _truth(test: ast.expr, values: Mapping[str, Value]) -> bool | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand, values)
        return None if inner is None else not inner
    if isinstance(test, ast.Name) and test.id in values:
        return bool(values[test.id])
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id in values:
        other = test.comparators[0]
        if len(test.ops) == 1 and isinstance(other, ast.Constant) and isinstance(test.ops[0], ast.Eq | ast.NotEq):
            return (values[test.left.id] == other.value) is isinstance(test.ops[0], ast.Eq)
    return None


def _text(node: ast.expr, values: Mapping[str, Value]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [
            each.value
            if isinstance(each, ast.Constant)
            else _put_in(each.value, values)
            if isinstance(each, ast.FormattedValue)
            else None
            for each in node.values
        ]
        return None if None in parts else "".join(map(str, parts)).strip()
    return None


def _put_in(node: ast.expr, values: Mapping[str, Value]) -> str | None:
    value = values.get(node.id) if isinstance(node, ast.Name) else None
    return value if isinstance(value, str) else None
