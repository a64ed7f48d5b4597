"""Helpers that a test of Go calls: of another file of its package, and of its own (`check := func(in string) {`)."""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.system.patterns import later

DEFINES = later(rb"(?m)^func (\w+)(?:\[[^\]\n]*\])?\(")
MOST_FILES = 200


def place_of(name: str, path: str, paths: Paths) -> str | None:
    """The file of tests beside `path` that defines the function; None for that file itself, too."""
    folder = path.rpartition("/")[0]
    found = paths.memo.once(("go helpers in", folder), lambda: _defined(folder, paths)).get(name)
    return found if found != path else None


def source_at(path: str, paths: Paths) -> Source:
    try:
        data = one_line_end("go", decoded("go", paths.read(path) or b""))
    except UnreadableError:
        data = b""
    return Source(path, "go", data)


def closures(nodes: Iterable[tree_sitter.Node]) -> dict[str, tree_sitter.Node]:
    """Functions with parameters that a test gives a name."""
    found: dict[str, tree_sitter.Node] = {}
    for node in nodes:
        if node.type != "short_var_declaration":
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        literal = right.named_children[0] if right is not None and len(right.named_children) == 1 else None
        if left is None or literal is None or literal.type != "func_literal":
            continue
        parameters = literal.child_by_field_name("parameters")
        if parameters is not None and parameters.named_children:
            found[text_of(left)] = literal
    return found


def _defined(folder: str, paths: Paths) -> dict[str, str]:
    beside = sorted(each for each in paths.all() if each.endswith("_test.go") and each.rpartition("/")[0] == folder)
    found: dict[str, str] = {}
    for path in beside[:MOST_FILES]:
        found |= {name.decode("utf-8", "replace"): path for name in DEFINES.findall(paths.read(path) or b"")}
    return found
