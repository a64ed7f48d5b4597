"""Commands and matchers that a project adds to its frameworks (test inventory, class G05).

Rules:

- `Cypress.Commands.add("checkTotal", (n) => …)` is what `cy.checkTotal(3)` calls; `expect.extend({ toBeBill(r, n) … })`
  is what `expect(bill).toBeBill(3)` asks. They stand in the file itself, in one that it imports, or in one that the
  configuration of a runner names; those of Cypress also in its folder for support.
- Where there are two of a name, or one is overwritten, nobody can tell which is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import tree_sitter

from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.modules import Modules, Value, is_function, values_in
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.runner.loaded import configs, loaded
from ralph.guardrails.javascript.runner.mapped import target
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.destructuring import key_of
from ralph.guardrails.javascript.syntax.names import unwrapped
from ralph.system.patterns import later

_SUPPORT = later(r"(?:^|/)cypress/support/(?:[^/]+/)*[^/]+\.[cm]?[jt]sx?$")
_LOADED = frozenset({"setupFiles", "setupFilesAfterEnv", "supportFile", "require", "file", "requires", "import"})
_EXPECT = later(r"(?i)\w*expect")
MOST_FILES = 40


class Added(NamedTuple):
    """`takes_subject`: it is given what the command before it found, first."""

    name: str
    value: Value | None
    takes_subject: bool = False


class Additions:
    def __init__(self, code: Code, paths: Paths | None, modules: Modules) -> None:
        self._code, self._paths, self._modules = code, paths, modules

    def command(self, name: str) -> Added | None:
        return self._one(name, "commands")

    def matcher(self, name: str) -> Added | None:
        return self._one(name, "matchers")

    def all(self, kind: str) -> list[Added]:
        """Those that the file itself adds."""
        return list(_commands(self._code) if kind == "commands" else _matchers(self._code, self._modules))

    def _one(self, name: str, kind: str) -> Added | None:
        files = chain([self._code], self._modules.imported(self._code), self._loaded())
        by_path = {each.source.path: each for each in files}
        found = [each for code in by_path.values() for each in self._of(code, kind) if each.name == name]
        return found[0] if len(found) == 1 and found[0].value is not None else None

    def _of(self, code: Code, kind: str) -> list[Added]:
        if (b"Commands" if kind == "commands" else b"extend") not in code.source.data:
            return []
        return Additions(code, self._paths, self._modules).all(kind)

    def _loaded(self) -> list[Code]:
        """The files that runners load besides the tests."""
        paths = self._paths
        return [] if paths is None else paths.memo.once("scripts loaded by runners", lambda: self._read(paths))

    def _read(self, paths: Paths) -> list[Code]:
        side = Side(paths.read, paths.all())
        named = (each for path in configs(side) for each in loaded(side, path) if each.setting in _LOADED)
        places = {place for each in named if (place := target(each.value, each.node.path, side)) is not None}
        places |= {path for path in paths.all() if _SUPPORT.search(path)}
        found = (self._modules.file(place) for place in sorted(places)[:MOST_FILES])
        return [code for code in found if code is not None]


def _commands(code: Code) -> Iterator[Added]:
    for call in code.calls:
        path, given = code.origins.of(call.child_by_field_name("function")), arguments(call)
        if path is None or path[:2] != ("Cypress", "Commands") or len(path) != 3 or not given:
            continue
        options = given[-2] if len(given) > 1 and given[-2].type == "object" else None
        subject = options is not None and any(values_in(code, options, "prevSubject"))
        name = code.constants.value(given[0])
        if path[2] == "addAll":
            yield from (Added(each.name, each.value, subject) for each in _members(code, given[-1]))
        elif isinstance(name, str):
            function = unwrapped(given[-1]) if path[2] in ("add", "addQuery") else None
            known = function is not None and is_function(function)
            yield Added(name, Value(code, function) if known and function is not None else None, subject)


def _matchers(code: Code, modules: Modules) -> Iterator[Added]:
    for call in code.calls:
        function, given = unwrapped(call.child_by_field_name("function")), arguments(call)
        named = function is not None and function.type in ACCESSES and code.constants.member(function) == "extend"
        owner = unwrapped(function.child_by_field_name("object")) if function is not None and named else None
        if owner is not None and given and _EXPECT.fullmatch(code.text(owner)):
            listed = modules.meant(code, given[0])
            yield from _members(*listed) if listed is not None and listed.node.type == "object" else ()


def _members(code: Code, node: tree_sitter.Node) -> Iterator[Added]:
    for each in node.named_children:
        key = each.child_by_field_name("key") or each.child_by_field_name("name")
        name = code.constants.property_name(key_of(code.source, key)) if key is not None else None
        function = each if each.type == "method_definition" else unwrapped(each.child_by_field_name("value"))
        if each.type == "shorthand_property_identifier":
            name = code.names.name(each)
            binding = code.names.binding(each)
            function = unwrapped(binding.value) if binding is not None and not binding.assigned else None
        if name:
            yield Added(name, Value(code, function) if function is not None and is_function(function) else None)
