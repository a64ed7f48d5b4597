"""What functions and methods assert that a file of tests has from beside it: as much as those of the file itself.

It imports functions by name, and its classes inherit methods. Where classes of one file inherit several methods of one
name, nobody can tell which is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Facts
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.wanted.both_sides import as_lent
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.lending.borrowed import conftests, place_of
from ralph.guardrails.python.lending.objects import Objects, methods_of
from ralph.guardrails.python.lending.scope import FunctionDef, Helpers, NoHelpers
from ralph.guardrails.python.lending.scopes import is_fixture, scope_of
from ralph.guardrails.python.removed.inherited import CASE, DEEPEST, Modules
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.python.words import identifier
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

CHECKING = later(r"(?i)_*(?:assert|check|verify|expect|ensure|should|compare)")


class Lending:
    """The helpers of a file, those that it imports by name from beside it, and those that its classes inherit."""

    def __init__(self, own: Helpers, imports: Imports, inherited: Inherited, source: Source, paths: Paths) -> None:
        self._own, self._imports, self._inherited, self._paths = own, imports, inherited, paths
        self._path = source.path

    def get(self, name: str) -> Facts | None:
        helpers, called = self._where(name)
        facts = helpers.get(called)
        return None if facts is None else as_lent(facts)

    def called(self, name: str, call: ast.Call) -> Sequence[Check]:
        helpers, called = self._where(name)
        return as_lent(Facts(checks=tuple(helpers.called(called, call)))).checks

    def _where(self, name: str) -> tuple[Helpers, str]:
        owner, _, last = name.rpartition(".")
        if owner:
            place = self._imports.modules.get(owner)
            if place is None and owner.isidentifier() and (lent := self._inherited.objects.having(owner, last)):
                return lent, last
            return (self._own if place is None else self._of(place)), (name if place is None else last)
        if self._own.get(name) is not None:
            return self._own, name
        if name in self._imports.names:
            place, called = self._imports.names[name]
            return self._of(place), called
        lent = self._handed_out(name) or (self._inherited.having(name) if CHECKING.match(name) else None)
        return lent or self._own, name

    def _of(self, place: str) -> Helpers:
        return self._paths.memo.once(("lent helpers", place), lambda: _read(self._paths.read(place) or b""))

    def _handed_out(self, name: str) -> Helpers | None:
        """Those of the nearest conftest that has a fixture of that name."""
        for place in conftests(self._path):
            if place in self._paths.all() and name in self._fixtures(place):
                return self._of(place)
        return None

    def _fixtures(self, place: str) -> frozenset[str]:
        return self._paths.memo.once(("fixtures", place), lambda: _fixtures(self._paths.read(place) or b""))


class Inherited:
    """The methods that the classes of a file have from their bases in other files."""

    def __init__(self, source: Source, paths: Paths) -> None:
        self._source, self._paths = source, paths

    def having(self, name: str) -> Helpers | None:
        """The helpers of the one class that has a method of that name."""
        found = {(place, tree.name): tree for place, tree in self._classes if name in _methods(tree)}
        if len(found) != 1:
            return None
        (place, _), tree = next(iter(found.items()))
        return methods_of(place, tree, self._paths)

    @cached_property
    def objects(self) -> Objects:
        return Objects(self._source.path, self._modules, self._paths)

    @cached_property
    def _classes(self) -> list[tuple[str, ast.ClassDef]]:
        """Those that classes of the file derive from, directly or not."""
        own = (node for node in self._source.tree.root_node.named_children if node.type == "class_definition")
        listed = (node.child_by_field_name("superclasses") for node in own)
        written = {self._source.text(each) for node in listed if node is not None for each in node.named_children}
        bases = sorted(each for each in written if not CASE.search(each) and "=" not in each)
        return [each for base in bases for each in self._above(self._source.path, base, DEEPEST)]

    @cached_property
    def _modules(self) -> Modules:
        return Modules(self._paths)

    def _above(self, path: str, base: str, depth: int) -> Iterator[tuple[str, ast.ClassDef]]:
        known = self._modules.base(path, base)
        if known is None or not depth:
            return
        place, tree = known
        if place != self._source.path:
            yield known
        for each in tree.bases:
            if (written := source_of(each)) != base:
                yield from self._above(place, written, depth - 1)


def _methods(tree: ast.ClassDef) -> frozenset[str]:
    return frozenset(each.name for each in tree.body if isinstance(each, FunctionDef))


@record
class Imports:
    """What a file imports from files of tests."""

    names: Mapping[str, tuple[str, str]]
    """By the name that a function goes by here: its file, and what it is called there."""
    modules: Mapping[str, str]
    """By what a module is called here: its file."""


def with_lent(own: Helpers, source: Source, paths: Paths) -> Helpers:
    return Lending(own, _imports(source, paths), Inherited(source, paths), source, paths)


def _imports(source: Source, paths: Paths) -> Imports:
    names: dict[str, tuple[str, str]] = {}
    modules: dict[str, str] = {}
    for node in source.tree.root_node.named_children:
        if node.type not in ("import_from_statement", "import_statement"):
            continue
        module = node.child_by_field_name("module_name")
        written = source.text(module) if module is not None else ""
        place = place_of(source.path, written, paths) if module is not None else None
        for imported in node.children_by_field_name("name"):
            name = identifier(source, imported.child_by_field_name("name") or imported)
            known_as = identifier(source, imported.child_by_field_name("alias") or imported)
            inner = f"{written}{'' if not written or written.endswith('.') else '.'}{name}"
            if place is not None and name[:1].islower():
                names[known_as] = (place, name)
            elif (beside := place_of(source.path, inner, paths)) is not None:
                modules[known_as] = beside
    return Imports(names, modules)


def _read(data: bytes) -> Helpers:
    tree = parsed_module(data)
    return scope_of(tree.body).helpers if tree is not None else NoHelpers()


def _fixtures(data: bytes) -> frozenset[str]:
    tree = parsed_module(data)
    functions = [each for each in tree.body if isinstance(each, FunctionDef)] if tree is not None else []
    return frozenset(each.name for each in functions if is_fixture(each))
