"""What lies in a working copy, as git sees it through the shadow directory: the lists from which a tree is made."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.record import record
from ralph.system.files import reason
from ralph.system.git import Repository
from ralph.system.git_door import ask, git
from ralph.system.git_objects import MODE_GITLINK
from ralph.system.shadow import OWN_PATHS, Shadow


@record
class Listing:
    """Files that are tracked or that nothing ignores; gitlinks with the id recorded for them, "" if untracked."""

    files: frozenset[str]
    gitlinks: Mapping[str, str]


def refuse_sparse(repo: Repository) -> None:
    """Raises RepositoryError if files may be absent without having been deleted."""
    if not (repo.git_dir / "info" / "sparse-checkout").exists():
        return
    answer = ask(["config", "--type=bool", "--get", "core.sparseCheckout"], git_dir=repo.git_dir)
    if answer.stdout.strip() == b"true" or answer.code not in (0, 1):
        raise RepositoryError(
            f"{repo.root} is a sparse checkout, where absent files cannot be told from deleted ones: "
            "run `git sparse-checkout disable` first."
        )


def listed(shadow: Shadow) -> Listing:
    """The listing; a tracked submodule whose place holds files but no repository is taken as those files."""
    listing = _list(shadow)
    abandoned = [path for path, recorded in listing.gitlinks.items() if recorded and _is_filled(shadow, path)]
    if not abandoned:
        return listing
    edit(shadow, removed=abandoned, gitlinks={})
    return _list(shadow)


def ignored(shadow: Shadow) -> frozenset[str]:
    """What the tree's `.gitignore` files hide; a directory that they hide as a whole is one entry."""
    output = shadow.git(["ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard"])
    found = sorted(path for path in _paths(output) if not _is_own(path))
    # Git also names directories that merely hold nothing else than ignored files, each before its content.
    holders = {path for path, following in pairwise(found) if path.endswith("/") and following.startswith(path)}
    return frozenset(found) - holders


def also_tracked(repo: Repository, head: str | None, base: str | None) -> frozenset[str]:
    """Paths that the user's index or the base tracks, whatever HEAD and `.gitignore` say."""
    known = set(_paths(git(["ls-files", "-z", "--cached"], git_dir=repo.git_dir, work_tree=repo.root)))
    if base and (head is None or repo.tree_of(base) != repo.tree_of(head)):
        known |= repo.paths(base)
    return frozenset(known)


def unwatched(repo: Repository) -> tuple[str, ...]:
    """Paths that the user's index marks as assume-unchanged or skip-worktree, so that `git status` and `git diff` are
    silent about them."""
    output = git(["ls-files", "-z", "-v", "--cached"], git_dir=repo.git_dir, work_tree=repo.root)
    return tuple(line[2:] for line in _paths(output) if line[0].islower() or line[0] == "S")


def files_among(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Those paths where a file or a symbolic link stands."""
    return frozenset(path for path in paths if _is_file(root / path))


def special(root: Path, pruned: Collection[str]) -> list[str]:
    """Pipes, sockets and devices below `root`, but for the directories in `pruned` (which end with `/`)."""
    found, folders = [], [""]
    try:
        while folders:
            folder = folders.pop()
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        continue
                    path = folder + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git" and f"{path}/" not in pruned:
                            folders.append(f"{path}/")
                    elif not entry.is_symlink():
                        found.append(path)
    except OSError as error:
        raise RepositoryError(
            f"The files of {root} cannot all be read: {reason(error)} ({os.fsdecode(error.filename)})."
        ) from None
    return found


def reachable(root: Path, paths: Iterable[str], nested: Iterable[str]) -> tuple[list[str], list[str]]:
    """Paths that lead through directories of this working copy, sorted; and those that lead through a symbolic link
    or into a nested repository."""
    inside: list[str] = []
    beyond: list[str] = []
    leaves: dict[str, bool] = {"": False} | dict.fromkeys(nested, True)

    def is_left(folder: str) -> bool:
        if folder not in leaves:
            leaves[folder] = is_left(folder.rpartition("/")[0]) or (root / folder).is_symlink()
        return leaves[folder]

    for path in sorted(paths):  # git must drop a tracked file before it takes what is in the folder of that name
        (beyond if is_left(path.rpartition("/")[0]) else inside).append(path)
    return inside, beyond


def edit(shadow: Shadow, *, removed: Iterable[str], gitlinks: Mapping[str, str]) -> None:
    """Take entries out of the index and put gitlinks into it."""
    absent = "0" * len(shadow.repo.empty_tree)
    lines = [f"0 {absent}\t{path}" for path in removed]
    lines += [f"{MODE_GITLINK} {link}\t{path}" for path, link in gitlinks.items()]
    if lines:
        shadow.git(["update-index", "-z", "--index-info"], stdin=b"".join(os.fsencode(each) + b"\0" for each in lines))


def _list(shadow: Shadow) -> Listing:
    output = shadow.git(["ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard"])
    lines = _paths(output)
    tracked = [line[2:].partition("\t") for line in lines if not line.startswith("? ")]
    untracked = [line[2:] for line in lines if line.startswith("? ")]
    gitlinks = {path.rstrip("/"): "" for path in untracked if path.endswith("/")}
    for fields, _, path in tracked:
        if fields.startswith(MODE_GITLINK) and (shadow.repo.root / path).is_dir():
            gitlinks[path] = fields.split(" ")[1]
    files = {path for _, _, path in tracked}
    files.update(path for path in untracked if not path.endswith("/") and not _is_own(path))
    return Listing(frozenset(files - gitlinks.keys()), gitlinks)


def _is_filled(shadow: Shadow, path: str) -> bool:
    names = {entry.name for entry in (shadow.repo.root / path).iterdir()}
    return bool(names) and ".git" not in names


def _is_file(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _is_own(path: str) -> bool:
    return path.startswith(OWN_PATHS[0]) or path in OWN_PATHS


def _paths(output: bytes) -> list[str]:
    return os.fsdecode(output).split("\0")[:-1]
