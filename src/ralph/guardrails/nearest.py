"""Which files of a large tree are looked through: those nearest to what the change touches.

A rule that looks for something in other files reads no more than some hundreds of them. Which it leaves out must not be
a matter of the alphabet: `tax_test.go` is about `tax.go`, wherever the other thousand tests lie.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from ralph.guardrails.model import Change

MOST_PLACES = 50
"""So many files of the change are asked what lies near them."""
SHORTEST = 3
"""A shorter name stands in others by chance."""

Place = tuple[str, tuple[str, ...]]
"""A file's name without its ending, in lower case, and its folders."""


def nearest(paths: Iterable[str], change: Change, most: int) -> list[str]:
    """The paths in their order, at most so many: those that changed, are called like what changed, or lie near it."""
    found = sorted(paths)
    if len(found) <= most:
        return found
    changed = {file.path for file in change.files}
    places = [_place(file.path) for file in change.files[:MOST_PLACES]]
    far = {path: (path not in changed, *_distance(_place(path), places)) for path in found}
    return sorted(found, key=lambda path: (far[path], path))[:most]


def _place(path: str) -> Place:
    folder, name = posixpath.split(path)
    return name.partition(".")[0].lower(), tuple(folder.split("/")) if folder else ()


def _distance(one: Place, places: Sequence[Place]) -> tuple[bool, int]:
    """Whether no name of the other places stands in this one's, and how many steps the nearest is away."""
    name, folders = one
    unlike = not any(len(other) >= SHORTEST and other in name for other, _ in places)
    return unlike, min((_steps(folders, others) for _, others in places), default=0)


def _steps(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return len(one) + len(other) - 2 * shared
