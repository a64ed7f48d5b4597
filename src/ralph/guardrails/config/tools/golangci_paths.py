"""The folders that golangci-lint leaves out by itself, in its first format.

Rule: the second format leaves none out but those that it names, and the migration names them. They take nothing away
where the base, in the first format, had not switched them off (`exclude-dirs-use-default`). Nor may the first format
leave them out again where the base looked at them, and one of them holds code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, no_more_paths, truth, words
from ralph.guardrails.config.node import Node, canonical, names
from ralph.system.patterns import later

BY_DEFAULT = "what the first format leaves out"
"""Stands among the paths of a configuration in the first format."""
FOLDERS = names("vendor third_party testdata examples Godeps builtin")
ANCHORS = later(r"^(?:\(\^\|/\)|\^|/)+|(?:\(\$\|/\)|\(/\|\$\)|\(\|/\)|\$|/)+$")
SWITCHES = (("issues", "exclude-dirs-use-default"), ("run", "skip-dirs-use-default"))


def left_out_by_default(node: Node) -> list[Node]:
    """A word for these folders, for a configuration in the first format."""
    on = all(truth(node.at(*key), default=True) for key in SWITCHES)
    return [node.with_value(BY_DEFAULT)] if on else []


def no_more_folders(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
    old, new = words(before), words(after)
    had, has = (any(item.value == BY_DEFAULT for item in items) for items in (old, new))
    kept = [item for item in new if item.value != BY_DEFAULT and not (had and _is_left_out(item))]
    if has and not had and before is not None:
        kept += _again(new, paths)
    old = [item for item in old if item.value != BY_DEFAULT]
    yield from no_more_paths()(_of(before, old), _of(after, kept), paths)


def _again(items: Sequence[Node], paths: Sequence[str]) -> Iterator[Node]:
    """Those of the folders that are there."""
    there = sorted(set(FOLDERS).intersection(part for path in paths for part in path.split("/")[:-1]))
    yield from (item.with_value(f"{name}/") for item in items if item.value == BY_DEFAULT for name in there)


def _is_left_out(item: Node) -> bool:
    return ANCHORS.sub("", canonical(item)) in FOLDERS


def _of(node: Node | None, items: list[Node]) -> Node | None:
    return None if node is None else node.with_value(items)
