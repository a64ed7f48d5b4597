"""The tree of the working copy: what is judged (design decisions 2, 4, 5).

The tree holds, byte for byte, every file on disk that is tracked in HEAD, in the user's index or in the base, and every
other file that the tree's own `.gitignore` files do not ignore. It depends on nothing else:

- Not on what hides a change from git: skip-worktree and assume-unchanged bits, fsmonitor, `.git/info/exclude`,
  `core.excludesFile`, filters, line-end, encoding and ident attributes, `core.fileMode`, set-back times. Git runs
  with a directory and an index of our own (see `shadow`).
- Ignored files are those that `.gitignore` files in the tree ignore, and no others. They are not part of the tree;
  `Snapshot.ignored` lists them, so that a rule can object to an ignored source or configuration file.
- A nested repository (a submodule, or a clone that lies about) is a gitlink. Its id is its HEAD if its working copy
  is exactly that, else the tree of its working copy, so that an edit in it changes the tree. A submodule that is not
  checked out stays as HEAD has it; one that has files but no repository is taken as files.
- Pipes, sockets and devices have no place in a tree: `Snapshot.special` lists them.
- Skip-worktree and assume-unchanged bits hide nothing from the tree; `Snapshot.unwatched` lists who has them.
- The contents of directories named `.git` are never part of a tree, as in git.
- A sparse checkout is refused: what is absent there cannot be told from what was deleted.

What cannot be read is an error, never left out. The user's index, refs and files are not touched; new blobs go into the
repository's object database, so that a ref can keep the tree.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.record import record
from ralph.system import working_copy
from ralph.system.git import Repository, open_exactly
from ralph.system.git_door import GitTimeoutError
from ralph.system.shadow import Shadow, opened
from ralph.system.together import together
from ralph.system.working_copy import Listing

_DEEPEST = 8
"""Repositories nested in one another beyond this are refused rather than followed."""


@record(kw_only=True)
class Snapshot:
    """A tree, and what stands in the working copy beside it. Paths are text with surrogates, sorted."""

    tree: str
    gitlinks: tuple[str, ...]
    """Nested repositories and submodules."""
    ignored: tuple[str, ...]
    """What `.gitignore` files hide; a directory that is hidden as a whole ends with `/`."""
    special: tuple[str, ...] = ()
    """Pipes, sockets and devices."""
    unwatched: tuple[str, ...] = ()
    """Files that the user's index tells git not to look at."""


def snapshot(repo: Repository, shadow_dir: Path, *, base: str | None = None) -> Snapshot:
    """Take the tree of the working copy.

    `shadow_dir` keeps git's index between calls; it must lie outside the repository, where no agent can write.
    Files of `base` (a tree or commit) count as tracked even if a later commit untracked and ignored them.
    Raises RepositoryError if anything cannot be read, or is being written at the same time.
    """
    try:
        return _snapshot(repo, shadow_dir, base, depth=0, warm=True)
    except GitTimeoutError:
        raise
    except RepositoryError:
        # A file that vanished meanwhile, or an index that lost its objects to `git gc`: once more, from nothing.
        return _snapshot(repo, shadow_dir, base, depth=0, warm=False)


def _snapshot(repo: Repository, shadow_dir: Path, base: str | None, *, depth: int, warm: bool) -> Snapshot:
    if depth > _DEEPEST:
        raise RepositoryError(f"{repo.root} is a repository nested {depth} deep in others: remove some of them.")
    working_copy.refuse_sparse(repo)
    with opened(repo, shadow_dir, warm=warm) as shadow:
        return _take(shadow, base, depth, warm)


def _take(shadow: Shadow, base: str | None, depth: int, warm: bool) -> Snapshot:
    repo = shadow.repo
    head = repo.head()
    # Unchecked, because it only tells which paths are tracked: every file is hashed, or known from its last hash.
    shadow.git(["read-tree", "-i", "-m", f"{head}^{{tree}}"] if head else ["read-tree", "--empty"])
    with together() as others:
        hidden = others.start(working_copy.ignored, shadow)
        known = others.start(working_copy.also_tracked, repo, head, base)
        unwatched = others.start(working_copy.unwatched, repo)
        listing = working_copy.listed(shadow)
        nested = _nested(shadow, listing, depth, warm)
        ignored = hidden.result()
        files = listing.files | working_copy.files_among(repo.root, known.result() - listing.files)
        tree = others.start(_write, shadow, files, nested)
        special = working_copy.special(repo.root, ignored | {f"{path}/" for path in nested})
        beside = Snapshot(
            tree="",
            gitlinks=tuple(nested),
            ignored=tuple(ignored),
            special=tuple(special),
            unwatched=unwatched.result(),
        )
        return _merged(
            tree.result(), [("", beside), *((f"{path}/", each) for path, (_, each) in nested.items() if each)]
        )


def _nested(shadow: Shadow, listing: Listing, depth: int, warm: bool) -> dict[str, tuple[str, Snapshot | None]]:
    """Every gitlink with the id it gets, and the snapshot of its working copy if it has one."""
    found: dict[str, tuple[str, Snapshot | None]] = {}
    for path, recorded in listing.gitlinks.items():
        if recorded and not os.path.lexists(shadow.repo.root / path / ".git"):
            found[path] = (recorded, None)  # a submodule that is not checked out
            continue
        repo = open_exactly(shadow.repo.root / path)
        if repo.object_format != shadow.repo.object_format:
            raise RepositoryError(f"{repo.root} is nested, but has another object format than {shadow.repo.root}.")
        own = shadow.directory / "nested" / hashlib.sha256(os.fsencode(path)).hexdigest()
        inner = _snapshot(repo, own, None, depth=depth + 1, warm=warm)
        head = repo.head()
        found[path] = (head if head and repo.tree_of(head) == inner.tree else inner.tree, inner)
    return found


def _write(shadow: Shadow, files: frozenset[str], nested: Mapping[str, tuple[str, Snapshot | None]]) -> str:
    """Bring the index up to date with the working copy, and write its tree."""
    inside, beyond = working_copy.reachable(shadow.repo.root, files - nested.keys(), nested)
    working_copy.edit(shadow, removed=beyond, gitlinks={path: link for path, (link, _) in nested.items()})
    shadow.git(
        ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"],
        stdin=os.fsencode("".join(f"{path}\0" for path in inside)),
    )
    return shadow.git(["write-tree"]).decode("ascii").strip()


def _merged(tree: str, parts: list[tuple[str, Snapshot]]) -> Snapshot:
    def all_of(name: str) -> tuple[str, ...]:
        return tuple(sorted(prefix + path for prefix, part in parts for path in getattr(part, name)))

    return Snapshot(
        tree=tree,
        gitlinks=all_of("gitlinks"),
        ignored=all_of("ignored"),
        special=all_of("special"),
        unwatched=all_of("unwatched"),
    )
