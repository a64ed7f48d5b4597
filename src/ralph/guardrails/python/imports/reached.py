"""What a test of Python can depend on, as far as imports tell (class G05: expected values).

A test reaches what its file loads, what the conftest files above it and the settings of its runner load, and what these
do. A test that reaches everything that its imports name cannot notice a change of other code in Python. Code in other
languages may be loaded by any of it, and counts as reached.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import Paths, is_support, written_otherwise
from ralph.guardrails.python.imports.loads import loads
from ralph.guardrails.python.imports.modules import modules_of
from ralph.guardrails.python.layout import is_test_file
from ralph.system.patterns import later

MOST_FILES = 500
SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "setup.py", "tox.ini")
PLUGIN = later(rb"pytest11[^\w]*\w[\w-]*[\s\"']*=[\s\"']*([A-Za-z_][\w.]*)")
"""The project is a plugin of its own runner, which loads it."""
LOADED = later(rb"(?:(?<![\w-])-p[ \t]*|\w*_(?:MODULE|SETTINGS|CONFIG)[ \t\"']*[=:][ \t]*[\"']?)([A-Za-z_][\w.]*)")


def reached(path: str, paths: Paths) -> frozenset[str] | None:
    """The files that tests of a file may notice; None where nobody can tell."""
    first = _loaded_first(path, paths)
    if first is None:
        return None
    seen, waiting = {path, *first}, [path, *first]
    asks = addresses = False
    while waiting:
        found = loads(waiting.pop(), paths)
        if found is None or len(seen) > MOST_FILES:
            return None
        waiting += found.files - seen
        seen |= found.files
        asks, addresses = asks or found.asks, addresses or found.addresses
    if asks and addresses:
        return None
    if all(is_support(each) or is_test_file(each) for each in seen):
        return None
    return frozenset(seen) | written_otherwise(paths, "python")


def _loaded_first(path: str, paths: Paths) -> frozenset[str] | None:
    """What a runner loads for the file: the conftests above it, the packages that it is in, and what settings name."""
    known, found = paths.all(), set[str]()
    for folder in _above(path):
        found.update(posixpath.join(folder, name) for name in ("conftest.py", "__init__.py"))
        for place in (posixpath.join(folder, each) for each in SETTINGS):
            data = (paths.read(place) or b"") if place in known else b""
            plugins = [each[1] for each in PLUGIN.finditer(data)]
            if b"pytest11" in data and not plugins:
                return None
            for name in (*plugins, *(each[1] for each in LOADED.finditer(data))):
                found |= modules_of(paths).mentioned(path, name.decode("utf-8", "replace"))
    return frozenset(found & known)


def _above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""
