"""Exemptions that name a place by the number of its line (class G12).

zizmor is told to overlook `release.yml:12:7`. Rule: such a place is known by what stands there, the key of its line and
how many of that key stand above it, so that an exemption that followed its line to another number is the same one. One
that points at another line, or at a whole file, is another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

PLACE = later(r"^(?P<file>[\w.-]+\.ya?ml):(?P<line>\d+)(?::\d+)?$")
KEYED = later(r"^[\s-]*[\"']?(?P<key>[\w-]+)[\"']?\s*:")


def by_what_stands_there(side: Side, directory: str, settings: Mapping[Key, Node]) -> Settings:
    """The settings with each place of an `ignore` list told by the key of its line."""
    del directory
    return {key: _told(side, node) if key[-1] == "ignore" else node for key, node in settings.items()}


def _told(side: Side, node: Node) -> Node:
    if not isinstance(node.value, list):
        return node
    return node.with_value([item.with_value(_place(side, canonical(item)) or item.value) for item in node.items])


def _place(side: Side, text: str) -> str:
    match = PLACE.match(text)
    files = [path for path in side.by_name.get(match["file"], ()) if ".github/" in path] if match is not None else []
    lines = (side.text(files[0]) or "").split("\n") if len(files) == 1 else []
    number = int(match["line"]) if match is not None else 0
    keyed = KEYED.match(lines[number - 1]) if 0 < number <= len(lines) else None
    if match is None or keyed is None:
        return ""
    same = re.compile(rf"[\s-]*[\"']?{re.escape(keyed['key'])}[\"']?\s*:")
    above = sum(same.match(line) is not None for line in lines[: number - 1])
    return f"{match['file']}: {keyed['key']} {above + 1}"
