"""`replace` lines of go.mod and go.work, and members of a workspace that are called as a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

REPLACED = later(r"^(?:replace\s+)?(?P<old>[\w./~-]+)(?:\s+v\S+)?\s+=>\s+(?P<new>\S+)(?:\s+v\S+)?$")
USED = later(r"^(?:use\s+)?(?P<folder>\.{1,2}/\S*|\.)$")
MODULE = later(r"(?m)^module\s+\"?(?P<name>[^\s\"]+)")


def module(path: str, side: Side) -> Iterator[Origin]:
    """A release of the same module, or of another tool that took its place, is no replacement."""
    for number, line in _lines(path, side):
        match = REPLACED.match(line)
        tool = toolnames.go(match["old"]) if match else None
        if match and tool is not None:
            local = match["new"].startswith((".", "/"))
            elsewhere = local or toolnames.go(match["new"]) is None
            manifest = f"{folder_of(path, match['new'])}/go.mod" if local else ""
            node = Node(match["new"], path, number, 1)
            yield Origin(f"replace {tool}", tool, match["new"], elsewhere, node, manifest)


def workspace(path: str, side: Side) -> Iterator[Origin]:
    yield from module(path, side)
    for number, line in _lines(path, side):
        match = USED.match(line)
        manifest = f"{folder_of(path, match['folder'])}/go.mod" if match else ""
        named = MODULE.search(side.text(manifest) or "") if match else None
        tool = toolnames.go(named["name"]) if named else None
        if match and tool is not None:
            node = Node(match["folder"], path, number, 1)
            yield Origin(f"use {tool}", tool, match["folder"], True, node, manifest)


def _lines(path: str, side: Side) -> Iterator[tuple[int, str]]:
    for number, line in enumerate((side.text(path) or "").splitlines(), 1):
        yield number, re.sub(r"\s*//.*$", "", line).strip()
