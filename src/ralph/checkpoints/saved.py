"""Making and reading kept states: commits below `refs/ralph/checkpoints/` and `refs/ralph/rejected/` (decision 26).

A kept state is a commit whose tree is the working copy, byte for byte, with untracked files (see `system.tree`); its
last parent is a commit of the index and the marks of an operation, the one before it HEAD's commit, if there is one.
Where HEAD stood is in the message. Making one changes no file, no index and no branch, and runs no hook. A nested
repository whose working copy is there gets a checkpoint of the same id in its own refs. Linked worktrees share their
refs, so a linked one adds a mark of its own to its refs' names, and each sees only its own states.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ralph.checkpoints import gitstate
from ralph.checkpoints.model import Checkpoint, Kind
from ralph.errors import RepositoryError
from ralph.system import clock
from ralph.system.clock import rfc3339
from ralph.system.git import Repository, open_exactly
from ralph.system.git_door import ask
from ralph.system.places import shadow_dir
from ralph.system.tree import Snapshot, snapshot

_FIELDS = {"kind", "name", "head", "head_commit", "nested", "made_at"}


def save(
    repo: Repository,
    kind: Kind,
    name: str,
    moment: datetime,
    *,
    base: str | None = None,
    taken: Snapshot | None = None,
) -> Checkpoint:
    """Keep the present state, of this repository and of those nested in it, under one new id."""
    state_id = _free(repo, clock.run_id(moment, repo.head()))
    return _save(repo, kind, name, moment, state_id, taken or snapshot(repo, shadow_dir(repo.root), base=base))


def _save(repo: Repository, kind: Kind, name: str, moment: datetime, state_id: str, taken: Snapshot) -> Checkpoint:
    head, commit = gitstate.head_of(repo), repo.head()
    state = gitstate.save(repo)
    inside = _nested(repo, taken.gitlinks)
    for path in inside:
        inner = open_exactly(repo.root / path)
        _save(inner, kind, name, moment, state_id, snapshot(inner, shadow_dir(inner.root)))
    facts = {
        "kind": kind,
        "name": name,
        "head": head,
        "head_commit": commit,
        "nested": inside,
        "made_at": rfc3339(moment),
    }
    ref = ref_of(repo, kind, state_id)
    before = [commit] if commit else []
    aside = repo.commit(state, "Index and operation", before, moment)
    repo.keep(ref, taken.tree, json.dumps(facts, sort_keys=True), [*before, aside], moment)
    return read(repo, kind, state_id)


def extend(repo: Repository, state: Checkpoint, tree: str, moment: datetime) -> Checkpoint:
    """Let a kept state hold `tree` instead; what it held before stays reachable through it."""
    _, content = repo.objects.read(state.commit)
    message = content.partition(b"\n\n")[2].decode("ascii")
    *before, aside = _parents(content)
    repo.keep(state.ref, tree, message, [*before, state.commit, aside], moment)
    return read(repo, state.kind, state.id)


def read(repo: Repository, kind: Kind, state_id: str) -> Checkpoint:
    """A kept state. Raises RepositoryError if there is none, or the ref leads to something else."""
    ref = ref_of(repo, kind, state_id)
    commit = repo.resolve(ref)
    _, content = repo.objects.read(commit)
    try:
        facts = json.loads(content.partition(b"\n\n")[2])
        if facts.keys() != _FIELDS or facts.pop("kind") != kind:
            raise ValueError("other fields")
        facts["nested"] = tuple(facts["nested"])
        return Checkpoint(id=state_id, kind=kind, ref=ref, commit=commit, tree=repo.tree_of(commit), **facts)
    except (ValueError, AttributeError, TypeError):
        raise RepositoryError(f"{ref} in {repo.root} is no checkpoint of Ralph's: remove the ref.") from None


def git_state(repo: Repository, checkpoint: Checkpoint) -> str:
    """The tree that holds the index and the marks of `checkpoint`."""
    _, content = repo.objects.read(checkpoint.commit)
    return repo.tree_of(_parents(content)[-1])


def kept(repo: Repository) -> list[Checkpoint]:
    """Every kept state, oldest first. A ref that leads to none is left out."""
    answer = ask(["for-each-ref", "--format=%(refname)", "refs/ralph/checkpoints", "refs/ralph/rejected"],
                 git_dir=repo.git_dir)  # fmt: skip
    found = []
    for ref in os.fsdecode(answer.stdout).split():
        kind: Kind = "rejected" if ref.startswith("refs/ralph/rejected/") else "checkpoints"
        state_id = ref.rpartition("/")[2].partition(".")[0]
        if ref == ref_of(repo, kind, state_id):
            with suppress(RepositoryError):
                found.append(read(repo, kind, state_id))
    return sorted(found, key=lambda each: (each.made_at, each.id))


def has(repo: Repository, kind: Kind, state_id: str) -> bool:
    return ask(["rev-parse", "--quiet", "--verify", ref_of(repo, kind, state_id)], git_dir=repo.git_dir).code == 0


def ref_of(repo: Repository, kind: str, state_id: str) -> str:
    """The name of a ref that this working copy shares with no other."""
    worktree = os.path.relpath(repo.git_dir, repo.common_dir)
    mark = "" if worktree == "." else f".{hashlib.sha256(os.fsencode(worktree)).hexdigest()[:12]}"
    return f"refs/ralph/{kind}/{state_id}{mark}"


def _nested(repo: Repository, gitlinks: tuple[str, ...]) -> list[str]:
    """The gitlinks of this repository itself where a repository lies; what is nested in those is theirs."""
    own = [path for path in gitlinks if not any(path.startswith(f"{other}/") for other in gitlinks)]
    return [path for path in own if os.path.lexists(repo.root / path / ".git")]


def _free(repo: Repository, state_id: str) -> str:
    number, candidate = 1, state_id
    while has(repo, "checkpoints", candidate) or has(repo, "rejected", candidate):
        number += 1
        candidate = f"{state_id}-{number}"
    return candidate


def aside_folder(root: Path, rejected: str) -> Path:
    """Where a rollback puts what it must not delete and cannot keep in a tree."""
    return root / ".ralph" / "rejected" / rejected


def _parents(commit: bytes) -> list[str]:
    header = commit.partition(b"\n\n")[0].decode("ascii", "replace")
    return [line.removeprefix("parent ") for line in header.split("\n") if line.startswith("parent ")]
