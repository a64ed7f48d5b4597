"""The files of one pipeline of GitLab's: what its file includes of the tree, and what that includes.

A job in such a file runs in CI as one in `.gitlab-ci.yml` does, whatever the name of the file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ralph.guardrails.checks.readers.gitlab import RESERVED
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.source import remembered

ENDS = (".yml", ".yaml")
MAX_FILES = 100
"""Files of one pipeline that are read."""


class Pipeline(NamedTuple):
    files: Mapping[str, Node]
    jobs: Node
    """All jobs and templates, as if they stood in one file."""
    places: Mapping[str, str]
    """In which file each of them stands."""


def roots(side: Side) -> list[str]:
    """The files of the tree that are pipelines by their name."""
    return sorted(path for end in ENDS for path in side.by_name.get(f".gitlab-ci{end}", ()))


def is_included(path: str, side: Side) -> bool:
    return path.endswith(ENDS) and bool(roots(side)) and path in _all(side)


def pipeline_of(root: str, side: Side) -> Pipeline | None:
    """A job of the file that includes counts more than one of the same name in the included file."""
    files = _files(root, side)
    if not files:
        return None
    jobs: dict[str, Node] = {}
    places: dict[str, str] = {}
    for path, node in reversed(files.items()):
        for name, job in node.mapping.items():
            if name not in RESERVED and job.mapping:
                jobs[name], places[name] = job, path
    return Pipeline(files, files[root].with_value(jobs), places)


@remembered(2)
def _all(side: Side) -> frozenset[str]:
    return frozenset(path for root in roots(side) for path in _files(root, side))


def _files(root: str, side: Side) -> dict[str, Node]:
    waiting, files = [root], dict[str, Node]()
    while waiting and len(files) < MAX_FILES:
        path = waiting.pop(0)
        node = side.node(path) if path in side.paths and path not in files else None
        if node is not None:
            files[path] = node
            waiting += _included(node, side)
    return files


def _included(node: Node, side: Side) -> Iterator[str]:
    include = node.at("include")
    listed = [] if include is None else [include] if include.mapping else include.items
    for each in listed:
        said = each if isinstance(each.value, str) else each.at("local")
        for item in said.items if said is not None else ():
            name = canonical(item).removeprefix("/")
            folder, _, glob = name.partition("*")
            if glob:
                directory = posixpath.dirname(f"{folder}x")
                yield from sorted(
                    path for path in side.paths if path.startswith(f"{directory}/") and path.endswith(ENDS)
                )
            else:
                yield name
