"""What the services of a compose file run: what the entry point is given, as the container sees it.

A list is one call, whatever its words hold; `$$` is compose's way to write a dollar.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

COMPOSE = later(r"(?:(?:docker|podman|container)-)?compose(?:[.-][\w.-]+)?\.ya?ml")


def is_compose(name: str) -> bool:
    """`name`: of a file, in lower case."""
    return COMPOSE.fullmatch(name) is not None


def services(node: Node | None) -> Iterator[tuple[str, str, int]]:
    """(service, shell text, line)"""
    table = node.at("services") if node is not None else None
    for name, service in table.mapping.items() if table is not None else ():
        entry, command = (_given(service.at(key)) for key in ("entrypoint", "command"))
        if (place := command or entry) is not None:
            first = place.line + int(isinstance(place.value, str) and "\n" in place.text)
            yield name, _together(entry, command).replace("$$", "$"), first


def _given(node: Node | None) -> Node | None:
    return node if node is not None and isinstance(node.value, str | list) and node.items else None


def _together(entry: Node | None, command: Node | None) -> str:
    first, rest = (_text(node) if node is not None else "" for node in (entry, command))
    if command is None or not first.endswith(" -c"):
        return f"{first} {rest}".strip()
    script = rest if isinstance(command.value, str) else canonical(command.items[0])
    return f"{first} {shlex.quote(script)}"


def _text(node: Node) -> str:
    return shlex.join(map(canonical, node.value)) if isinstance(node.value, list) else node.text
