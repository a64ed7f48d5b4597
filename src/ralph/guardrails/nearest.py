"""Which files of a large tree are looked through: those nearest to what the change touches.

A rule that looks for something in other files reads no more than some hundreds of them. Which it leaves out must not be
a matter of the alphabet: `tax_test.go` is about `tax.go`, wherever the other thousand tests lie.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from ralph.guardrails.model import Change

MOST_PLACES = 50
"""So many files of the change are asked what lies near them."""
SHORTEST = 3
"""A shorter name stands in others by chance."""

Folders = tuple[str, ...]


def nearest(paths: Iterable[str], change: Change, most: int) -> list[str]:
    """The paths in their order, at most so many: those that changed, are called like what changed, or lie near it."""
    found = sorted(paths)
    if len(found) <= most:
        return found
    changed = {file.path for file in change.files}
    touched = [posixpath.split(file.path) for file in change.files[:MOST_PLACES]]
    stems = sorted({stem for _, name in touched if len(stem := _stem(name)) >= SHORTEST})
    alike = re.compile("|".join(map(re.escape, stems)) or r"(?!)")
    below = _below(_folders(folder) for folder, _ in touched)
    far = {folder: _steps(_folders(folder), below) for folder in set(map(posixpath.dirname, found))}

    def order(path: str) -> tuple[bool, bool, int, str]:
        folder, name = posixpath.split(path)
        return path not in changed, alike.search(_stem(name)) is None, far[folder], path

    return sorted(found, key=order)[:most]


def _stem(name: str) -> str:
    return name.partition(".")[0].lower()


def _folders(folder: str) -> Folders:
    return tuple(folder.split("/")) if folder else ()


def _below(places: Iterable[Folders]) -> dict[Folders, int]:
    """How many folders deeper the nearest of the places lies, for each folder that they lie in."""
    found: dict[Folders, int] = {}
    for place in places:
        for depth in range(len(place) + 1):
            above = place[:depth]
            found[above] = min(len(place) - depth, found.get(above, len(place)))
    return found


def _steps(folder: Folders, below: Mapping[Folders, int]) -> int:
    """From folder to folder, up and down, to the nearest of the places."""
    steps = (
        len(folder) - depth + below[above] for depth in range(len(folder) + 1) if (above := folder[:depth]) in below
    )
    return min(steps, default=0)
