"""Rust: lints that were allowed further up before an attribute allowed them for an item (policy set v2, class G01).

Rule: `allow` and `expect` take nothing away where the base allowed each of their lints for all of that code, and the
head allows it there no longer: in the `[lints]` of the package or of its workspace, or by an attribute of a file that
leads to this one. Groups of lints have their own names, which hold for nothing else.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import cache

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Unit
from ralph.guardrails.config.tools.compiled import CARGO
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.rust.declared import leading
from ralph.guardrails.rust.levels import LEVELS, levels
from ralph.guardrails.rust.lint_names import spelled
from ralph.guardrails.texts import UnreadableError
from ralph.system.patterns import later

RULES = frozenset({"rust.allow", "rust.allow-crate"})
ALLOWED = later(rb"\ballow\b")


def still_asked(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """The hits without those that only narrow what was allowed before."""
    no_more = any(_may_allow(file) and _takes_away(file) for file in change.files)
    before = _Allowed(Side(change.blobs.before, change.blobs.paths_before())) if no_more else None
    after = _Allowed(Side(change.blobs.after, change.blobs.paths_after()))
    for hit in hits:
        if before is None or hit.rule not in RULES or not hit.scope or not _was_wider(hit, before, after):
            yield hit


def _may_allow(file: FileChange) -> bool:
    return file.path.endswith(("Cargo.toml", ".rs"))


def _takes_away(file: FileChange) -> bool:
    return any(ALLOWED.search(line) for hunk in file.hunks for line in hunk.removed)


def _was_wider(hit: Hit, before: _Allowed, after: _Allowed) -> bool:
    lints = hit.scope or frozenset()
    return lints <= before.at(hit.path) and lints.isdisjoint(after.at(hit.path))


class _Allowed:
    """What a side allows beyond single items."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._units = cache(lambda: CARGO.find_units(side))
        self._inside = cache(self._of_file)

    def at(self, path: str) -> frozenset[str]:
        """The lints that are allowed in all of a file, whatever it says itself."""
        found = self._of_package(path)
        above = [each for each in leading(path, self._side.paths) if each != path]
        folders = [posixpath.dirname(each) for each in above]
        for each, folder in zip(above, folders, strict=True):
            # Of two crates in one folder nobody knows which one the file is a part of.
            if folders.count(folder) == 1:
                found |= self._inside(each)
        return found

    def _of_package(self, path: str) -> frozenset[str]:
        units: dict[str, Unit] = dict(self._units())
        folder = posixpath.dirname(path)
        while folder and folder not in units:
            folder = posixpath.dirname(folder)
        settings = units[folder].settings if folder in units else {}
        listed = ((key[0], key[1]) for key, node in settings.items() if len(key) == 2 and canonical(node) == "allow")
        return frozenset(spelled(lint if tool == "rust" else f"{tool}::{lint}") for tool, lint in listed)

    def _of_file(self, path: str) -> frozenset[str]:
        try:
            said = levels(path, self._side.bytes(path))
        except UnreadableError:
            return frozenset()
        return frozenset(spelled(lint) for lint, level in said.items() if level.strictness == LEVELS["allow"])
