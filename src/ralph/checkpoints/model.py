"""The words of checkpoints as records (design decision 26)."""

from __future__ import annotations

from typing import Literal

from ralph.record import field, record

Kind = Literal["checkpoints", "rejected"]


@record(kw_only=True)
class Checkpoint:
    """A kept state: of `kind` "checkpoints" it was made on purpose, of "rejected" by a rollback, before it began.

    `commit` holds the working copy and has HEAD and the git state as parents (see `saved`). `head` is the branch's full
    ref name, or the commit of a detached HEAD; `head_commit` is None where there was no commit yet.
    """

    id: str
    kind: Kind
    name: str
    ref: str
    commit: str
    tree: str
    head: str
    head_commit: str | None
    nested: tuple[str, ...]
    """Nested repositories that have a state of the same id in their own refs."""
    made_at: str


@record(kw_only=True)
class RolledBack:
    """What a rollback did. `rejected` is the state before it; everything in it stays reachable by `rejected.ref`."""

    checkpoint: Checkpoint
    rejected: Checkpoint
    changed: tuple[str, ...]
    """Paths that are not what they were: written, removed, or brought back."""
    head_moved: bool
    """HEAD or its branch was put back; the commits made since are parents of `rejected`."""
    moved_aside: tuple[str, ...] = field(default=())
    """What stood in the way and is in no tree, with the place below `.ralph/rejected/` where it lies now."""
    missing: tuple[str, ...] = field(default=())
    """Nested repositories that are gone since: their files were never part of this repository's trees."""
