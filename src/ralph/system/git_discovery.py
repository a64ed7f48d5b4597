"""Finding the repository that a directory lies in, without running git (design decision 4).

The rules are git's own: the first directory upwards that holds `.git`, a directory or a file `gitdir: <path>`; in a
linked worktree `commondir` leads to what the worktrees share. Settings do not count: `core.worktree` and `core.bare`
are text in a file that an agent may write. What cannot be judged is said in one sentence.
"""

from __future__ import annotations

import os
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.record import record
from ralph.system.git_door import ask


@record
class Place:
    root: Path
    git_dir: Path
    common_dir: Path
    object_format: str


def discover(path: Path) -> Place:
    """The repository that `path` lies in. Raises RepositoryError."""
    start = _directory(path)
    for folder in (start, *start.parents):
        if folder.name == ".git" and _is_git_dir(folder):
            raise RepositoryError(f"{path} lies inside a git directory: go to the working copy beside {folder}.")
        if (folder / ".git").exists() or (folder / ".git").is_symlink():
            return at(folder)
        if _is_git_dir(folder):
            raise RepositoryError(f"{folder} is a bare repository: Ralph judges working copies; clone it first.")
    raise RepositoryError(
        f"{path} is not in a git repository: run `git init` there, or name another directory with -C."
    )


def at(root: Path) -> Place:
    """The repository whose working copy is exactly `root`. Raises RepositoryError."""
    try:
        git_dir = _git_dir(root / ".git")
        common = git_dir / "commondir"
        common_dir = Path(os.path.normpath(git_dir / _line(common))) if common.is_file() else git_dir
    except (OSError, ValueError) as error:
        raise RepositoryError(f"{root / '.git'} cannot be read: {error}.") from None
    if (not (git_dir / "HEAD").exists() and not (git_dir / "HEAD").is_symlink()) or not _is_git_dir(common_dir):
        raise RepositoryError(f"{root / '.git'} is damaged: {git_dir} is not a git directory.")
    return Place(root, git_dir, common_dir, _object_format(common_dir))


def _directory(path: Path) -> Path:
    try:
        found = path.resolve(strict=True)
        if found.is_dir():
            next(found.iterdir(), None)
            return found
    except (OSError, ValueError, RuntimeError) as error:
        raise RepositoryError(f"The directory {path} cannot be read: {getattr(error, 'strerror', error)}.") from None
    raise RepositoryError(f"{path} is not a directory.")


def _git_dir(entry: Path) -> Path:
    if entry.is_dir():
        return entry.resolve()
    if not entry.is_file():
        raise ValueError("it is neither a directory nor a file")
    content = _line(entry)
    if not content.startswith("gitdir: "):
        raise ValueError("it is a file that does not begin with `gitdir: `")
    return (entry.parent / content.removeprefix("gitdir: ")).resolve()


def _line(path: Path) -> str:
    return os.fsdecode(path.read_bytes()).rstrip("\r\n")


def _is_git_dir(folder: Path) -> bool:
    return (folder / "objects").is_dir() and (folder / "refs").is_dir() and (folder / "HEAD").exists()


def _object_format(common_dir: Path) -> str:
    """Only a repository whose configuration speaks of it can be anything but sha1; then git is asked."""
    if not (common_dir / "config").is_file():  # a pipe would be waited for forever
        raise RepositoryError(f"{common_dir / 'config'} is missing or no plain file: restore it.")
    try:
        if b"objectformat" not in (common_dir / "config").read_bytes().lower():
            return "sha1"
    except OSError as error:
        raise RepositoryError(f"{common_dir / 'config'} cannot be read: {error.strerror}.") from None
    answer = ask(["rev-parse", "--show-object-format"], git_dir=common_dir)
    found = answer.stdout.decode("ascii", "replace").strip()
    if answer.code or found not in ("sha1", "sha256"):
        raise RepositoryError(f"The object format of {common_dir} is not one that Ralph knows: {answer.complaint()}.")
    return found
