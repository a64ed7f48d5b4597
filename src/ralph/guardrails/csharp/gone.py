"""C#: what the product no longer defines, and which tests were about it (see `inventory.product_changes.context`).

Rules:

- A type, a method, a property, a field or a member of an enumeration is gone if a changed product file declared it, and
  no product file names it any more: what is still there somewhere could not be left out of all of them. Of a tree with
  too many files nobody can tell. What is only called something else is not gone.
- So is what stood there as obsolete and no longer does, for a test that had to silence the warning about that.
- A test is about it that names it; that names a declaration of its own file that does, and that is gone with the test;
  or whose class is gone, where what every test of that class runs first names it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import tree_sitter

from ralph.guardrails.csharp.inventory import TEST, attributes_of, is_test_file
from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.inventory.product_changes.unnamed import WORD, unnamed
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TYPES = tuple(f"{kind}_declaration" for kind in ("class", "struct", "interface", "record", "enum"))
NAMED = (*TYPES, "delegate_declaration", "method_declaration", "property_declaration", "enum_member_declaration")
DECLARED = (
    f"[{' '.join(f'({kind} name: (_) @found)' for kind in NAMED)}"
    " (field_declaration (variable_declaration (variable_declarator name: (_) @found)))"
    " (event_field_declaration (variable_declaration (variable_declarator name: (_) @found)))]"
)
OBSOLETE = later(r"[\[,]\s*(?:System\.)?Obsolete(?:Attribute)?\s*[\](,]")
SILENCED = later(rb"^[ \t]*#[ \t]*pragma[ \t]+warning[ \t]+(disable|restore)\b([^/\n]*)")
OLD_CODES = later(rb"\b(?:CS)?0?61[28]\b")
"""The warnings about what is obsolete."""
RUNS_FIRST = later(r"(?:SetUp|TearDown|Dispose\w*|InitializeAsync|\w*Initialize|\w*Cleanup)$")


class GoneFromProduct:
    """`files` are the product's changed files: their paths and both sides."""

    def __init__(self, change: Change, files: Iterable[tuple[str, bytes, bytes]]) -> None:
        self._change = change
        listed = [(path, old, new) for path, old, new in files if path.endswith(".cs")]
        self._both = [(old, new) for _, old, new in listed]
        self._old = [_source(path, old) for path, old, _ in listed if old]
        self._new = [_source(path, new) for path, _, new in listed if new]

    @cached_property
    def names(self) -> frozenset[str]:
        """What no product file names any more."""
        declared = {text_of(node) for source in self._old for node in source.captures(DECLARED)}
        return unnamed(declared, self._both, self._change, _is_product)

    @cached_property
    def obsolete(self) -> frozenset[str]:
        """What stood there as obsolete, and does so no more or less often."""
        return frozenset(_obsolete(self._old) - _obsolete(self._new))

    def names_it(self, check: Check) -> bool:
        """An assertion does."""
        return not self.names.isdisjoint(re.findall(r"\w+", f"{check.subject} {check.wanted}"))

    def is_about(self, test: Test) -> bool:
        words = test.facts().words
        if not self.names.isdisjoint(words):
            return True
        if not self.names and not self.obsolete:
            return False
        place = _Place(self._change, test)
        if place.is_silenced and not self.obsolete.isdisjoint(words):
            return True
        return any(not self._all(place).isdisjoint(each) for each in place.leant_on(words))

    def _all(self, place: _Place) -> frozenset[str]:
        return self.names | self.obsolete if place.is_silenced else self.names


class _Place:
    """A test in its file, before the change, and what stands around it."""

    def __init__(self, change: Change, test: Test) -> None:
        source = _source(test.path, change.blobs.before(test.path) or b"")
        methods = source.captures("(method_declaration) @found")
        self._node = next((each for each in methods if each.start_point.row + 1 == test.line), None)
        self._source = source
        self._still = _declared_in(_source(test.path, change.blobs.after(test.path) or b""))

    @property
    def is_silenced(self) -> bool:
        """It had to silence a warning about what is obsolete, or is obsolete itself."""
        if self._node is None:
            return False
        if OBSOLETE.search("".join(map(attributes_of, (self._node, *_above(self._node))))):
            return True
        silent = False
        for line in self._source.lines[: self._node.end_point.row + 1]:
            if (said := SILENCED.match(line)) and (OLD_CODES.search(said[2]) or not said[2].strip()):
                silent = said[1] == b"disable"
        return silent

    def leant_on(self, words: frozenset[str]) -> Iterator[frozenset[str]]:
        """The words of each declaration of its file that it names, or that runs first, and that is gone with it."""
        for around in _above(self._node) if self._node is not None else ():
            for node in around.named_children[-1].named_children:
                if node != self._node and not TEST.search(attributes_of(node)):
                    names = _declared_by(node)
                    first = node.type == "constructor_declaration" or any(map(RUNS_FIRST.match, names))
                    if self._is_gone(around) if first else names & words - self._still:
                        yield frozenset(word.decode("utf-8", "replace") for word in WORD.findall(node.text or b""))

    def _is_gone(self, around: tree_sitter.Node) -> bool:
        name = around.child_by_field_name("name")
        return name is not None and text_of(name) not in self._still


def _source(path: str, data: bytes) -> Source:
    return Source(path, "csharp", data)


def _is_product(path: str) -> bool:
    return path.endswith(".cs") and not is_support(path) and not is_test_file(path)


def _obsolete(sources: Sequence[Source]) -> Counter[str]:
    names = (node for source in sources for node in source.captures(DECLARED))
    return Counter(text_of(name) for name in names if name.parent and OBSOLETE.search(attributes_of(name.parent)))


def _declared_in(source: Source) -> frozenset[str]:
    return frozenset(text_of(node) for node in source.captures(DECLARED))


def _declared_by(node: tree_sitter.Node) -> frozenset[str]:
    name = node.child_by_field_name("name")
    inner = (each for child in node.named_children if child.type == "variable_declaration" for each in child.children)
    fields = (each.child_by_field_name("name") for each in inner if each.type == "variable_declarator")
    return frozenset(text_of(each) for each in (name, *fields) if each is not None)


def _above(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What it stands in: its class, and a class or a namespace around that."""
    above = node.parent
    while above is not None:
        if above.type in TYPES or above.type == "namespace_declaration":
            yield above
        above = above.parent
