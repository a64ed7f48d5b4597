"""Artifacts that Maven takes from a file of the project (`systemPath`)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

DEPENDENCY = later(r"<dependency>(?P<inner>.{0,3000}?)</dependency>", 16)
SYSTEM_PATH = later(r"<systemPath>\s*(?P<path>[^<]+?)\s*</systemPath>")
ARTIFACT = later(r"<artifactId>\s*(?P<name>[^<]+?)\s*</artifactId>")


def dependencies(path: str, side: Side) -> Iterator[Origin]:
    text = side.text(path) or ""
    for match in DEPENDENCY.finditer(text) if "systemPath" in text else ():
        artifact, source = ARTIFACT.search(match["inner"]), SYSTEM_PATH.search(match["inner"])
        if artifact and source and toolnames.JVM.match(artifact["name"]):
            line = text.count("\n", 0, match.start("inner") + source.start()) + 1
            node = Node(source["path"], path, line, 1)
            yield Origin(artifact["name"], artifact["name"], f"systemPath {source['path']}", True, node)
