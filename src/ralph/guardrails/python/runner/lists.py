"""Whether a hook leaves the list of tests whole: `items`, under whatever name it goes in the hook.

Whole is what was sorted, shuffled, copied, or put together of two parts; a list that is built up item by item,
filtered, cut or written out is not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.python.runner.trees import Code, Write, calls, doing, name_of, writes
from ralph.system.patterns import later

LISTS = later(r"(?:^|\.)(?:items|_collected|testscollected)$")
REMOVING = frozenset({"clear", "remove", "pop", "__setitem__", "__delitem__", "__init__", "setitem", "delitem"})
KEEPING = later(r"^(?:sorted|list|tuple|reversed|copy|deepcopy|sample|permutation|shuffled?)$")
ORDER = later(r"(?i)sort|order|shuff|revers")


def thinned(code: Code) -> Iterator[ast.AST]:
    """Where tests are taken out of the list."""
    names = _aliases(code)
    for write in writes(code):
        whole = write.name == "items" and write.owner.endswith("session")
        if (whole or (write.name == "[]" and _is_list(write.owner, names))) and not _keeps(write, code, names):
            yield write.node
    for name, call in calls(code):
        owner = name_of(call.func).rpartition(".")[0]
        first = name_of(call.args[0]) if call.args else ""
        named = _is_list(owner, names) or (owner in ("list", "operator") and _is_list(first, names))
        if name == "pytest_deselected" or (name in REMOVING and named):
            yield call


def _aliases(code: Code) -> frozenset[str]:
    """Names that are given the list itself."""
    found: set[str] = set()
    for node in doing(code):
        itself = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute)
        if isinstance(node, ast.Assign) and itself and LISTS.search(name_of(node.value)):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return frozenset(found)


def _is_list(owner: str, names: frozenset[str]) -> bool:
    return LISTS.search(owner) is not None or owner in names


def _keeps(write: Write, code: Code, names: frozenset[str]) -> bool:
    if isinstance(write.node, ast.For):
        return True
    return write.value is not None and _is_whole(write.value, code, names, 3)


def _is_whole(value: ast.expr, code: Code, names: frozenset[str], depth: int) -> bool:
    """True for all of the list in some order."""
    if _is_list(name_of(value), names) and isinstance(value, ast.Name | ast.Attribute):
        return True
    if isinstance(value, ast.BinOp):  # `first + second`: two parts of it
        return isinstance(value.op, ast.Add)
    if isinstance(value, ast.Subscript):  # `items[::-1]`
        cut = value.slice
        return isinstance(cut, ast.Slice) and cut.lower is None and cut.upper is None
    if isinstance(value, ast.Call):
        return KEEPING.match(name_of(value).rpartition(".")[2]) is not None and all(
            _is_whole(each, code, names, depth) or not isinstance(each, ast.ListComp | ast.GeneratorExp | ast.Subscript)
            for each in value.args[:1]
        )
    if isinstance(value, ast.ListComp | ast.GeneratorExp):
        return not any(part.ifs for part in value.generators)
    if isinstance(value, ast.List | ast.Tuple):
        return any(isinstance(each, ast.Starred) for each in value.elts)
    if isinstance(value, ast.Name) and depth:
        given = list(_given(value.id, code))
        known = bool(given) and all(_is_whole(each, code, names, depth - 1) for each in given)
        return known or ORDER.search(value.id) is not None
    return False


def _given(name: str, code: Code) -> Iterator[ast.expr]:
    for node in doing(code):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in node.targets
        ):
            yield node.value
