"""Go: whether anything runs the tests that are methods of a type (see `inventory`).

Rule: a runner (`suite.Run(t, new(Suite))`, `check.Suite(&Suite{})`, a loop over the methods by reflection) is handed a
value of the type, so a file of tests in the folder names the type elsewhere than in its declaration and before its
methods: in a function, or as a part of another type. What is kept in a variable that nobody reads is handed to nobody.
A plain call of the method by its name runs it, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

RECEIVER = later(r"\(\s*(?:\w+\s+)?\*?\s*(\w+)")
COMMENT = later(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
NOT_A_USE = (
    r"^[ \t]*(?:type[ \t]+)?OWNER(?:\[[^\]\n]*\])?[ \t]+(?:struct|interface|int|string|bool)\b",
    r"^type[ \t]+OWNER\b",
    r"^func[ \t]*\([ \t]*(?:\w+[ \t]+)?\*?[ \t]*OWNER\b",
    r"(?<![\w.])_(?:[ \t]+[^=\n]+?)?[ \t]*=[ \t]*(?:&?OWNER\{[^{}\n]*\}|new\(OWNER\)|\(?\*?OWNER\)?\([^()\n]*\))",
)
"""Its declaration, its methods, and a value that nobody reads."""
MOST_FILES = 200


def is_used(method: tree_sitter.Node, source: Source, paths: Paths | None) -> bool:
    receiver, name = method.child_by_field_name("receiver"), method.child_by_field_name("name")
    match = RECEIVER.match(text_of(receiver)) if receiver is not None else None
    if match is None or name is None:
        return True
    owner = match[1]
    own = re.compile("|".join(form.replace("OWNER", owner) for form in NOT_A_USE).encode(), re.MULTILINE)
    used = re.compile(rf"\b{owner}\b|\.{text_of(name)}\b".encode())
    return any(used.search(own.sub(b"", COMMENT.sub(b"", data))) for data in _files(source, paths))


def _files(source: Source, paths: Paths | None) -> Iterator[bytes]:
    """The files of the folder that have to do with tests, this one first."""
    yield source.data
    if paths is None:
        return
    folder = posixpath.dirname(source.path)
    beside = sorted(
        path
        for path in paths.all()
        if path.endswith(".go") and path != source.path and posixpath.dirname(path) == folder
    )
    for path in beside[:MOST_FILES]:
        data = paths.read(path) or b""
        if b'"testing"' in data:
            yield data
