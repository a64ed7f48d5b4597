"""What a change does to the tree itself, whatever the files hold (design decisions 4 and 5; class G16, G17).

- A new or moved gitlink: the content of a nested repository is not in the tree, so nothing could judge it.
- A file that governs Ralph: the change would be its own judge. A file that the base lacks and that a person accepted
  (by its digest) counts as the base's. Names count at any depth and in any case: a project may be a subdirectory.
- A symbolic link that leads out of the tree, that is named like source but leads to something else, or that stands
  where a file stood. The target is judged as written; a link in the base is the base's matter.
- A file that the change alters and that the user's index tells git not to look at; a file that checks read and that git
  ignores (see `beside`).

These rules belong to the engine and apply under every policy set.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from ralph.guardrails.languages import language_of
from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, Change, FileChange, Hit

GOVERNANCE_FILES = frozenset(
    {"ralph-context.yaml", "ralph-context.yml", "ralph.policy.json", "ralph.yml", "ralph.yaml"}
)
GOVERNANCE_FOLDER = ".ralph"
OUTSIDE = frozenset({".git", ".ralph"})
"""Folders at the root whose content is never in the tree."""


def tree_hits(change: Change, accepted: Mapping[str, str]) -> Iterable[Hit]:
    """The hits of all the rules; `accepted` maps paths to the sha256 of the content that a person accepted."""
    unwatched = frozenset(change.beside.unwatched)
    if change.beside.ignored:
        from ralph.guardrails.beside import ignored_hits

        yield from ignored_hits(change)
    for file in change.files:
        if file.new_mode == MODE_GITLINK:
            yield _hit("tree.gitlink", file, f"{file.path} is at commit {file.new_blob}")
        if governs(file.path) and not _accepted(change, file, accepted):
            yield _hit("tree.governance-file", file, f"{file.path} was {_VERBS[file.status]}")
        if file.path in unwatched:
            yield _hit("tree.unwatched", file, f"{file.path} is marked as unchanged or skipped")
        if file.new_mode == MODE_SYMLINK and (rule := _symlink_rule(change, file, target(file))):
            yield _hit(rule, file, f"{file.path} -> {target(file)}")


def governs(path: str) -> bool:
    """True for a file that tells Ralph what to do or holds what it recorded."""
    *folders, name = (part.casefold() for part in PurePosixPath(path).parts)
    return name in GOVERNANCE_FILES or name == GOVERNANCE_FOLDER or GOVERNANCE_FOLDER in folders


def target(file: FileChange) -> str:
    """Where the link leads: git keeps the target as the link's content."""
    return file.added_text.decode("utf-8", "surrogateescape")


def _accepted(change: Change, file: FileChange, accepted: Mapping[str, str]) -> bool:
    if file.status != "A" or file.path not in accepted:
        return False
    content = change.blobs.after(file.path)
    return content is not None and hashlib.sha256(content).hexdigest() == accepted[file.path]


def _symlink_rule(change: Change, file: FileChange, link: str) -> str | None:
    leads_to = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), link))
    parts = PurePosixPath(leads_to).parts
    if not link or leads_to.startswith("/") or ".." in parts or OUTSIDE.intersection(parts[:1]):
        return "tree.symlink-escape"
    language = language_of(file.path)
    if language and (language_of(leads_to) != language or leads_to not in change.blobs.paths_after()):
        return "tree.symlink-disguise"
    return "tree.symlink-replaces-file" if file.status == "T" else None


_VERBS = {"A": "added", "M": "changed", "D": "removed", "T": "replaced"}


def _hit(rule: str, file: FileChange, text: str) -> Hit:
    return Hit(rule=rule, path=file.path, line=0, column=0, key=text, snippet=text)
