"""What a repository knows beside its files: where HEAD stands, the index, and an operation under way.

Rules (design decision 26):

- Saving reads only. The index is kept byte for byte, with every flag and conflict in it, and beside it a tree of its
  entries, so that no staged content is ever collected as garbage.
- Putting back writes HEAD, the branch that HEAD stood on, the index and the marks of an operation (a merge, a
  cherry-pick, a revert); each is replaced as a whole, and only if it differs. Other branches and tags stay as they are.
- No hook, filter or setting of the repository takes part.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ralph.checkpoints.trees import Item, write_blob, write_tree
from ralph.errors import RepositoryError
from ralph.system import files
from ralph.system.git import Repository
from ralph.system.git_door import ask, git

MARKS = ("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG")
"""Files in the git directory that say which operation is under way."""
_INDEX = "index"
_FILE = "100644"


def head_of(repo: Repository) -> str:
    """The full name of the branch HEAD is on, else the commit it stands for."""
    branch = repo.branch()
    if branch is not None:
        return f"refs/heads/{branch}"
    head = repo.head()
    if head is None:
        raise RepositoryError(f"HEAD of {repo.root} is neither on a branch nor at a commit: run `git checkout`.")
    return head


def save(repo: Repository) -> str:
    """The tree that holds index and marks."""
    items = _staged(repo)
    for name in (_INDEX, *MARKS):
        with suppress(FileNotFoundError):
            items.append(Item(name, _FILE, write_blob(repo, files.read_bytes(repo.git_dir / name))))
    write_blob(repo, b"")  # what is only intended to be added is listed as an empty file, which may not exist
    return write_tree(repo, items)


def refuse_if_busy(repo: Repository) -> None:
    """Raises RepositoryError while git itself is changing the index or HEAD."""
    for name in ("index.lock", "HEAD.lock"):
        if os.path.lexists(repo.git_dir / name):
            raise RepositoryError(
                f"{repo.git_dir / name} exists: wait for the git command that runs there, or remove it if none does."
            )


def put_back(repo: Repository, tree: str, head: str, head_commit: str | None) -> bool:
    """Make index, marks and HEAD what they were. True if HEAD or its branch had moved. May be called again."""
    for torn in repo.git_dir.glob(".*.tmp"):  # of an earlier attempt that was killed
        torn.unlink(missing_ok=True)
    kept = {entry.name: entry.id for entry in repo.objects.tree(tree) if entry.is_file}
    for name in (_INDEX, *MARKS):
        _replace(repo.git_dir / name, repo.objects.blob(kept[name]) if name in kept else None)
    return _put_head_back(repo, head, head_commit)


def _put_head_back(repo: Repository, head: str, head_commit: str | None) -> bool:
    branch, commit = repo.branch(), repo.head()
    if (commit, commit if branch is None else f"refs/heads/{branch}") == (head_commit, head):
        return False
    if not head.startswith("refs/"):
        _change(repo, "update-ref", "--no-deref", "HEAD", head)
        return True
    if head_commit is None:
        _change(repo, "update-ref", "--no-deref", "-d", head)
    else:
        _change(repo, "update-ref", "--no-deref", head, head_commit)
    _change(repo, "symbolic-ref", "HEAD", head)
    return True


def _change(repo: Repository, *args: str) -> None:
    answer = ask(args, git_dir=repo.git_dir)
    if answer.code:
        raise RepositoryError(f"HEAD of {repo.root} cannot be put back: {answer.complaint()}.")


def _staged(repo: Repository) -> list[Item]:
    """Every entry of the user's index, below a folder for its stage."""
    output = git(["ls-files", "-z", "--stage"], git_dir=repo.git_dir, work_tree=repo.root)
    found = []
    for line in os.fsdecode(output).split("\0")[:-1]:
        fields, _, path = line.partition("\t")
        mode, object_id, stage = fields.split(" ")
        found.append(Item(f"stage-{stage}/{path}", mode, object_id))
    return found


def _replace(path: Path, content: bytes | None) -> None:
    try:
        if files.read_bytes(path) == content:
            return
    except FileNotFoundError:
        if content is None:
            return
    if content is None:
        path.unlink()
    else:
        files.atomic_write(path, content)
