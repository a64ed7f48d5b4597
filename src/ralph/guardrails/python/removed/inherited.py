"""Tests that a class of tests inherited, and that went with a base of it (policy set v2, class G04).

Rules:

- A class that is still there and has lost a base with tests runs them no more: it blocks, unless it defines them
  itself, or has them from another base.
- It is no loss where another class of the change takes the base instead, or a base that nobody knows comes in its
  place; nor where a test of such a name is written anew somewhere in the change. Where the base is collected by itself,
  a person looks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import Paths, after, before
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.lending.borrowed import place_of
from ralph.guardrails.python.trees import parsed_module
from ralph.system.patterns import later

HEAD = later(rb"^\s*class\s+\w+\s*\(")
DEFINES = later(rb"\bdef\s+(test\w*)")
DEEPEST = 4
CASE = later(r"(?:^|\.)\w*TestCase$")


class Modules:
    """The classes of one side, by file and name."""

    def __init__(self, side: Paths) -> None:
        self._side = side
        self._read: dict[str, ast.Module | None] = {}

    def classes(self, path: str) -> dict[str, ast.ClassDef]:
        tree = self._tree(path)
        return {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)} if tree is not None else {}

    def base(self, path: str, written: str) -> tuple[str, ast.ClassDef] | None:
        """The class that is called so in a file, and the file it stands in."""
        if (own := _within(self.classes(path), written)) is not None:
            return path, own
        tree = self._tree(path)
        for node in tree.body if tree is not None else ():
            for place, name in self._named(path, node, written):
                found = self.classes(place).get(name)
                if found is not None:
                    return place, found
        return None

    def tests(self, path: str, tree: ast.ClassDef, depth: int = DEEPEST) -> frozenset[str]:
        """Those of a class, its bases' too."""
        own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        found = {name for name in own if name.startswith("test")}
        for each in tree.bases if depth else ():
            known = self.base(path, source_of(each))
            if known is not None and known[1] is not tree:
                found |= self.tests(*known, depth - 1)
        return frozenset(found)

    def _named(self, path: str, node: ast.stmt, written: str) -> Iterator[tuple[str, str]]:
        """Where an import says that a class stands, and what it is called there."""
        owner, _, name = written.rpartition(".")
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for each in node.names:
                if (each.asname or each.name) == written and (place := self._place(path, module)):
                    yield place, each.name
        elif isinstance(node, ast.Import) and owner:
            for each in node.names:
                if (each.asname or each.name) == owner and (place := self._place(path, each.name)):
                    yield place, name

    def _place(self, path: str, module: str) -> str | None:
        return place_of(path, module, self._side)

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._read:
            self._read[path] = parsed_module(self._side.read(path) or b"")
        return self._read[path]


def _within(classes: dict[str, ast.ClassDef], written: str) -> ast.ClassDef | None:
    """A class of a file; `Cases.CartCase` stands in another one, so that it is not collected by itself."""
    name, _, inner = written.partition(".")
    found = classes.get(name)
    if found is None or not inner:
        return found
    return _within({each.name: each for each in found.body if isinstance(each, ast.ClassDef)}, inner)


def inherited(change: Change) -> Iterator[Hit]:
    files = [file for file in change.files if file.path.endswith(".py") and is_test_file(file.path)]
    touched = [file for file in files if file.status == "M" and _loses_a_head(file)]
    if not touched:
        return
    old, new = Modules(before(change)), Modules(after(change))
    written = {name.decode() for file in change.files for _, line in file.added() for name in DEFINES.findall(line)}
    for file in touched:
        now = new.classes(file.path)
        for name, was in old.classes(file.path).items():
            for base in _lost(was, now.get(name)):
                known = old.base(file.path, base)
                if known is None or _taken_elsewhere(base, files, old, new):
                    continue
                gone = old.tests(*known) - new.tests(file.path, now[name]) - written
                if gone and not _unknown(was, now[name], file.path, new):
                    yield _hit(file, now[name], base, sorted(gone), collected=_is_collected(*known))


def _loses_a_head(file: FileChange) -> bool:
    return any(HEAD.match(line) for hunk in file.hunks for line in hunk.removed)


def _bases(tree: ast.ClassDef) -> list[str]:
    return [source_of(each) for each in tree.bases]


def _lost(was: ast.ClassDef, now: ast.ClassDef | None) -> list[str]:
    return [each for each in _bases(was) if each not in _bases(now)] if now is not None else []


def _taken_elsewhere(base: str, files: list[FileChange], old: Modules, new: Modules) -> bool:
    """As many classes of the change have it as before."""
    counts = [
        sum(base in _bases(each) for file in files for each in side.classes(file.path).values()) for side in (old, new)
    ]
    return counts[1] >= counts[0]


def _unknown(was: ast.ClassDef, now: ast.ClassDef, path: str, new: Modules) -> bool:
    """A base that is new, and that nobody knows."""
    fresh = [each for each in _bases(now) if each not in _bases(was)]
    return any(new.base(path, each) is None and each != "object" and not CASE.search(each) for each in fresh)


def _is_collected(path: str, tree: ast.ClassDef) -> bool:
    named = tree.name.startswith("Test") or any(CASE.search(each) for each in _bases(tree))
    return is_test_file(path) and named


def _hit(file: FileChange, tree: ast.ClassDef, base: str, gone: list[str], *, collected: bool) -> Hit:
    detail = f"{tree.name} no longer has {', '.join(gone[:3])} of {base}"
    return hit_at(
        "test.somewhat-weaker" if collected else "test.removed",
        file.path,
        tree.lineno,
        detail,
        re.sub(r"\s+", " ", f"class {tree.name}({', '.join(_bases(tree))})"),
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (inherited,)
