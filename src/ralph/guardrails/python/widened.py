"""Types that became Any where they are declared (policy set v2, class G01).

Rule: a parameter or result of a function that was there before, with a type that said something, and that is Any now or
holds Any in a place where it did not, is given up for the type checker: for a person, as a cast to Any is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.system.patterns import later

ANY = later(r"\bAny\b")
ADDED = later(rb"\bAny\b")
Types = Mapping[tuple[str, str], tuple[str, int]]
"""By function and parameter: the type, and the line where it stands."""


def widened(change: Change) -> Iterator[Hit]:
    for file in change.files:
        typed = file.path.endswith((".py", ".pyi")) and file.status == "M" and not is_support(file.path)
        if typed and any(ADDED.search(line) for _, line in file.added()):
            yield from _of_file(file, change)


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = _types(change.blobs.before(file.path)), _types(change.blobs.after(file.path))
    for (function, name), (now, line) in after.items():
        was = before.get((function, name), ("", 0))[0]
        if was and len(ANY.findall(now)) > len(ANY.findall(was)) and was != "object":
            text = f"{name}: {was} of {function} became {now}"
            yield Hit(rule="py.cast-any", path=file.path, line=line, column=1, key=text, snippet=text, detail=text)


def _types(blob: bytes | None) -> Types:
    """Those of all functions; of what cannot be read, none: other rules say so."""
    try:
        tree = ast.parse(blob or b"")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[tuple[str, str], tuple[str, int]] = {}
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            path = f"{path}.{node.name}".lstrip(".")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.update(((path, name), (ast.unparse(said), said.lineno)) for name, said in _declared(node))
        waiting += [(path, child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return found


def _declared(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, ast.expr]]:
    given = function.args
    for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if each is not None and each.annotation is not None:
            yield each.arg, each.annotation
    if function.returns is not None:
        yield "return", function.returns


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (widened,)
