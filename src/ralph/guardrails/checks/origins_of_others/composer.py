"""Packages that Composer takes from a folder or a fork, which `repositories` names, or does not install, as the project
says that it stands in their place (`replace`, `provide`)."""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.checks.origins_of_others.origin import Origin, folder_of
from ralph.guardrails.checks.replaced_tools import toolnames
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side

FORKED = frozenset(("vcs", "git", "github"))


def repositories(path: str, side: Side) -> Iterator[Origin]:
    node = side.node(path)
    part = node.at("repositories") if node else None
    for repository in [*part.mapping.values(), *(part.items if not part.mapping else [])] if part else []:
        kind, url = repository.at("type"), repository.at("url")
        if kind is not None and url is not None:
            yield from _origin(canonical(kind), url, path, side)
    own = canonical(name) if node is not None and (name := node.at("name")) is not None else ""
    for key in ("replace", "provide"):
        for tool, value in (found.mapping if node is not None and (found := node.at(key)) is not None else {}).items():
            known = toolnames.php(tool) or toolnames.PHP_PLUGINS.match(tool.lower())
            if known and tool.partition("/")[0] != own.partition("/")[0]:
                yield Origin(f"{key} {tool}", tool, f"the project itself ({key})", True, value)


def _origin(kind: str, url: Node, path: str, side: Side) -> Iterator[Origin]:
    text = canonical(url)
    if kind == "path":
        manifest = f"{folder_of(path, text)}/composer.json"
        declared = node.at("name") if "*" not in text and (node := side.node(manifest)) else None
        tool = canonical(declared) if declared is not None else ""
        if toolnames.php(tool):
            yield Origin(f"repository {tool}", tool, f"path {text}", True, url, manifest)
    elif kind in FORKED and toolnames.OWNERS.search(text) is None:
        last = text.rpartition("/")[2].removesuffix(".git")
        named = next((each for each in sorted(toolnames.PHP) if each.endswith(f"/{last}")), None)
        if named is not None:
            yield Origin(f"repository {named}", named, text, True, url)
