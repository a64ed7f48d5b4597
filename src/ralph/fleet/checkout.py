"""Working copies of a worker's own: the files of one commit, written as they are in it, and nothing else.

Rules:

- A verification borrows a copy of its repository and gives it back. Before it, everything but Ralph's own folder goes:
  no file of an earlier job, ignored or not, can be seen by a later one. What Ralph recorded there stays: the evidence
  of all verifications in that copy is one chain, and a signed PASS of the same inputs is found again.
- A copy is locked by who uses it, and the kernel takes the lock away with the process.
- The copy of a run is the run's own, and stays as the run leaves it.
- HEAD names the commit and no branch; the objects lie in the mirror of the repository. When that goes, the copy keeps
  what its evidence names.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ralph.errors import StorageError
from ralph.fleet.home import Home
from ralph.system import files
from ralph.system.git import Repository, open_exactly
from ralph.system.git_door import git, neutral_config
from ralph.system.hold import remove, take_over

MOST_COPIES = 256
KEPT = (".git", ".ralph")
ALTERNATES, SHALLOW = "objects/info/alternates", "shallow"


@contextmanager
def borrowed(home: Home, repository: str, commit: str) -> Iterator[Repository]:
    """A copy that holds exactly the files of `commit`. Raises RalphError."""
    folder = home.copies(repository)
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(MOST_COPIES):
            if (held := take_over(folder / str(number))) is not None:
                break
        else:
            raise StorageError(f"All {MOST_COPIES} working copies in {folder} are in use: run fewer workers here.")
    try:
        yield placed(home, repository, commit, folder / str(number))
    finally:
        _emptied(folder / str(number))
        held.release()


def placed(home: Home, repository: str, commit: str, root: Path) -> Repository:
    """Make `root` hold exactly the files of `commit`. Raises RalphError."""
    mirror = home.mirror(repository)
    with files.writing(root):
        _emptied(root)
        _git_directory(root, mirror, commit)
    repo = open_exactly(root)
    _filled(repo, commit, root)
    git(["read-tree", commit], git_dir=repo.git_dir, work_tree=root)
    return repo


def set_free(root: Path) -> None:
    """Have a copy that nobody uses keep by itself what its evidence names, as its mirror is to go: the judged trees and
    those they were judged against, without the history before them. Raises RalphError."""
    place = root / ".git"
    parents = git(["for-each-ref", "--format=%(parent)"], git_dir=place).decode().split()
    with files.writing(root):
        (place / SHALLOW).write_text("".join(f"{each}\n" for each in sorted(set(parents))))
        (place / "HEAD").write_text("ref: refs/heads/none\n")
        (place / "index").unlink(missing_ok=True)
        git(["repack", "-a", "-d", "-q"], git_dir=place)
        (place / ALTERNATES).unlink(missing_ok=True)


def _filled(repo: Repository, commit: str, root: Path) -> None:
    """The files are written beside, as that wants an empty folder, and moved in."""
    beside = root.with_name(f"{root.name}.files")
    shutil.rmtree(beside, ignore_errors=True)
    repo.export(commit, beside)
    with files.writing(root):
        for entry in beside.iterdir():
            if entry.name in KEPT:
                raise StorageError(f"The commit {commit} holds {entry.name}, which is Ralph's own: it is not judged.")
            entry.rename(root / entry.name)
        beside.rmdir()


def _git_directory(root: Path, mirror: Path, commit: str) -> None:
    place = root / ".git"
    for folder in ("objects/info", "objects/pack", "refs", "info"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    (place / SHALLOW).unlink(missing_ok=True)
    (place / ALTERNATES).write_text(f"{mirror / 'objects'}\n")
    (place / "config").write_text(neutral_config("sha1", bare=False))
    (place / "HEAD").write_text(f"{commit}\n")


def _emptied(root: Path) -> None:
    if not root.is_dir():
        return
    for entry in root.iterdir():
        if entry.name in KEPT:
            continue
        if entry.is_dir() and not entry.is_symlink():
            remove(entry)
        else:
            entry.unlink(missing_ok=True)
