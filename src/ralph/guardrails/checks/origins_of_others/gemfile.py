"""Gems that Bundler takes from a folder or a repository, each by itself or all of a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

GEM = later(r"^\s*gem[\s(]+[\"'](?P<name>[\w-]+)[\"'](?P<rest>.*)$")
SOURCE = later(r"(?::|\b)(?P<kind>path|git|github|gitlab|bitbucket|gist)(?::|[\"']?\s*=>)\s*[\"'](?P<value>[^\"']+)")
BLOCK = later(r"^\s*(?P<kind>path|git|github)[\s(]+[\"'](?P<value>[^\"']+)[\"'].*\bdo\b")
OPENS, ENDS = later(r"\bdo\s*(?:\|[^|]*\|)?\s*$|^\s*(?:if|unless|case)\b"), later(r"^\s*end\b")


def gems(path: str, side: Side) -> Iterator[Origin]:
    blocks: list[tuple[str, str] | None] = []
    for number, line in _statements(side.text(path) or ""):
        if ENDS.match(line):
            del blocks[-1:]
        elif (match := BLOCK.match(line)) is not None:
            blocks.append((match["kind"], match["value"]))
        elif OPENS.search(line):
            blocks.append(None)
        elif (match := GEM.match(line)) is not None and match["name"] in toolnames.GEMS:
            own = SOURCE.search(match["rest"])
            around = next((block for block in reversed(blocks) if block is not None), None)
            source = (own["kind"], own["value"]) if own else around
            if source is not None:
                yield _origin(match["name"], *source, path, number)


def _origin(tool: str, kind: str, value: str, path: str, number: int) -> Origin:
    elsewhere = kind == "path" or toolnames.OWNERS.search(value) is None
    manifest = f"{folder_of(path, value)}/**{tool}.gemspec" if kind == "path" else ""
    return Origin(f"gem {tool}", tool, f"{kind} {value}", elsewhere, Node(value, path, number, 1), manifest)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those that go on with them."""
    begun, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        said = re.sub(r"(?:^|\s)#.*$", "", line)
        begun, first = (f"{begun} {said.strip()}", first) if begun else (said, number)
        if not said.rstrip().endswith(","):
            yield first, begun
            begun = ""
