"""What differs between two trees, and git's patch of it (spec: governance engine 1.4; design decision 4).

The list of differing entries is made here, from trees that were checked against their ids, and it must be exactly
the list that git gives: git alone would believe a forged tree. The patch comes from `git diff-tree` in a git directory
without configuration and attributes, so that no driver, textconv, order file or `-diff` takes part.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from ralph.errors import RepositoryError
from ralph.system.git import Repository
from ralph.system.git_door import git, neutral_dir
from ralph.system.git_objects import MODE_GITLINK, Entry, Objects

_DIFF = (
    "diff-tree",
    *("-r", "-z", "-p", "-U0", "--full-index", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"),
    *("--no-ext-diff", "--no-textconv", "--no-renames", "--diff-algorithm=myers", "--no-indent-heuristic"),
)


class Difference(NamedTuple):
    """One path that is not the same in both trees; a side that has no such file, link or gitlink is None."""

    path: str
    old: Entry | None
    new: Entry | None


def differences(objects: Objects, old_tree: str, new_tree: str) -> list[Difference]:
    """All that differs, in git's order, with every blob of it checked. Raises RepositoryError."""
    found: list[Difference] = []
    level: list[tuple[str, str | None, str | None]] = [("", old_tree, new_tree)] if old_tree != new_tree else []
    while level:
        objects.check(tree for _, *pair in level for tree in pair if tree)
        deeper: list[tuple[str, str | None, str | None]] = []
        for prefix, old_id, new_id in level:
            old, new = _by_kind(objects, old_id), _by_kind(objects, new_id)
            for key in old.keys() | new.keys():
                before, after = old.get(key), new.get(key)
                if before == after:
                    continue
                name, is_tree = key
                if is_tree:
                    deeper.append((f"{prefix}{name}/", before and before.id, after and after.id))
                else:
                    found.append(Difference(prefix + name, before, after))
        level = deeper
    sides = [side for difference in found for side in (difference.old, difference.new) if side is not None]
    objects.check(side.id for side in sides if side.mode != MODE_GITLINK)
    return sorted(found, key=lambda difference: os.fsencode(difference.path))


def raw_patch(repo: Repository, old_tree: str, new_tree: str) -> bytes:
    """Git's own list of what differs, and the patch; of a file in which git sees a NUL it only says that it differs."""
    return _diff_tree(repo, ["--raw", old_tree, new_tree])


def checked_patch(repo: Repository, output: bytes, expected: Sequence[Difference]) -> bytes:
    """The patch alone, if git's list is the expected one. Raises RepositoryError."""
    at = 0
    for difference in expected:
        fields_end = output.find(b"\0", at)
        path_end = output.find(b"\0", fields_end + 1)
        fields = output[at:fields_end].decode("ascii", "replace").split(" ")
        sides = (difference.old, difference.new)
        ids = [side.id if side else "0" * len(repo.empty_tree) for side in sides]
        if fields[2:4] != ids or os.fsdecode(output[fields_end + 1 : path_end]) != difference.path:
            raise _disagreement(repo, difference.path)
        at = path_end + 1
    if output[at : at + 1] != (b"\0" if expected else b""):
        raise _disagreement(repo, "the end of its list")
    return output[at + 1 :]


def text_patch(repo: Repository, old_tree: str, new_tree: str, paths: Sequence[str]) -> bytes:
    """The patch of these paths, and of what lies below them where a file took a folder's place; NUL or not."""
    return _diff_tree(repo, ["--text", old_tree, new_tree, "--", *paths])


def _diff_tree(repo: Repository, args: Sequence[str]) -> bytes:
    neutral = neutral_dir(repo.object_format)
    return git([*_DIFF, *map(os.fsencode, args)], git_dir=neutral, objects=repo.objects_dir)


def _by_kind(objects: Objects, tree: str | None) -> dict[tuple[str, bool], Entry]:
    return {(entry.name, entry.is_tree): entry for entry in objects.tree(tree)} if tree else {}


def _disagreement(repo: Repository, where: str) -> RepositoryError:
    return RepositoryError(
        f"git does not list the change as its trees have it (at {where}): run `git fsck` in {repo.root}."
    )
