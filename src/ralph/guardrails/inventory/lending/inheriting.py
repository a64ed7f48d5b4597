"""Helpers that a class of tests has of others: of its bases, in files of their own, and of classes that it imports.

A base is looked for in the file that is called like it; a function of the file itself stands before those of its bases,
one of a base before those of the bases above. Where more than one file could have the helper, or one that nobody can
find, nobody knows whose it is.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import tree_sitter

from ralph.guardrails.inventory.lending.calling import HelperCalls, is_within
from ralph.guardrails.inventory.lending.files import files_called, files_of, package_of, source_at
from ralph.guardrails.inventory.plain import Extractor
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

GIVEN = later(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}|\bby\s+[\w.]+")
NAMED = later(r"(?:\w+\.)*([A-Z]\w*)")
MOST_FILES = 20
"""A class of more bases is not looked through."""
MOST_ABOVE = 5
"""How far up bases are followed for what they say."""


class Inheriting(Extractor):
    """The class attributes are queries of the grammar."""

    HERITAGE: ClassVar[str]
    """Where a class names its bases."""
    CLASSES: ClassVar[str]
    """The names of classes."""
    STATIC: ClassVar[re.Pattern[str]]
    """Where a file imports the functions of a class; its group is the name of that."""
    IMPORT: ClassVar[str] = ""
    """What a file says that imports the class `%s`; its group is the package that it stands in."""

    def __init__(self, source: Source, paths: Paths | None) -> None:
        super().__init__(source)
        self._paths = paths

    @abstractmethod
    def other(self, source: Source) -> Inheriting:
        """Another file of the same language."""

    def lent(self, called: str) -> HelperCalls | None:
        owner, _, name = called.rpartition(".")
        if owner:
            there = self if owner in self._classes else self._at(owner)
            return there.helpers if there is not None and there._offers(owner, name) else None
        if self.declares(name):
            return self.helpers if called != name else None
        found = list(self.having(name, {self.source.path}))
        there = found[0][1] if len(found) == 1 else None
        return there.helpers if there is not None and there._offers(found[0][0], name) else None

    def sees(self, helper: tree_sitter.Node, node: tree_sitter.Node) -> bool:
        """One of a class around the call, of a base of one, or of no class."""
        if helper.parent is None or is_within(node, helper.parent):
            return True
        above = helper.parent.parent
        name = above.child_by_field_name("name") if above is not None else None
        return name is None or text_of(name) in self.bases

    @cached_property
    def bases(self) -> frozenset[str]:
        """The classes that those of the file are made of."""
        return frozenset(
            name for node in self.source.captures(self.HERITAGE) for name in NAMED.findall(_bare(text_of(node)))
        )

    def having(self, name: str, seen: set[str]) -> Iterator[tuple[str, Inheriting | None]]:
        """The nearest files that define a function of that name; None for one that nobody can find."""
        imported = self.STATIC.findall(self._text) if len(seen) == 1 else []
        for owner in sorted({*self.bases, *imported} - self._classes):
            files = self._files(owner)
            if len(files) > 1 or len(seen) > MOST_FILES:
                yield owner, None
                return
            there = self._at(owner)
            if there is None or there.source.path in seen:
                continue
            seen.add(there.source.path)
            if there.declares(name):
                yield owner, there
            else:
                yield from there.having(name, seen)

    def _offers(self, owner: str, name: str) -> bool:
        """The helper is one of that class, or of one that its file has for a base."""
        places = {owner, *(self.bases & self._classes)}
        return any(
            each.kind == "helper" and each.parts[-1] == name and (len(each.parts) < 2 or each.parts[-2] in places)
            for each in self._found
        )

    def _at(self, owner: str) -> Inheriting | None:
        files = self._files(owner)
        return self._read(files[0]) if len(files) == 1 and files[0] != self.source.path else None

    def with_bases(self, above: int = 0) -> Iterator[Source]:
        """The file, and those of the bases of its classes as far as they are found."""
        yield self.source
        for base in sorted(self.bases - self._classes) if above < MOST_ABOVE else ():
            there = self._at(base)
            if there is not None:
                yield from there.with_bases(above + 1)

    def of_file(self, path: str) -> HelperCalls | None:
        """The helpers of another file."""
        there = self._read(path)
        return there.helpers if there is not None else None

    def _read(self, path: str) -> Inheriting | None:
        paths = self._paths
        if paths is None:
            return None

        def read() -> Inheriting | None:
            source = source_at(path, self.source.language, paths)
            return None if source is None else self.other(source)

        return paths.memo.once(("class of helpers", path), read)

    def _files(self, owner: str) -> list[str]:
        paths, place = self._paths, self._place_of(owner)
        if paths is None or not place:
            return files_of(owner, self.source, paths) if paths is not None else []
        ending = self.source.path[self.source.path.rindex(".") :]
        found = files_called(f"{owner}{ending}", paths)
        return [path for path in found if package_of(paths.read(path) or b"") == place]

    def _place_of(self, owner: str) -> str:
        """What the file says that a class stands in; empty if it says nothing."""
        match = re.search(self.IMPORT % re.escape(owner), self._text) if self.IMPORT else None
        return match[1] if match is not None else ""

    @cached_property
    def _classes(self) -> frozenset[str]:
        return frozenset(map(text_of, self.source.captures(self.CLASSES)))

    @cached_property
    def _text(self) -> str:
        return self.source.data.decode("utf-8", "replace")


def _bare(heritage: str) -> str:
    """Without what bases are given."""
    text, last = heritage, ""
    while text != last:
        text, last = GIVEN.sub(" ", text), text
    return text
