"""Modules that a Python test puts in the place of others: `sys.modules["pricing"] = Mock()` (policy set v2, class G06).

Rules:

- Put there are assignments to a part of `sys.modules`, `monkeypatch.setitem(sys.modules, ...)` and
  `patch.dict(sys.modules, {...})`, whatever the value is.
- What the same code imports from such a module is replaced; of one that it imports as a whole, what the value is given,
  and whatever is asked of it (`billing.`), where what is put there is made on the spot and is no module.
- A module of the standard library is a collaborator, never the subject.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.python.claims import name_of, source_of
from ralph.system.patterns import later

MODULES = "sys.modules"
LOADED = later(r"(?i)(?:import|load|reload|spec|module)\w*$")
"""What gives a module: `import_module`, `module_from_spec`, `ModuleType`."""


def stood_in(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Where a module is put in the place of another, and each name that is replaced by it."""
    for place, module, value in _put(nodes):
        names = dict.fromkeys(_imported(nodes, module))
        if known := list(_known_as(nodes, module)):
            names |= dict.fromkeys(_given(nodes, value))
            names |= dict.fromkeys(f"{each}." for each in known if _is_made(nodes, value))
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
            case ast.Call(
                func=ast.Attribute(value=holder, attr="setdefault"), args=[ast.Constant(value=str(module)), value]
            ):
                if source_of(holder) == MODULES:
                    yield node, module, value
            case ast.Call(func=ast.Attribute(value=holder, attr="update")) if source_of(holder) == MODULES:
                yield from ((node, each.arg, each.value) for each in node.keywords if each.arg)
                for table in (each for each in node.args if isinstance(each, ast.Dict)):
                    yield from ((node, module, value) for module, value in _entries(table))
            case ast.Call(args=[holder, ast.Dict() as table, *_]):
                if source_of(holder).strip("\"'") == MODULES and name_of(node).endswith("patch.dict"):
                    yield from ((node, module, value) for module, value in _entries(table))


def _entries(table: ast.Dict) -> Iterator[tuple[str, ast.expr]]:
    for key, value in zip(table.keys, table.values, strict=True):
        if isinstance(key, ast.Constant):
            yield str(key.value), value


def _imported(nodes: Sequence[ast.AST], module: str) -> Iterator[str]:
    """By the name that the code knows it by."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == module and not node.level:
            yield from (each.asname or each.name for each in node.names)


def _known_as(nodes: Sequence[ast.AST], module: str) -> Iterator[str]:
    """Names by which the code knows a module as a whole."""
    package, _, last = module.rpartition(".")
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.asname or each.name for each in node.names if each.name == module)
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (each.asname or each.name for each in node.names if each.name == last)


def _is_made(nodes: Sequence[ast.AST], value: ast.expr) -> bool:
    """A double or an object; no module that was loaded in another way, and not nothing."""
    if isinstance(value, ast.Name):
        given = [
            each.value for each in nodes if isinstance(each, ast.Assign) and source_of(each.targets[0]) == value.id
        ]
        return any(isinstance(each, ast.Call) and _is_made(nodes, each) for each in given)
    return isinstance(value, ast.Call) and not LOADED.search(name_of(value))


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
