"""Which files of a large tree are looked through: those nearest to what the change touches.

A rule that looks for something in other files reads no more than some hundreds of them. Which it leaves out must not be
a matter of the alphabet: `tax_test.go` is about `tax.go`, wherever the other thousand tests lie.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable

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
    places = {_folders(folder) for folder, _ in touched}
    far = {folder: _steps(_folders(folder), places) for folder in map(posixpath.dirname, found)}

    def order(path: str) -> tuple[bool, bool, int, str]:
        folder, name = posixpath.split(path)
        return path not in changed, alike.search(_stem(name)) is None, far[folder], path

    return sorted(found, key=order)[:most]


def _stem(name: str) -> str:
    return name.partition(".")[0].lower()


def _folders(folder: str) -> Folders:
    return tuple(folder.split("/")) if folder else ()


def _steps(one: Folders, others: Collection[Folders]) -> int:
    """From folder to folder, up and down, to the nearest of the others."""
    return min((len(one) + len(other) - 2 * _shared(one, other) for other in others), default=0)


def _shared(one: Folders, other: Folders) -> int:
    pairs = zip(one, other, strict=False)
    return next((number for number, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))
