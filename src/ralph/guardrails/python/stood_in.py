"""Modules that a Python test puts in the place of others: `sys.modules["pricing"] = Mock()` (policy set v2, class G06).

Rules:

- Put there are assignments to a part of `sys.modules`, `monkeypatch.setitem(sys.modules, ...)` and
  `patch.dict(sys.modules, {...})`, whatever the value is.
- What the same code imports from such a module is replaced; of one that it imports as a whole, what the value is given.
- A module of the standard library is a collaborator, never the subject.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.python.claims import name_of, source_of

MODULES = "sys.modules"


def stood_in(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Where a module is put in the place of another, and each name that is replaced by it."""
    for place, module, value in _put(nodes):
        names = dict.fromkeys(_imported(nodes, module))
        if _is_imported(nodes, module):
            names |= dict.fromkeys(_given(nodes, value))
        yield from ((place, name) for name in names)


def _put(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.stmt | ast.expr, str, ast.expr]]:
    """Where it is put, the dotted name of the module, and what is put there."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=holder, slice=ast.Constant(value=str(module)))], value=value):
                if source_of(holder) == MODULES:
                    yield node, module, value
            case ast.Call(args=[holder, ast.Constant(value=str(module)), value, *_]):
                if source_of(holder) == MODULES and name_of(node).endswith("setitem"):
                    yield node, module, value
            case ast.Call(args=[holder, ast.Dict(keys=keys, values=values), *_]):
                if source_of(holder).strip("\"'") == MODULES and name_of(node).endswith("patch.dict"):
                    for key, value in zip(keys, values, strict=True):
                        if isinstance(key, ast.Constant):
                            yield node, str(key.value), value


def _imported(nodes: Sequence[ast.AST], module: str) -> Iterator[str]:
    """By the name that the code knows it by."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == module and not node.level:
            yield from (each.asname or each.name for each in node.names)


def _is_imported(nodes: Sequence[ast.AST], module: str) -> bool:
    package, _, last = module.rpartition(".")
    return any(
        (isinstance(node, ast.Import) and any(each.name == module for each in node.names))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == package
            and any(each.name == last for each in node.names)
        )
        for node in nodes
    )


def _given(nodes: Sequence[ast.AST], value: ast.expr) -> Iterator[str]:
    """`fake.total = ...`, `fake.total.return_value = ...`, `Mock(total=...)`."""
    if isinstance(value, ast.Call):
        yield from (each.arg for each in value.keywords if each.arg)
    root = source_of(value)
    for node in nodes:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            words = source_of(target).removeprefix(f"{root}.").split(".") if isinstance(target, ast.Attribute) else []
            if words and source_of(target).startswith(f"{root}."):
                yield words[0]
