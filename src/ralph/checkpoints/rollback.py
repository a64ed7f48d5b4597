"""Checkpoint and rollback: the way back to a kept state, on which nothing is lost (design decision 26).

Rules:

- First the present state is kept as `refs/ralph/rejected/<id>`: work tree, index, HEAD with the commits made since.
  Then `refs/ralph/rollback/now` is set: from here on the rollback is completed, by this process or, after a kill, by
  the next `recover`. Before it, nothing has changed.
- Then HEAD and its branch, the index and the `.gitignore` files become what they were; then every other file. What is
  ignored by the checkpoint's rules is not touched: not brought back, not removed. What was hidden by ignore rules that
  came after the checkpoint is kept in the rejected ref too, before it is removed.
- Other branches, tags and remotes stay as they are. A rollback can itself be rolled back: `rejected` is a kept state
  like any other.
- A nested repository is rolled back as a repository of its own; one that came after the checkpoint is moved aside to
  `.ralph/rejected/<id>/`, one that is gone is named as missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from ralph.checkpoints import gitstate, saved
from ralph.checkpoints.files import Mover
from ralph.checkpoints.model import Checkpoint, Kind, RolledBack
from ralph.checkpoints.trees import Item, write_tree
from ralph.errors import RepositoryError
from ralph.system import clock, files
from ralph.system.git import Repository, open_exactly
from ralph.system.git_diff import Difference, differences
from ralph.system.git_objects import MODE_GITLINK
from ralph.system.places import shadow_dir
from ralph.system.shadow import OWN_PATHS
from ralph.system.tree import Snapshot, snapshot

_LOCK_TIMEOUT_S = 60.0


def make(repo: Repository, name: str, *, now: datetime | None = None, taken: Snapshot | None = None) -> Checkpoint:
    """Keep the present state of the working copy. Raises RepositoryError if it cannot all be read.

    `taken` are files of a moment ago, for who knows that HEAD and the index, and what is nested, did not change since.
    """
    with _alone(repo):
        _recover(repo)
        return saved.save(repo, "checkpoints", name, now or clock.now(), taken=taken)


def rollback(repo: Repository, checkpoint: Checkpoint, *, now: datetime | None = None) -> RolledBack:
    """Bring the working copy back to `checkpoint`. Raises RepositoryError; a rollback that began can be resumed."""
    with _alone(repo):
        _recover(repo)
        return _roll_back(repo, checkpoint, now or clock.now())


def recover(repo: Repository) -> RolledBack | None:
    """Complete the rollback that a kill cut short; None if there is none. Every run begins with this."""
    with _alone(repo):
        return _recover(repo)


def find(repo: Repository, beginning: str) -> Checkpoint:
    """The kept state whose id is, or alone begins with, `beginning`; `last` is the newest checkpoint."""
    found = saved.kept(repo)
    if beginning == "last":
        found = [each for each in found if each.kind == "checkpoints"][-1:]
        matching = found
    else:
        exact = [each for each in found if each.id == beginning]
        matching = exact or [each for each in found if beginning and each.id.startswith(beginning)]
    if len(matching) == 1:
        return matching[0]
    what = f"{len(matching)} checkpoints begin with" if matching else "No checkpoint is called"
    raise RepositoryError(f"{what} {beginning!r}; `ralph rollback --list` shows those there are.")


def _roll_back(repo: Repository, checkpoint: Checkpoint, moment: datetime) -> RolledBack:
    gitstate.refuse_if_busy(repo)
    rejected = saved.save(repo, "rejected", f"before the rollback to {checkpoint.id}", moment, base=checkpoint.commit)
    facts = {"checkpoint": [checkpoint.kind, checkpoint.id], "rejected": rejected.id}
    repo.keep(_journal_ref(repo), rejected.tree, json.dumps(facts, sort_keys=True), [rejected.commit], moment)
    return _complete(repo, checkpoint, rejected)


def _recover(repo: Repository) -> RolledBack | None:
    facts = _journal(repo)
    if facts is None:
        return None
    gitstate.refuse_if_busy(repo)
    checkpoint, rejected = facts
    known = {saved.git_state(repo, each) for each in facts}
    if gitstate.save(repo) not in known or repo.head() not in {each.head_commit for each in facts}:
        saved.save(repo, "rejected", "before a rollback was completed", clock.now(), base=checkpoint.commit)
    return _complete(repo, checkpoint, _keep_also(repo, checkpoint, rejected, _tree(repo, checkpoint)))


def _journal(repo: Repository) -> tuple[Checkpoint, Checkpoint] | None:
    try:
        commit = repo.resolve(_journal_ref(repo))
    except RepositoryError:
        return None
    try:
        facts = json.loads(repo.objects.read(commit)[1].partition(b"\n\n")[2])
        kind, state_id = facts["checkpoint"]
        of_kind: Kind = "checkpoints" if kind == "checkpoints" else "rejected"
        return saved.read(repo, of_kind, state_id), saved.read(repo, "rejected", facts["rejected"])
    except (ValueError, KeyError, TypeError):
        raise RepositoryError(f"{_journal_ref(repo)} in {repo.root} was not written by Ralph: remove it.") from None


def _journal_ref(repo: Repository) -> str:
    return saved.ref_of(repo, "rollback", "now")


def _complete(repo: Repository, checkpoint: Checkpoint, rejected: Checkpoint) -> RolledBack:
    """Everything after the point of no return. Each step may have been done already."""
    mover = Mover(repo.root, repo.objects, saved.aside_folder(repo.root, rejected.id))
    gitstate.put_back(repo, saved.git_state(repo, checkpoint), checkpoint.head, checkpoint.head_commit)
    mover.apply(each for each in _changes(repo, rejected.tree, checkpoint) if _is_rule(each.path))
    present = _tree(repo, checkpoint)
    rejected = _keep_also(repo, checkpoint, rejected, present)
    changes = _changes(repo, present, checkpoint)
    missing = _nested(repo, mover, changes, checkpoint)
    mover.apply(changes)
    left = [each for each in _changes(repo, _tree(repo, checkpoint), checkpoint) if not _is_nested(each)]
    if left:
        raise RepositoryError(
            f"{left[0].path} in {repo.root} changed while it was rolled back: end what writes there and run "
            "`ralph rollback` again, it goes on where it stopped."
        )
    repo.drop(_journal_ref(repo))
    return RolledBack(
        checkpoint=checkpoint,
        rejected=rejected,
        changed=tuple(each.path for each in _changes(repo, rejected.tree, checkpoint)),
        head_moved=(rejected.head, rejected.head_commit) != (checkpoint.head, checkpoint.head_commit),
        moved_aside=tuple(mover.moved),
        missing=tuple(missing),
    )


def _tree(repo: Repository, checkpoint: Checkpoint) -> str:
    """The tree of the working copy now; the checkpoint's files belong to it whatever ignore rules say."""
    return snapshot(repo, shadow_dir(repo.root), base=checkpoint.commit).tree


