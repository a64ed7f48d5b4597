"""Comments for ESLint in a project that has no ESLint (policy set v2, class G01).

Rule: a comment that nothing reads silences nothing. Nothing reads it where the project of the file is installed from a
lock in which ESLint, or another linter that takes its comments, is not, on both sides of the change; where no manifest,
command or configuration of the tree names one; and where no service that brings its own is set up. Without a lock
nobody can tell.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import cache

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

RULES = frozenset({"js.eslint-disable", "js.eslint-disable-line", "js.eslint-inline-config"})
UNCLOSED = "js.suppression-unclosed"
LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock")
READERS = later(
    rb"(?i)eslint|oxlint|\bxo\b|\bstandardx?\b|super-?linter|mega-?linter|\btrunk\b|\bnext lint\b|\bng lint\b|\bbiome\b"
    rb"|react-scripts|vue-cli-service|codacy|codeclimate|deepsource|\bhound\b|sonar"
)
"""What reads such comments, and what brings something that does."""
CONFIGURATION = later(
    r"(?i)(?:^|/)(?:\.eslintrc[^/]*|eslint\.config\.\w+|\.?oxlint(?:rc)?\.\w+|\.codacy\.ya?ml|\.codeclimate\.ya?ml"
    r"|\.deepsource\.toml|\.hound\.ya?ml|\.mega-?linter\.ya?ml|\.eslintignore|sonar-project\.properties|biome\.jsonc?)$|(?:^|/)\.trunk/"
)
BESIDE = (".pre-commit-config.yaml", ".lintstagedrc", ".lintstagedrc.json", "lefthook.yml", "renovate.json")


def without_unread(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    sides = [
        _Project(Side(read, paths()))
        for read, paths in (
            (change.blobs.before, change.blobs.paths_before),
            (change.blobs.after, change.blobs.paths_after),
        )
    ]
    for hit in hits:
        about = hit.rule in RULES or (hit.rule == UNCLOSED and hit.key.startswith("eslint"))
        if not about or any(side.may_read(hit.path) for side in sides):
            yield hit


def may_be_read(path: str, side: Side) -> bool:
    """Whether something in the tree may read comments for ESLint in a file."""
    return _Project(side).may_read(path)


class _Project:
    """Asked once for each folder."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self.may_read = cache(self._may_read)
        self._anywhere = cache(self._named_in_commands)

    def _may_read(self, path: str) -> bool:
        return self._reads(posixpath.dirname(path)) or self._anywhere()

    def _reads(self, folder: str) -> bool:
        """Whether the installed packages are not known, or one of them reads such comments."""
        above = [folder]
        while above[-1]:
            above.append(posixpath.dirname(above[-1]))
        locks = [name for each in above for lock in LOCKS if (name := posixpath.join(each, lock)) in self._side.paths]
        manifests = [posixpath.join(each, "package.json") for each in above]
        return not locks or any(READERS.search(self._side.bytes(path) or b"") for path in (*locks, *manifests))

    def _named_in_commands(self) -> bool:
        if any(CONFIGURATION.search(path) for path in self._side.paths):
            return True
        return any(READERS.search(self._side.bytes(path) or b"") for path in (*command_files(self._side), *BESIDE))
