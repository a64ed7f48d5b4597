"""One tool of a manifest: what it is called, where it comes from, and what would show that it is the project's own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node, canonical
from ralph.record import record

SOURCES = ("path", "git", "url", "file")


@record
class Origin:
    entry: str
    """Which entry of the manifest it is; the same of base and head are compared."""
    tool: str
    text: str
    """What the entry says."""
    elsewhere: bool
    """It is no release of the tool."""
    node: Node
    manifest: str = ""
    """The file of the project that would declare the tool, if it was the project's own; may be a glob."""


def folder_of(path: str, written: str) -> str:
    """The folder of the tree that a manifest names from where it lies."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), written.strip().rstrip("/") or "."))


def taken_from(entry: str, tool: str, node: Node, path: str, manifest: str) -> Iterator[Origin]:
    """Of a table that names a folder or a repository (`{ path = "tools/pytest" }`), or of several."""
    for each in node.items if isinstance(node.value, list) else [node]:
        for source in SOURCES:
            value = each.at(source)
            if value is not None:
                text = f"{source} {canonical(value)}"
                elsewhere = source == "path" or toolnames.OWNERS.search(text) is None
                place = f"{folder_of(path, canonical(value))}/{manifest}" if source == "path" else ""
                yield Origin(entry, tool, text, elsewhere, value, place)
