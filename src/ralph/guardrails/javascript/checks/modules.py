"""What a name of a JavaScript file stands for, in whichever file of the project it is defined (inventory, class G05).

Rules:

- Relative imports and `require` are followed, through files that only export again what others have; names by the one
  value that they are given.
- Where nobody can tell which of several is meant, nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

import tree_sitter

from ralph.guardrails.config.side import resolve
from ralph.guardrails.inventory.lending.files import source_at
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.collected.imports import SUFFIXES
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.destructuring import key_of
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, Binding, unwrapped
from ralph.guardrails.languages import language_of
from ralph.guardrails.memo import Memo
from ralph.system.patterns import later

T = TypeVar("T")

MOST_BYTES = 200_000
MOST_STEPS = 6
"""From file to file, and from name to name."""
LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
ASKS = later(rb"expect|assert|should|\bt\.|\bcy\b")
DEFINES = later(rb"\b(?:function|class)\b|=>")
HANDS_ON = later(rb"\bexport\b[^;]*\bfrom\b")
_NAMED = frozenset({"shorthand_property_identifier", "method_definition"})
_FREEZES = ("Object", "freeze")
ALL = later(r"export \* from")
CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})


class Value(NamedTuple):
    """An expression or a declaration, and the file that has it."""

    code: Code
    node: tree_sitter.Node


class Modules:
    """`asking`: of the product, only files are read that speak of assertions, or define nothing themselves."""

    def __init__(self, paths: Paths | None, *, asking: bool = False) -> None:
        self._paths, self._asking = paths, asking
        self._memo = paths.memo if paths is not None else Memo()

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """What was found for a key on this side; of the product, it may have been read or not."""
        return self._memo.once((key, self._asking), find)

    def at(self, importer: Code, specifier: str, word: str = "") -> Code | None:
        """The file of the project that a relative name leads to, if it has the word, or other files may for it."""
        if self._paths is None or not specifier.startswith(("./", "../")):
            return None
        place = resolve(self._paths.all(), importer.source.path, specifier, SUFFIXES)
        return None if place is None else self.file(place, word)

    def file(self, place: str, word: str = "") -> Code | None:
        return self.once(("code of", place, word), lambda: self._file(place, word))

    def _file(self, place: str, word: str) -> Code | None:
        data = self._paths.read(place) if self._paths is not None else None
        if self._paths is None or data is None or len(data) > MOST_BYTES:
            return None
        if self._asking and not is_test_file(place) and not ASKS.search(data) and DEFINES.search(data):
            return None
        if word.encode() not in data and not HANDS_ON.search(data):
            return None
        return self._paths.memo.once(("code of", place), partial(_read, place, self._paths))

    def imported(self, importer: Code) -> Iterator[Code]:
        """The files of the project that a file imports."""
        for node in importer.names.of_types("import_statement"):
            named = node.child_by_field_name("source")
            found = self.at(importer, importer.source.text(named).strip("\"'")) if named is not None else None
            if found is not None:
                yield found
        for call in importer.calls if b"require" in importer.source.data else ():
            given = arguments(call)
            if importer.origins.of(call.child_by_field_name("function")) == ("require",) and given:
                name = importer.constants.value(given[0])
                found = self.at(importer, name) if isinstance(name, str) else None
                if found is not None:
                    yield found

    def meant(self, code: Code, node: tree_sitter.Node | None, steps: int = 0) -> Value | None:
        plain = unwrapped(node)
        if plain is None or steps > MOST_STEPS:
            return None
        if plain.type in ("identifier", "shorthand_property_identifier"):
            binding = code.names.binding(plain)
            return None if binding is None else self._bound(code, plain, binding, steps)
        if plain.type == "call_expression" and code.origins.of(plain.child_by_field_name("function")) == _FREEZES:
            return self.meant(code, next(iter(arguments(plain)), None), steps + 1)
        if plain.type in ("member_expression", "call_expression"):
            return self._elsewhere(code, plain, steps) or Value(code, plain)
        return Value(code, plain)

    def _bound(self, code: Code, name: tree_sitter.Node, binding: Binding, steps: int) -> Value | None:
        if binding.kind == "definition":
            return Value(code, binding.value) if binding.value is not None and not binding.assigned else None
        if binding.kind == "parameter":
            return Value(code, name)
        if binding.kind == "value" and not binding.path:
            values = [binding.value] if binding.value is not None else []
            values += [value for value, path in binding.assigned if not path]
            one = len(values) == 1 and not any(path for _, path in binding.assigned)
            return self.meant(code, values[0], steps + 1) if one else None
        return self._elsewhere(code, name, steps)

    def _elsewhere(self, code: Code, node: tree_sitter.Node, steps: int) -> Value | None:
        path = code.origins.of(node)
        word = path[1] if path is not None and len(path) > 1 else ""
        other = self.at(code, path[0], word) if path is not None else None
        if path is None or other is None:
            return None
        found = self.exported(other, path[1] if len(path) > 1 else "default", steps + 1)
        rest = path[2:]
        if found is None and len(path) > 1:
            found, rest = self.exported(other, "default", steps + 1), path[1:]
        for key in rest:
            found = self._member(found, key, steps + 1) if found is not None else None
        return found

    def _member(self, owner: Value, name: str, steps: int) -> Value | None:
        """Of an object that is written out."""
        values = list(values_in(owner.code, owner.node, name)) if owner.node.type == "object" else []
        return self.meant(owner.code, values[0], steps) if len(values) == 1 else None

    def exported(self, code: Code, name: str, steps: int = 0) -> Value | None:
        if steps > MOST_STEPS:
            return None
        found = list(self._exports(code, name, steps))
        return found[0] if len({(value.code.source.path, value.node.id) for value in found}) == 1 else None

    def _exports(self, code: Code, name: str, steps: int) -> Iterator[Value]:
        own = code.names.outermost.get(name)
        if own is not None and own.kind != "import":
            found = self._bound(code, code.names.nodes[0], own, steps + 1)
            yield from () if found is None else (found,)
            return
        for node in code.names.of_types("export_statement"):
            yield from self._statement(code, node, name, steps)
        for node in code.names.of_types("assignment_expression") if b"exports" in code.source.data else ():
            left = "".join(code.text(node.child_by_field_name("left")).split())
            if left not in ("module.exports", f"exports.{name}", f"module.exports.{name}"):
                continue
            value = self.meant(code, node.child_by_field_name("right"), steps + 1)
            if value is not None and left == "module.exports" and name != "default":
                value = self._member(value, name, steps + 1)
            yield from () if value is None else (value,)

    def _statement(self, code: Code, node: tree_sitter.Node, name: str, steps: int) -> Iterator[Value]:
        clause = next((child for child in node.named_children if child.type == "export_clause"), None)
        found: Value | None = None
        if any(child.type == "default" for child in node.children):
            value = node.child_by_field_name("value") or node.child_by_field_name("declaration")
            found = self.meant(code, value, steps + 1) if name == "default" else None
        elif clause is None and name != "default" and ALL.match(code.text(node)):
            found = self._handed_on(code, node, name, steps)
        for each in clause.named_children if clause is not None else ():
            own = each.child_by_field_name("name")
            if own is not None and code.text(each.child_by_field_name("alias") or own) == name:
                if node.child_by_field_name("source") is not None:
                    found = self._handed_on(code, node, code.text(own), steps)
                elif (binding := code.names.outermost.get(code.text(own))) is not None:
                    found = self._bound(code, own, binding, steps + 1)
        yield from () if found is None else (found,)

    def _handed_on(self, code: Code, node: tree_sitter.Node, name: str, steps: int) -> Value | None:
        """`export { name } from "./other"`, `export * from "./other"`."""
        named = node.child_by_field_name("source")
        specifier = code.source.text(named).strip("\"'") if named is not None else ""
        other = self.at(code, specifier, "" if name == "default" else name)
        return self.exported(other, name, steps + 1) if other is not None else None


def values_in(code: Code, node: tree_sitter.Node, name: str) -> Iterator[tree_sitter.Node]:
    """What an object that is written out has by a name; functions as they stand there."""
    for child in node.named_children:
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            named = code.constants.property_name(key_of(code.source, key)) if key is not None else None
            if value is not None and named == name:
                yield value
        elif child.type in _NAMED and code.text(child.child_by_field_name("name") or child) == name:
            yield child


def is_function(node: tree_sitter.Node | None) -> bool:
    return node is not None and node.type in FUNCTIONS


def _read(place: str, paths: Paths) -> Code | None:
    language = language_of(place)
    source = source_at(place, language, paths) if language is not None and language in LANGUAGES else None
    return None if source is None else code(source)
