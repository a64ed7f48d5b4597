"""What a command really did: the project before it against the project after it (issue: classification from effects).

Rules (research: commands and sandbox, B.4; design decisions 24 and 26):

- What belongs to a class that the policy asks about, and no approval covers, is a violation: files that are gone or
  empty, dependencies that changed, paths of production. New and changed files, files made and removed by the command
  itself, ignored ones and files that were moved are not.
- What the kernel kept closed was not changed by the command, so nobody looks for it. Where it was open (git's folder
  for a git command, everything without bubblewrap), git's settings and hooks, the refs and what governs Ralph are
  compared as well. A git command may move HEAD and refs, but none of Ralph's; what it changed in the tree to what
  HEAD has now, and had before or in the stash, is git's doing and lost to nobody.
- An approval that was used meanwhile, or of a command that runs beside this one, covers what it is for.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from ralph.checkpoints.model import Checkpoint
from ralph.hook.tickets import Ticket
from ralph.permissions.effects import Effects, effects_between
from ralph.permissions.model import ApprovalClass, Permissions
from ralph.permissions.sandbox.model import Level
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.git_diff import differences
from ralph.system.git_door import ask, git
from ralph.system.places import shadow_dir
from ralph.system.tree import Snapshot, snapshot

_OBEYED = ("config", "config.worktree", "commondir", "hooks/**/*", "info/attributes", "modules/*/config")
"""Of git's folder: what says which programs git runs. Ralph itself writes `info/exclude`."""
_OWN_REFS = "refs/ralph/"


@record(kw_only=True)
class Before:
    """What stood there before a command. `git` is None where the kernel keeps git's folder closed."""

    repo: Repository
    began: datetime
    taken: Snapshot
    git: Mapping[str, str] | None
    head: tuple[str | None, str | None]
    checkpoint: Checkpoint | None = None


@record(kw_only=True)
class Found:
    """What nobody approved: paths by class, and places that are closed to agents."""

    classes: Mapping[ApprovalClass, tuple[str, ...]]
    closed: tuple[str, ...] = ()
    head_moved: bool = False
    """HEAD moved although git's folder was closed to the command: somebody else worked there at the same time."""

    def __bool__(self) -> bool:
        return bool(self.classes or self.closed)


def look(repo: Repository, ticket: Ticket, level: Level, began: datetime) -> Before:
    """The state before a command. Raises RepositoryError if it cannot be read: then nothing can be compared."""
    taken = snapshot(repo, shadow_dir(repo.root))
    is_open = ticket.writes_git or level is not Level.BUBBLEWRAP
    checkpoint = None
    if ticket.writes_git or ticket.classes or level is Level.NONE or taken.gitlinks:
        from ralph.checkpoints.rollback import make

        checkpoint = make(repo, f"before {ticket.command}"[:200], now=began, taken=None if taken.gitlinks else taken)
    state = git_state(repo) if is_open else None
    return Before(repo=repo, began=began, taken=taken, git=state, head=_head(repo), checkpoint=checkpoint)


def compare(before: Before, ticket: Ticket, permissions: Permissions, covered: Collection[str]) -> Found:
    """What changed since that nobody approved; `covered` are classes. Raises RepositoryError."""
    repo = before.repo
    after = snapshot(repo, shadow_dir(repo.root), base=before.taken.tree)
    moved = _head(repo) != before.head and not ticket.writes_git
    closed: tuple[str, ...] = ()
    classes: Mapping[ApprovalClass, tuple[str, ...]] = {}
    if before.git is not None:
        closed = tuple(_meddled(before.git, git_state(repo), writes_git=ticket.writes_git))
    if after.tree != before.taken.tree:
        skipped = frozenset(_by_git(before, after.tree)) if ticket.writes_git else frozenset[str]()
        effects = effects_between(repo, before.taken.tree, after.tree, permissions, skipped=skipped)
        classes = uncovered(effects, permissions, covered)
        closed += effects.governing if before.git is not None else ()
    return Found(classes=classes, closed=closed, head_moved=moved)


def disarm(before: Before, aside: Path) -> tuple[str, ...]:
    """Move files out of git's folder that are new there and would tell git what to run; their names."""
    if before.git is None:
        return ()
    new = [name for name, _ in _obeyed(before.repo) if f".git/{name}" not in before.git]
    for name in new:
        place = aside / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (before.repo.common_dir / name).rename(place)
    return tuple(f".git/{name}" for name in new)


def uncovered(
    effects: Effects, permissions: Permissions, covered: Collection[str]
) -> Mapping[ApprovalClass, tuple[str, ...]]:
    """The effects, by class, that the policy asks about and no approval covers."""
    found = {}
    for name, paths in effects.by_class.items():
        named = effects.by_policy.get(name, ())
        kept = tuple(
            path
            for path in paths
            if name is not ApprovalClass.DESTRUCTIVE or path in named or path not in effects.moved
        )
        if kept and name in permissions.approval.required_for and name not in covered:
            found[name] = kept
    return found


def _by_git(before: Before, after: str) -> Iterator[str]:
    """The paths that a git command brought to what HEAD has, and whose former content git has as well."""
    repo, (_, commit), now = before.repo, before.head, before.repo.head()
    stash = ask(["rev-parse", "--quiet", "--verify", "refs/stash"], git_dir=repo.git_dir).stdout.decode("ascii").strip()
    trees = [repo.tree_of(each) for each in (commit, stash) if each]
    head = repo.tree_of(now) if now else repo.empty_tree
    objects = repo.objects
    for path, old, new in differences(objects, before.taken.tree, after):
        is_kept = old is None or any(objects.find(tree, path) == old for tree in trees)
        if is_kept and objects.find(head, path) == new:
            yield path


def git_state(repo: Repository) -> dict[str, str]:
    """What git obeys and where its refs stand: names to what tells one state from another."""
    listed = os.fsdecode(git(["for-each-ref", "--format=%(refname) %(objectname)"], git_dir=repo.git_dir))
    state = dict(line.split(" ", 1) for line in listed.splitlines())
    state["HEAD"] = " ".join(str(each) for each in _head(repo))
    return state | {f".git/{name}": digest for name, digest in _obeyed(repo)}


def _obeyed(repo: Repository) -> Iterator[tuple[str, str]]:
    for folder in dict.fromkeys((repo.common_dir, repo.git_dir)):
        for pattern in _OBEYED:
            for path in folder.glob(pattern):
                if path.is_symlink():
                    yield str(path.relative_to(repo.common_dir)), f"-> {path.readlink()}"
                elif path.is_file():
                    yield str(path.relative_to(repo.common_dir)), _digest(path)


def _digest(path: Path) -> str:
    status = path.stat()
    return f"{status.st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _meddled(before: Mapping[str, str], after: Mapping[str, str], *, writes_git: bool) -> Iterator[str]:
    """The names that changed and should not have."""
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        is_ref = name == "HEAD" or name.startswith("refs/")
        is_made_by_ralph = name.startswith(_OWN_REFS) and name not in before
        is_git_s_own = writes_git and is_ref and not name.startswith(_OWN_REFS)
        if not is_made_by_ralph and not is_git_s_own:
            yield name


def _head(repo: Repository) -> tuple[str | None, str | None]:
    return repo.branch(), repo.head()