def _changes(repo: Repository, tree: str, checkpoint: Checkpoint) -> list[Difference]:
    """What leads from `tree` to the checkpoint, but for Ralph's own files, which only go forward."""
    return [each for each in differences(repo.objects, tree, checkpoint.tree) if not _is_own(each.path)]


def _keep_also(repo: Repository, checkpoint: Checkpoint, rejected: Checkpoint, present: str) -> Checkpoint:
    """Add to the rejected state what is about to go and is in no kept tree: it was hidden, or came meanwhile."""
    extra = [
        Item(path, entry.mode, entry.id)
        for path, _, entry in differences(repo.objects, rejected.tree, present)
        if entry is not None and entry != repo.objects.find(checkpoint.tree, path)
    ]
    if not extra:
        return rejected
    return saved.extend(repo, rejected, write_tree(repo, extra, onto=rejected.tree), clock.now())


def _nested(repo: Repository, mover: Mover, changes: list[Difference], checkpoint: Checkpoint) -> list[str]:
    """Roll nested repositories back; the paths of those that are gone."""
    missing = []
    for path, old, new in filter(_is_nested, changes):
        if new is None or new.mode != MODE_GITLINK:
            mover.put_aside(path)
        elif (repo.root / path / ".git").exists() and old is not None and old.mode == MODE_GITLINK:
            inner = open_exactly(repo.root / path)
            if saved.has(inner, checkpoint.kind, checkpoint.id):
                rollback(inner, saved.read(inner, checkpoint.kind, checkpoint.id))
        elif path in checkpoint.nested:
            missing.append(path)
    return missing


def _is_nested(difference: Difference) -> bool:
    return any(side is not None and side.mode == MODE_GITLINK for side in (difference.old, difference.new))


def _is_own(path: str) -> bool:
    return path.startswith(OWN_PATHS[0]) or path in OWN_PATHS


def _is_rule(path: str) -> bool:
    return path.rpartition("/")[2] == ".gitignore"


@contextmanager
def _alone(repo: Repository) -> Iterator[None]:
    """One rollback or checkpoint of a working copy at a time. The lock lies where no agent can hold it."""
    with files.lock(shadow_dir(repo.root) / "rollback", timeout_s=_LOCK_TIMEOUT_S):
        yield
