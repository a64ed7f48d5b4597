"""Lines of the product that are counted as run although nothing of it ran (policy set v2, classes G11, G17).

    exec(compile("pass\n" * 400, shop.pricing.__file__, "exec"))

coverage.py counts a line by the file and the number that the compiled code names.

Rule: code that was made up (a constant, one that is repeated or joined) and is compiled under the name of a file of the
project blocks where it is new; so does another file's name given to code (`code.replace(co_filename=...)`), and lines
that are told to coverage's own records for such a file. Code that was read from somewhere is nothing of the kind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.runner.trees import name_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

WORTH = later(
    rb"(?:(?<![\w.])|\b_*builtins_*\.)compile\(\s*(?:[\"'\[(\d]|[rRbBfFuU]{1,2}[\"']|\w+\s*[=*])"
    rb"|\bco_filename\s*=(?!=)|\badd_(?:lines|arcs)\("
)
OF_A_MODULE = later(r"(?<![\w.])[A-Za-z_][\w.]*\.__file__|\b(?:getsourcefile|getfile|getabsfile|find_spec)\(")
TOLD = frozenset(("add_lines", "add_arcs"))


def counted_lines(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith(".py") or not is_in(WORTH, file.added_text):
            continue
        head = parsed_module(change.blobs.after(file.path) or b"")
        if head is None:
            continue
        base = parsed_module(change.blobs.before(file.path) or b"")
        known = set(map(source_of, _forging(base, change))) if base is not None else set()
        for call in _forging(head, change):
            text = source_of(call)
            if text not in known:
                yield Hit(
                    rule="evidence.fake-output",
                    path=file.path,
                    line=call.lineno,
                    column=call.col_offset + 1,
                    key=text,
                    snippet=text.split("\n")[0],
                    detail="lines of another file are counted as run",
                )


def _forging(tree: ast.Module, change: Change) -> Iterator[ast.Call]:
    for node in walk(tree):
        if isinstance(node, ast.Call) and _forges(node, change):
            yield node


def _forges(call: ast.Call, change: Change) -> bool:
    name = name_of(call.func).rpartition(".")[2]
    given = {each.arg: each.value for each in call.keywords}
    if name == "compile":
        code = given.get("source", call.args[0] if call.args else None)
        place = given.get("filename", call.args[1] if len(call.args) > 1 else None)
        return code is not None and place is not None and _is_made_up(code) and _is_of_the_project(place, change)
    if name == "replace" and (place := given.get("co_filename")) is not None:
        return _is_of_the_project(place, change)
    if name in TOLD and call.args and isinstance(call.args[0], ast.Dict):
        return any(key is not None and _is_of_the_project(key, change) for key in call.args[0].keys)
    return False


def _is_made_up(code: ast.expr) -> bool:
    match code:
        case ast.Constant(value=str() | bytes()):
            return True
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _is_made_up(left) or _is_made_up(right)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_made_up(left) and _is_made_up(right)
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant()), args=[ast.GeneratorExp(elt=part)]):
            return isinstance(part, ast.Constant)
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant()), args=[listed]):
            return _is_of_constants(listed)
    return False


def _is_of_constants(listed: ast.expr) -> bool:
    match listed:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(isinstance(each, ast.Constant) for each in parts)
        case ast.ListComp(elt=part):
            return isinstance(part, ast.Constant)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _is_of_constants(left) or _is_of_constants(right)
    return False


def _is_of_the_project(place: ast.expr, change: Change) -> bool:
    """The file of a module that is imported, or one of the tree by its path."""
    if OF_A_MODULE.search(source_of(place)):
        return True
    path = place.value if isinstance(place, ast.Constant) and isinstance(place.value, str) else ""
    return "/" in path and path in change.blobs.paths_after()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (counted_lines,)
