"""Writing blobs and trees into a repository's object store, without its configuration and without its index."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from ralph.system.git import Repository
from ralph.system.git_door import git, neutral_dir
from ralph.system.scratch import scratch


class Item(NamedTuple):
    """One entry of a tree to be written."""

    path: str
    mode: str
    id: str


def write_blob(repo: Repository, content: bytes) -> str:
    args = ["hash-object", "-t", "blob", "-w", "--stdin"]
    neutral = neutral_dir(repo.object_format)
    return git(args, git_dir=neutral, objects=repo.objects_dir, stdin=content).decode("ascii").strip()


def write_tree(repo: Repository, items: Iterable[Item], *, onto: str | None = None) -> str:
    """The tree with these items in it, and everything of `onto` that is not in their way."""
    listed = os.fsencode("".join(f"{item.mode} {item.id}\t{item.path}\0" for item in items))
    neutral = neutral_dir(repo.object_format)
    with scratch("checkpoint") as folder:
        for args, stdin in (
            (["read-tree", onto or "--empty"], b""),
            (["update-index", "-z", "--replace", "--index-info"], listed),
            (["write-tree", "--missing-ok"], b""),
        ):
            output = git(
                args,
                git_dir=neutral,
                work_tree=folder,
                index=folder / "index",
                objects=repo.objects_dir,
                stdin=stdin,
            )
    return output.decode("ascii").strip()
