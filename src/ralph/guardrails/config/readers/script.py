"""JSON (with comments, trailing commas, bare keys) and JavaScript or TypeScript modules, read as data and never run.

A module's configuration is what it exports: the object literal behind `export default` or `module.exports`, through
constants, wrappers (`defineConfig`), functions that return one literal, later assignments, and imports of files of the
same tree. What only running could tell is opaque.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

import tree_sitter

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.guardrails.config.readers.evaluate import Module, Place
from ralph.syntax import parse

Importer = Callable[[str, str], Node | None]
"""(path of the importing file, specifier) -> the module's exports by name, `default` among them."""

_DIALECTS = {".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx"}


def read_json(text: str, path: str) -> Node:
    if not text.strip():
        return Node({}, path, 1, 1)
    # In an expression, braces are an object; the parenthesis shifts the columns of the first line by one.
    root = _parsed("javascript", f"({text}\n)")
    statements = [child for child in root.named_children if child.type != "comment"]
    if len(statements) != 1 or statements[0].type != "expression_statement":
        raise Unreadable("it holds more than one value")
    return Module(Place(path, first_column=0), root, None).evaluate(statements[0].named_children[0])


def read_exports(text: str, path: str, importer: Importer | None = None) -> Node:
    """What a module exports, by name; its configuration is `default`."""
    root = _parsed(_DIALECTS.get(PurePosixPath(path).suffix.lower(), "javascript"), text)
    load = (lambda specifier: importer(path, specifier)) if importer else None
    return Module(Place(path), root, load).exports()


def _parsed(dialect: str, text: str) -> tree_sitter.Node:
    root = parse(dialect, text.encode("utf-8", "replace")).root_node
    if root.has_error:
        raise Unreadable(f"it does not parse near line {_first_error(root)}")
    return root


def _first_error(node: tree_sitter.Node) -> int:
    while not (node.is_error or node.is_missing):
        broken = next((child for child in node.children if child.has_error or child.is_missing), None)
        if broken is None:
            break
        node = broken
    return node.start_point.row + 1
