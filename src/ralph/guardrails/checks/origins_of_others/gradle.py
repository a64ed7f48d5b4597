"""Artifacts that Gradle takes from a file of the project, or for which it takes a project."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

FILE = later(r"\bfiles\s*\(?\s*[\"'](?P<path>[^\"'\n]+\.jar)[\"']")
SUBSTITUTED = later(
    r"\bsubstitute\s*\(?\s*module\s*\(\s*[\"'](?P<module>[^\"'\n]+)[\"']\s*\)+\s*\.?\s*(?:using|with)\s*\(?\s*"
    r"(?P<by>(?:project|module)\s*\(\s*[\"'][^\"'\n]+)"
)


def dependencies(path: str, side: Side) -> Iterator[Origin]:
    text = side.text(path) or ""
    for match in FILE.finditer(text):
        yield from _origin(match["path"].rpartition("/")[2], f"file {match['path']}", path, text, match.start())
    for match in SUBSTITUTED.finditer(text):
        yield from _origin(match["module"], match["by"], path, text, match.start())


def _origin(named: str, said: str, path: str, text: str, place: int) -> Iterator[Origin]:
    found = toolnames.JVM.search(named)
    if found is not None:
        node = Node(said, path, text.count("\n", 0, place) + 1, 1)
        yield Origin(found[0], found[0], said, True, node)
