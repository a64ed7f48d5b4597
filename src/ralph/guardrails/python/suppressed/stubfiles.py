"""Stub files that hide a module from its type checker (policy set v2, class G01).

Rule: a checker reads a new `.pyi` in the place of the module beside it. It blocks if it says of a function or class of
the module, whose types are written down there, that it may be anything: `Box: Any`, a `def` without the types that the
module has, a `def __getattr__` for whatever is not named. A stub with types, of a module that has none, is none of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.system.patterns import later

ANY = later(r"^(?:\w+\.)?(?:Any|Incomplete|object)$|^type\[(?:\w+\.)?Any\]$")
ALL = "__getattr__"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def loose_stubs(change: Change) -> Iterator[Hit]:
    for file in change.files:
        module = file.path.removesuffix("i")
        if file.status == "A" and file.path.endswith(".pyi") and not is_support(file.path):
            written = change.blobs.after(module)
            if written is not None and change.blobs.before(module) is not None:
                yield from _judged(file, change.blobs.after(file.path) or b"", written)


def _judged(file: FileChange, stub: bytes, module: bytes) -> Iterator[Hit]:
    loose, real = parsed_module(stub), parsed_module(module)
    if loose is None or real is None:
        return
    typed = {name for name, each in _defined(real.body) if _annotations(each)} | set(_with_fields(real))
    if not typed:
        return
    said = dict(_defined(loose.body))
    for name, each in said.items():
        if name in typed and all(map(_is_any, _annotations(each))):
            yield _hit(file, each, f"{name} has no types, and the module says them")
        elif name == ALL and not typed <= said.keys():
            yield _hit(file, each, "whatever is not named may be anything")
    for statement in loose.body:
        for name in _anything(statement):
            if any(one == name or one.startswith(f"{name}.") for one in typed):
                yield _hit(file, statement, f"{name} may be anything, and the module says its types")


def _anything(statement: ast.stmt) -> Iterator[str]:
    """The names of which a statement says that they may be anything."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_any(annotation):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_any(value):
            yield name


def _defined(body: list[ast.stmt], around: str = "") -> Iterator[tuple[str, Function]]:
    """The functions of a module and of its classes."""
    for each in body:
        if isinstance(each, Function):
            yield f"{around}{each.name}", each
        elif isinstance(each, ast.ClassDef):
            yield from _defined(each.body, f"{around}{each.name}.")


def _with_fields(tree: ast.Module) -> Iterator[str]:
    """Classes that say the types of what they hold."""
    classes = (each for each in tree.body if isinstance(each, ast.ClassDef))
    yield from (each.name for each in classes if any(isinstance(part, ast.AnnAssign) for part in each.body))


def _annotations(tree: Function) -> list[ast.expr]:
    """The types that say something: that `__init__` gives None is known."""
    given = [each.annotation for each in walk(tree.args) if isinstance(each, ast.arg)]
    plain = tree.returns is not None and not (isinstance(tree.returns, ast.Constant) and tree.returns.value is None)
    return [each for each in (*given, tree.returns if plain else None) if each is not None]


def _is_any(annotation: ast.expr) -> bool:
    return ANY.search(source_of(annotation)) is not None


def _hit(file: FileChange, node: ast.stmt, detail: str) -> Hit:
    return Hit(
        rule="py.no-type-check",
        path=file.path,
        line=node.lineno,
        column=node.col_offset + 1,
        key=detail,
        snippet=source_of(node).split("\n")[0],
        detail=detail,
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (loose_stubs,)
