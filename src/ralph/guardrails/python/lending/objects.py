"""What a test asserts through an object that a fixture hands out: `golden.text("march", render())`.

The class of the object stands in the file of the fixture, or beside the tests. Only one that is for comparing, by its
name or by that of the fixture or the method, is looked into: other objects are what a test is about.
"""

from __future__ import annotations

import ast

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.lending.borrowed import conftests
from ralph.guardrails.python.lending.scope import FunctionDef, Helpers
from ralph.guardrails.python.lending.scopes import is_fixture, scope_of
from ralph.guardrails.python.removed.inherited import Modules
from ralph.guardrails.python.trees import parsed_module
from ralph.system.patterns import later

COMPARING = later(
    r"(?i)(?:^|_|\b)(?:assert|check|verif|expect|ensure|should|compar|match|golden|snapshot|approv|baseline|record)"
)


class Objects:
    """Those that the fixtures around a file of tests hand out."""

    def __init__(self, path: str, modules: Modules, paths: Paths) -> None:
        self._path, self._modules, self._paths = path, modules, paths

    def having(self, owner: str, method: str) -> Helpers | None:
        """The methods of the object that a test gets under a name, if it has one of that name."""
        known = self._paths.memo.once(("lent object", self._path, owner), lambda: self._class_of(owner))
        if known is None or not any(COMPARING.search(each) for each in (owner, known[1].name, method)):
            return None
        if not any(isinstance(each, FunctionDef) and each.name == method for each in known[1].body):
            return None
        return methods_of(*known, self._paths)

    def _class_of(self, owner: str) -> tuple[str, ast.ClassDef] | None:
        defined = b"def %s(" % owner.encode()
        for place in (self._path, *conftests(self._path)):
            data = (self._paths.read(place) or b"") if place in self._paths.all() else b""
            module = parsed_module(data) if defined in data else None
            for each in module.body if module is not None else ():
                if isinstance(each, FunctionDef) and each.name == owner and is_fixture(each):
                    made = _made(each)
                    return None if made is None else self._modules.base(place, made)
        return None


def methods_of(place: str, tree: ast.ClassDef, paths: Paths) -> Helpers:
    """Those of a class, with what stands around it in its file."""

    def read() -> Helpers:
        module = parsed_module(paths.read(place) or b"")
        around = [each for each in module.body if not isinstance(each, ast.ClassDef)] if module is not None else []
        return scope_of([*around, *tree.body]).helpers

    return paths.memo.once(("inherited helpers", place, tree.name), read)


def _made(function: FunctionDef) -> str | None:
    """The class of the object that a fixture ends with."""
    match function.body[-1]:
        case (
            ast.Return(value=ast.Call(func=ast.Name() | ast.Attribute() as made))
            | ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name() | ast.Attribute() as made)))
        ):
            return source_of(made)
    return None
