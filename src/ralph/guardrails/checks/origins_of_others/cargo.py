"""Crates that Cargo takes from a folder, from a repository or from a crate of another name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of, taken_from
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side

TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "replace")
MANIFEST = "Cargo.toml"


def manifest(path: str, side: Side) -> Iterator[Origin]:
    node = side.node(path)
    if node is None:
        return
    targets = (part.mapping if (part := node.at("target")) else {}).values()
    for owner in filter(None, (node, node.at("workspace"), *targets)):
        for table in TABLES:
            yield from _crates(table, owner.at(table), path)
    yield from _patches(node, path)


def configuration(path: str, side: Side) -> Iterator[Origin]:
    """`.cargo/config.toml`: its paths are those of folders beside `.cargo`."""
    node = side.node(path) if posixpath.dirname(path).endswith(".cargo") else None
    if node is None:
        return
    beside = posixpath.join(posixpath.dirname(posixpath.dirname(path)), MANIFEST)
    yield from _patches(node, beside)
    for item in part.items if (part := node.at("paths")) else []:
        tool = posixpath.basename(item.text.rstrip("/"))
        if tool in toolnames.CRATES:
            place = f"{folder_of(beside, item.text)}/{MANIFEST}"
            yield Origin(f"paths {tool}", tool, f"path {item.text}", True, item, place)


def _patches(node: Node, path: str) -> Iterator[Origin]:
    for registry, crates in (part.mapping if (part := node.at("patch")) else {}).items():
        yield from _crates(f"patch.{registry}", crates, path)


def _crates(table: str, crates: Node | None, path: str) -> Iterator[Origin]:
    for key, entry in (crates.mapping if crates else {}).items():
        package = entry.at("package")
        name = key.partition(":")[0]
        tool = name if name in toolnames.CRATES or package is None else canonical(package)
        if tool not in toolnames.CRATES:
            continue
        yield from taken_from(f"{table} {key}", tool, entry, path, MANIFEST)
        if package is not None and canonical(package) != tool and not entry.at("path"):
            yield Origin(f"{table} {key}", tool, f"package {canonical(package)}", True, package)
