"""Files of findings that ESLint has been told to accept, by whatever name a command gives them.

A file of that form (path, rule, count) that a command of the head names with `--suppressions-location` must not accept
more than the base's files of that form, whatever their names, did: moved findings are the same ones.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from itertools import pairwise

from ralph.guardrails.config.command_files.scripts import command_files, read_commands
from ralph.guardrails.config.node import Node, flat
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side

USUAL = "eslint-suppressions.json"
OPTION = "--suppressions-location"
Counts = Mapping[tuple[str, str], Node]


def losses(before: Side, after: Side, changed: frozenset[str]) -> Iterator[Loss]:
    files = sorted(path for path in changed if path.endswith(".json") and not path.endswith(USUAL))
    found = {path: counts for path in files if (counts := _accepted(after, path))}
    named = _named(after) if found else frozenset()
    for path in sorted(found.keys() & named):
        old = _known(before, after, path, changed)
        for key, node in found[path].items():
            was = old.get(key)
            if was is None or _count(node) > _count(was):
                text = f"rises to {_count(node):g}"
                yield Loss(rule="cfg.eslint.suppressions", key=" ".join(key), text=text, node=node, old=was)


def _accepted(side: Side, path: str) -> Counts:
    """The counts of such a file; none of any other data."""
    data = side.bytes(path)
    node = side.node(path) if data and b'"count"' in data else None
    leaves = flat(node)
    if not all(len(key) == 3 and key[2] == "count" and isinstance(value.value, int) for key, value in leaves.items()):
        return {}
    return {(key[0], key[1]): value for key, value in leaves.items()}


def _known(before: Side, after: Side, path: str, changed: frozenset[str]) -> Counts:
    """What the base accepted: this file, and those that are no longer read."""
    names = [path, *(name for name in changed if name not in after.paths and name.endswith(".json"))]
    known: dict[tuple[str, str], Node] = {}
    for name in names:
        for key, node in _accepted(before, name).items():
            if key not in known or _count(node) > _count(known[key]):
                known[key] = node
    return known


def _count(node: Node) -> float:
    return node.value if isinstance(node.value, int | float) else 0


def _named(side: Side) -> frozenset[str]:
    """The files that commands name, seen from the root and from where the command stands."""
    found = set()
    for file in command_files(side):
        if OPTION.encode() not in (side.bytes(file) or b""):
            continue
        for run in read_commands(side, file).runs:
            words = [part for word in run.words for part in word.split("=", 1)]
            for option, value in pairwise(words):
                if option == OPTION:
                    folders = ("", posixpath.dirname(file))
                    found |= {posixpath.normpath(posixpath.join(folder, value)) for folder in folders}
    return frozenset(found)
