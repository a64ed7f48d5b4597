"""What a file of tests imports from other files of tests: it is the tests' own, as if it stood in the file itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.python.words import identifier
from ralph.guardrails.source import Source


def borrowed(source: Source, paths: Paths) -> frozenset[str]:
    """The names of functions and classes that come from beside the tests, as they are called here."""
    names: set[str] = set()
    for node in source.tree.root_node.named_children:
        module = node.child_by_field_name("module_name") if node.type == "import_from_statement" else None
        place = place_of(source.path, source.text(module), paths) if module is not None else None
        text = (paths.read(place) or b"") if place is not None else b""
        for imported in node.children_by_field_name("name") if text else ():
            name = identifier(source, imported.child_by_field_name("name") or imported)
            if re.search(rb"(?m)^(?:async )?(?:def|class)\s+%s\b" % name.encode(), text):
                names.add(identifier(source, imported.child_by_field_name("alias") or imported))
    return frozenset(names)


def place_of(path: str, module: str, paths: Paths) -> str | None:
    """The file of a module among the tests."""
    dots = len(module) - len(module.lstrip("."))
    folder = posixpath.dirname(path)
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    way = module.lstrip(".").replace(".", "/")
    known = paths.all()
    for start in (folder,) if dots else (folder, ""):
        place = posixpath.join(start, f"{way}.py")
        if place in known and is_support(place):
            return place
    return None


def conftests(path: str) -> Iterator[str]:
    """Where those may stand that a file of tests has its fixtures from, the nearest first."""
    folder = posixpath.dirname(path)
    while True:
        yield posixpath.join(folder, "conftest.py")
        if not folder:
            return
        folder = posixpath.dirname(folder)
