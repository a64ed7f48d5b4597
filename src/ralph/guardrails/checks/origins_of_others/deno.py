"""Libraries for tests for which Deno's import map names a file of the project."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side


def imports(path: str, side: Side) -> Iterator[Origin]:
    node = side.node(path)
    for key, value in (part.mapping if node and (part := node.at("imports")) else {}).items():
        name = key.removeprefix("jsr:").removeprefix("npm:").rstrip("/")
        text = canonical(value)
        if toolnames.npm(name) and text.startswith((".", "/")):
            yield Origin(f"import {key}", name, text, True, value, f"{folder_of(path, text)}/deno.json")
