"""Classes that a runner makes for the tests in them: Java, Kotlin and C# (see `unmade`).

Rules: a class has tests if one stands in it, or in a class within it, or if something that it is built on has some,
here or in another file of its language. What only helps tests (a row of data, a double, a database) has none, whoever
may see it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cached_property

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

CLASSES = {
    "java": "[(class_declaration) (interface_declaration)] @found",
    "kotlin": "(class_declaration) @found",
    "csharp": "[(class_declaration) (interface_declaration)] @found",
}
ATTRIBUTES = {
    "java": "[(marker_annotation) (annotation)] @found",
    "kotlin": "(annotation) @found",
    "csharp": "(attribute) @found",
}
TEST = later(
    r"@?(?:\w+[.:]+)*\w*(?:Fact|Theory|Test|TestFactory|TestTemplate|TestCase(?:Source)?|TestMethod)(?:Attribute)?\b"
)
AROUND = frozenset({"class_declaration", "interface_declaration", "namespace_declaration"})
BASES = frozenset({"superclass", "super_interfaces", "base_list", "delegation_specifiers"})
MOST_FILES = 1000
"""So many files are looked through for what a class is built on."""

Read = Callable[[str], bytes | None]


@record
class Declared:
    """A class, or an interface."""

    parts: tuple[str, ...]
    """The names of the classes and namespaces around it, outermost first, and its own."""
    words: frozenset[str]
    """What stands before `class`: `public`, `abstract`."""
    line: int
    has_own: bool
    """A test stands in it."""
    bases: frozenset[str]
    """The names that say what it is built on."""

    @property
    def name(self) -> str:
        return self.parts[-1]


def declared(path: str, data: bytes) -> list[Declared]:
    """The classes of a file, outer ones first."""
    language = language_of(path) or ""
    source = Source(path, language, data)
    found = source.captures(CLASSES[language]) if language in CLASSES else ()
    return [_declared(source, node, name) for node in found if (name := node.child_by_field_name("name")) is not None]


def _declared(source: Source, node: tree_sitter.Node, name: tree_sitter.Node) -> Declared:
    attributes = source.captures(ATTRIBUTES[source.language], node)
    bases = " ".join(text_of(child) for child in node.named_children if child.type in BASES)
    return Declared(
        parts=tuple(_parts(node)),
        words=frozenset(_words(node)),
        line=name.start_point.row + 1,
        has_own=any(TEST.match(text_of(each)) for each in attributes),
        bases=frozenset(re.findall(r"\w+", bases)),
    )


def _parts(node: tree_sitter.Node | None) -> Iterator[str]:
    if node is not None:
        yield from _parts(node.parent)
        if node.type in AROUND and (name := node.child_by_field_name("name")) is not None:
            yield text_of(name)


def _words(node: tree_sitter.Node) -> Iterator[str]:
    for child in node.children:
        if child.type == "modifier":
            yield text_of(child)
        elif child.type == "modifiers":
            yield from (text_of(each) for each in child.children if "annotation" not in each.type)


class Fixtures:
    """Which classes of one side of a file have tests."""

    def __init__(self, path: str, read: Read, paths: Callable[[], frozenset[str]]) -> None:
        self._path, self._read, self._paths = path, read, paths
        self._known: dict[str, bool] = {}
        self.classes = declared(path, read(path) or b"")

    def has_tests(self, one: Declared) -> bool:
        return one.has_own or any(map(self._is_tested, sorted(one.bases)))

    def _is_tested(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False  # a class that is built on itself ends here
            self._known[name] = any(map(self.has_tests, self._called(name)))
        return self._known[name]

    def _called(self, name: str) -> Iterator[Declared]:
        """The classes of that name: those of the file itself, or else those of others."""
        own = [one for one in self.classes if one.name == name]
        yield from own
        says = re.compile(rb"\b(?:class|interface)\s+" + name.encode() + rb"\b")
        paths = () if own else sorted(self._others, key=lambda path: (not _is_named(path, name), path))
        for path in paths[:MOST_FILES]:
            data = self._read(path) or b""
            if says.search(data):
                yield from (one for one in declared(path, data) if one.name == name)

    @cached_property
    def _others(self) -> list[str]:
        suffix = posixpath.splitext(self._path)[1]
        return [path for path in self._paths() if path.endswith(suffix) and path != self._path]


def _is_named(path: str, name: str) -> bool:
    return posixpath.basename(path).split(".")[0] == name
