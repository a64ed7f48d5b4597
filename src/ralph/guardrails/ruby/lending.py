"""Ruby: the files that lend tests their helpers.

Rules: a test asks a method of no class, in a file that is there for tests; one of a module that is included, where the
test stands or for all tests; or one of a class that it, or what it is made of, has for a base. Of a matcher of RSpec
any test may speak. Where several are called so, nobody knows which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.lending.files import defining, files_called
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

DEFINES = later(rb"(?m)(?:^[ \t]*def[ \t]+(?:self\.)?|\bMatchers\.define[ (]+:|^[ \t]*matcher[ (]+:)([a-z_]\w*[?!]?)")
INCLUDES = later(rb"\b(?:include|extend|prepend)[ (]+(?:[A-Z]\w*::)*([A-Z]\w*)")
INHERITS = later(rb"\bclass\s+[\w:]+\s*<\s*(?:[A-Z]\w*::)*([A-Z]\w*)")
REOPENED = later(r"TestCase|Test|Spec|IntegrationTest|SystemTestCase|ExampleGroup|Object|Kernel")
SPECS = later(r"_spec\.rb$|_test\.rb$|(?:^|/)test_(?!helper\b)[^/]*\.rb$")
PLACES = frozenset({"class", "module"})
MOST = 6
"""Where more files define a method of one name, none is read."""


def files_of(name: str, source: Source, paths: Paths) -> list[str]:
    """The other files that define a method or a matcher of that name."""
    bases = (files_called(f"{_file_name(base)}.rb", paths) for base in sorted(named("class", source.data)))
    among = {path for files in bases for path in files if path != source.path and _defines(name, paths.read(path))}
    found = sorted(among.union(defining(name, source, paths, DEFINES, without=SPECS)))
    return found if len(found) <= MOST else []


def is_visible(helper: tree_sitter.Node, path: str, source: Source, paths: Paths) -> bool:
    """What stands in `path` can be called in the other file, by its name alone."""
    place = place_of(helper)
    if place is None:
        return SPECS.search(path) is None
    name = constant_of(place)
    by_all = defining(name, source, paths, INCLUDES if place.type == "module" else INHERITS, without=SPECS)
    if place.type == "class" and REOPENED.fullmatch(name):
        return SPECS.search(path) is None
    return name in named(place.type, source.data) or bool(by_all)


def named(kind: str, data: bytes) -> frozenset[str]:
    """The modules that a file includes, or the bases of its classes."""
    pattern = INCLUDES if kind == "module" else INHERITS
    return frozenset(each.decode("utf-8", "replace") for each in pattern.findall(data))


def place_of(method: tree_sitter.Node) -> tree_sitter.Node | None:
    """The class or module around it."""
    return next((each for each in _around(method) if each.type in PLACES), None)


def constant_of(place: tree_sitter.Node) -> str:
    name = place.child_by_field_name("name")
    return re.sub(r".*::", "", text_of(name)) if name is not None else ""


def _file_name(constant: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", constant).lower()


def _defines(name: str, data: bytes | None) -> bool:
    return name.encode() in DEFINES.findall(data or b"")


def _around(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent
