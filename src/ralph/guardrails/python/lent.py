"""What functions that a file of tests imports from beside it assert: they are as strict as those of the file itself."""

from __future__ import annotations

from collections.abc import Callable

from ralph.guardrails.inventory.both_sides import as_lent
from ralph.guardrails.inventory.model import Facts
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.borrowed import place_of
from ralph.guardrails.python.scopes import scope_of
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.python.words import identifier
from ralph.guardrails.source import Source
from ralph.system.patterns import later

CHECKING = later(r"(?i)_*(?:assert|check|verify|expect|ensure|should|compare)")
Helpers = Callable[[str], Facts | None]


def with_lent(own: Helpers, source: Source, paths: Paths) -> Helpers:
    """Those of the file, and those that it imports by name."""
    found: dict[str, tuple[str, str]] = {}
    for node in source.tree.root_node.named_children:
        module = node.child_by_field_name("module_name") if node.type == "import_from_statement" else None
        place = place_of(source.path, source.text(module), paths) if module is not None else None
        for imported in node.children_by_field_name("name") if place is not None else ():
            name = identifier(source, imported.child_by_field_name("name") or imported)
            if place is not None and CHECKING.match(name):
                found[identifier(source, imported.child_by_field_name("alias") or imported)] = (place, name)

    def read(name: str) -> Facts | None:
        facts = own(name)
        if facts is None and name in found:
            place, called = found[name]
            facts = _helpers(place, paths)(called)
        return None if facts is None else as_lent(facts)

    return read


def _helpers(place: str, paths: Paths) -> Helpers:
    return paths.memo.once(("lent helpers", place), lambda: _read(paths.read(place) or b""))


def _read(data: bytes) -> Helpers:
    tree = parsed_module(data)
    return scope_of(tree.body).helpers if tree is not None else lambda _: None
