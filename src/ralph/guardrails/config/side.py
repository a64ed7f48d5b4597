"""One side of a change as configuration sees it: files by name, read at most once, with what each reading touched.

`broken` holds the files that did not parse. Imports of JavaScript modules and `extends` of JSON files are followed
inside the tree only; what lies outside (a package) is not known and stays opaque.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers import SCRIPT_SUFFIXES, Unreadable, decoded, read
from ralph.guardrails.source import Source

MAX_BYTES = 2_000_000
"""No configuration that a person keeps is larger; a larger one counts as unreadable."""


class Side:
    def __init__(self, read_bytes: Callable[[str], bytes | None], paths: frozenset[str]) -> None:
        self.paths = paths
        self.broken: dict[str, str] = {}
        self.touched: set[str] = set()
        self._read = read_bytes
        self._nodes: dict[str, Node | None] = {}
        self._touched_by: dict[str, frozenset[str]] = {}
        self._importing: set[str] = set()

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Paths by file name."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            found[path.rpartition("/")[2]].append(path)
        return found

    @cached_property
    def directories(self) -> frozenset[str]:
        """Every directory that holds a file, at any depth below it."""
        found = {""}
        for path in self.paths:
            directory = posixpath.dirname(path)
            while directory not in found:
                found.add(directory)
                directory = posixpath.dirname(directory)
        return frozenset(found)

    def bytes(self, path: str) -> bytes | None:
        self.touched.add(path)
        return self._read(path) if path in self.paths else None

    def text(self, path: str) -> str | None:
        data = self.bytes(path)
        return None if data is None else decoded(data)

    def source(self, path: str, language: str) -> Source | None:
        data = self.bytes(path)
        return None if data is None or len(data) > MAX_BYTES else Source(path, language, data)

    def node(self, path: str) -> Node | None:
        """The file's data; None when it is absent or does not parse. Modules give what they export by name."""
        if path not in self._nodes:
            outer, self.touched = self.touched, set()
            self._nodes[path] = self._load(path)
            self._touched_by[path] = frozenset(self.touched)
            self.touched = outer
        self.touched |= self._touched_by[path]
        return self._nodes[path]

    def _load(self, path: str) -> Node | None:
        data = self.bytes(path)
        if data is None:
            return None
        try:
            if len(data) > MAX_BYTES:
                raise Unreadable("it is too large")
            if path.lower().endswith(SCRIPT_SUFFIXES):
                from ralph.guardrails.config.readers import script  # few changes touch configuration that is code

                return script.read_exports(decoded(data), path, self._import)
            return read(path, data)
        except Unreadable as error:
            self.broken[path] = str(error)
            return None

    def _import(self, importer: str, specifier: str) -> Node | None:
        if not specifier.startswith((".", "/")) or importer in self._importing:
            return None
        target = resolve(self.paths, importer, specifier, (*SCRIPT_SUFFIXES, ".json"))
        if target is None:
            return None
        self._importing.add(importer)
        try:
            node = self.node(target)
            return Node({"default": node}, target) if node and target.endswith(".json") else node
        finally:
            self._importing.discard(importer)


def resolve(paths: frozenset[str], importer: str, specifier: str, suffixes: tuple[str, ...]) -> str | None:
    """The file that a relative specifier names: itself, with a suffix, or a directory's index."""
    base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
    stem, suffix = posixpath.splitext(base)
    written = [stem + ".ts", stem + ".mts"] if suffix in (".js", ".mjs") else []
    candidates = [base, *(base + end for end in suffixes), *written, *(f"{base}/index{end}" for end in suffixes)]
    return next((candidate for candidate in candidates if candidate in paths), None)
