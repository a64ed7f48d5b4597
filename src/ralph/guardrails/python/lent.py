"""What functions that a file of tests imports from beside it assert: they are as strict as those of the file itself."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ralph.guardrails.inventory.both_sides import as_lent
from ralph.guardrails.inventory.model import Check, Facts
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.borrowed import place_of
from ralph.guardrails.python.scope import Helpers, NoHelpers
from ralph.guardrails.python.scopes import scope_of
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.python.words import identifier
from ralph.guardrails.source import Source
from ralph.system.patterns import later

CHECKING = later(r"(?i)_*(?:assert|check|verify|expect|ensure|should|compare)")


class Lending:
    """The helpers of a file, and those that it imports by name from beside it."""

    def __init__(self, own: Helpers, imported: Mapping[str, tuple[str, str]], paths: Paths) -> None:
        self._own, self._imported, self._paths = own, imported, paths

    def get(self, name: str) -> Facts | None:
        helpers, called = self._where(name)
        facts = helpers.get(called)
        return None if facts is None else as_lent(facts)

    def called(self, name: str, call: ast.Call) -> Sequence[Check]:
        helpers, called = self._where(name)
        return as_lent(Facts(checks=tuple(helpers.called(called, call)))).checks

    def _where(self, name: str) -> tuple[Helpers, str]:
        if name not in self._imported or self._own.get(name) is not None:
            return self._own, name
        place, called = self._imported[name]
        read = self._paths.memo.once(("lent helpers", place), lambda: _read(self._paths.read(place) or b""))
        return read, called


def with_lent(own: Helpers, source: Source, paths: Paths) -> Helpers:
    found: dict[str, tuple[str, str]] = {}
    for node in source.tree.root_node.named_children:
        module = node.child_by_field_name("module_name") if node.type == "import_from_statement" else None
        place = place_of(source.path, source.text(module), paths) if module is not None else None
        for imported in node.children_by_field_name("name") if place is not None else ():
            name = identifier(source, imported.child_by_field_name("name") or imported)
            if place is not None and CHECKING.match(name):
                found[identifier(source, imported.child_by_field_name("alias") or imported)] = (place, name)
    return Lending(own, found, paths)


def _read(data: bytes) -> Helpers:
    tree = parsed_module(data)
    return scope_of(tree.body).helpers if tree is not None else NoHelpers()
