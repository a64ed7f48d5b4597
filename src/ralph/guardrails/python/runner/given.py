"""What a hook of pytest gives the runner: lists of what to leave out, tests without values, answers of a wrapper (G08).

Rules (`collecting` says what follows from them):

- `norecursedirs`, and the options that leave files and tests out, may be lengthened by `addinivalue_line`, or by what
  changes a list in its place: `getini(...)`, `_inicache[...]`, `option.ignore`, also under another name.
- `parametrize` with a list that is written out and empty gives tests no values: they are all skipped.
- A wrapper of pytest's new form, which gives its own answer, drops what it was answered if that is empty or filtered.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.python.claims import constant_value
from ralph.guardrails.python.runner.trees import Code, calls, doing, name_of, own_nodes

LENGTHENED = frozenset({"norecursedirs", "ignore", "ignore_glob", "deselect", "addopts"})
"""Settings and options of which every entry leaves something out."""
LENGTHENS = frozenset({"append", "extend", "insert", "__iadd__"})
EMPTY_MADE = frozenset({"list", "tuple", "set", "dict", "iter", "frozenset"})


def lengthened(code: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The name of the list, and where it gets another entry."""
    known = _names(code)
    for name, call in calls(code):
        first = call.args[0] if call.args else None
        if name == "addinivalue_line" and (line := _text(first)) in LENGTHENED:
            yield line, call
        elif name in LENGTHENS and isinstance(call.func, ast.Attribute):
            owner = call.func.value
            if found := _setting(owner) or known.get(name_of(owner)):
                yield found, call
    for node in doing(code):
        if isinstance(node, ast.AugAssign) and (found := known.get(name_of(node.target))):
            yield found, node


def _names(code: ast.AST) -> dict[str, str]:
    """Names that are given such a list."""
    return {
        target.id: found
        for node in doing(code)
        if isinstance(node, ast.Assign) and (found := _setting(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _setting(tree: ast.expr) -> str:
    """The setting or option that an expression gives the list of; empty for any other."""
    match tree:
        case ast.Call(func=ast.Attribute(attr="getini" | "_getini" | "getoption"), args=[key, *_]):
            found = _text(key).lstrip("-").replace("-", "_")
        case ast.Subscript(value=ast.Attribute(attr="_inicache" | "inicfg"), slice=key):
            found = _text(key)
        case ast.Attribute(value=ast.Attribute(attr="option" | "known_args_namespace"), attr=attribute):
            found = attribute
        case _:
            return ""
    return found if found in LENGTHENED else ""


def _text(tree: ast.expr | None) -> str:
    return tree.value if isinstance(tree, ast.Constant) and isinstance(tree.value, str) else ""


def without_values(code: Code) -> Iterator[ast.AST]:
    """Where tests are given parameters without any value."""
    for name, call in calls(code):
        named = next((each.value for each in call.keywords if each.arg == "argvalues"), None)
        values = named if named is not None else call.args[1] if len(call.args) > 1 else None
        if name == "parametrize" and values is not None and _is_empty(values):
            yield call


def _is_empty(tree: ast.expr) -> bool:
    match tree:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]) | ast.Constant(value=""):
            return True
        case ast.Call(func=ast.Name(id=name), args=[]):
            return name in EMPTY_MADE
        case ast.Call(func=ast.Name(id="iter" | "list" | "tuple"), args=[inner]):
            return _is_empty(inner)
        case ast.Call(func=ast.Name(id="range"), args=[end]):
            return constant_value(end) == (0,)
        case ast.Subscript(slice=ast.Slice(lower=None, upper=ast.expr() as end)):
            return constant_value(end) == (0,)
        case ast.BinOp(op=ast.Mult(), right=times):
            return constant_value(times) == (0,)
    return False


def dropped(code: Code) -> Iterator[ast.AST]:
    """Answers of a wrapper that are empty, or of which a condition leaves something out."""
    answered = {
        target.id
        for node in own_nodes(code)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Yield)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in own_nodes(code) if answered else ():
        if isinstance(node, ast.Return) and node.value is not None:
            yield from (each for each in _branches(node.value) if _drops(each, answered))


def _branches(tree: ast.expr) -> Iterator[ast.expr]:
    if isinstance(tree, ast.IfExp):
        yield from _branches(tree.body)
        yield from _branches(tree.orelse)
    elif isinstance(tree, ast.BoolOp):
        yield from (part for value in tree.values[1:] for part in _branches(value))
    else:
        yield tree


def _drops(tree: ast.expr, answered: set[str]) -> bool:
    match tree:
        case ast.Constant(value=None):
            return True
        case ast.ListComp(generators=[ast.comprehension(iter=ast.Name(id=name), ifs=[_, *_])]):
            return name in answered
        case ast.Call(func=ast.Name(id="filter"), args=[_, ast.Name(id=name)]):
            return name in answered
    return _is_empty(tree)
