"""A repository as a user has it, looked at from outside: files, index, refs."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ralph.system.git import Repository
from tests.system.repositories import git

State = dict[str, tuple[str, bytes]]

HIDDEN = (".git", ".ralph")


def files(root: Path, *, hidden: tuple[str, ...] = HIDDEN) -> State:
    """Every file and link below `root`: its kind (with the executable bit) and content."""
    found: State = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in hidden]
        for name in names + [each for each in folders if Path(folder, each).is_symlink()]:
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                found[os.path.relpath(path, root)] = ("link", os.fsencode(path.readlink()))
            elif stat.S_ISREG(mode):
                kind = "program" if mode & 0o100 else "file"
                found[os.path.relpath(path, root)] = (kind, path.read_bytes())
    return found


def tree(repo: Repository, commit: str) -> State:
    """The same of a commit's tree."""
    kinds = {"100644": "file", "100755": "program", "120000": "link"}
    return {
        path: (kinds[entry.mode], repo.objects.blob(entry.id))
        for path, entry in repo.objects.walk(repo.tree_of(repo.resolve(commit)))
        if entry.mode in kinds
    }


def staged(root: Path) -> str:
    return git(root, "ls-files", "--stage")


def untouched(root: Path) -> tuple[State, bytes, str, str]:
    """What making a checkpoint must not change: files, index, HEAD, branches and tags."""
    index = root / ".git" / "index"
    return (
        files(root),
        index.read_bytes() if index.exists() else b"",
        (root / ".git" / "HEAD").read_text(),
        git(root, "for-each-ref", "refs/heads", "refs/tags"),
    )
