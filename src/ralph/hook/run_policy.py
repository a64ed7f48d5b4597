"""Which policy counts in a run: decided once, at its start, and kept with it (design decisions 5 and 34).

The repository's own, as `governed` finds it; in a repository that has none, the starter policy that `ralph init` would
propose for what the project shows. A policy that is broken, or that nobody committed or accepted, is an error here as
it is everywhere: an agent may have written it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ralph.errors import ConfigError
from ralph.hook import governed
from ralph.hook.court import POLICY
from ralph.permissions.loader import POLICY_FILE, parse
from ralph.permissions.model import Permissions
from ralph.record import record
from ralph.system import files

STARTER = "Ralph's starter policy"


@record(kw_only=True)
class RunPolicy:
    """`document` is what is kept, `permissions` what it says, `told` which policy that is, for people."""

    document: bytes
    permissions: Permissions
    told: str


def policy_of_run(root: Path) -> RunPolicy:
    """The policy for a run that begins now in the project at `root`. Raises RalphError."""
    found = governed.document(root)
    if found is not None:
        data, source = found
        return RunPolicy(document=data, permissions=parse(data, source), told=f"The policy is {source}.")
    if os.path.lexists(root / POLICY_FILE):
        raise ConfigError(
            f"{POLICY_FILE} is there, but no person committed or accepted it: commit it, or accept it with "
            "`ralph init --accept`."
        )
    data = _starter(root)
    told = f"There is no {POLICY_FILE}, so Ralph's starter policy counts in this run; `ralph init` writes it down."
    return RunPolicy(document=data, permissions=parse(data, STARTER), told=told)


def keep(run: Path, policy: RunPolicy) -> None:
    """Put the policy into the run's folder, where its courts look for it. Raises StorageError."""
    files.atomic_write(run / POLICY, policy.document)


def kept(run: Path, digest: str, source: str) -> Permissions:
    """The policy of a run that goes on. Raises StorageError if it is not the one that the run began with."""
    permissions = parse(files.read_bytes(run / POLICY), source)
    if permissions.digest != digest:
        raise ConfigError(f"{run / POLICY} is not the policy that this run began with: begin a new run.")
    return permissions


def _starter(root: Path) -> bytes:
    """For what the last commit shows: an agent's work of an earlier run does not count. Before the first one, for all
    that is there."""
    from ralph.context.detect import detect
    from ralph.permissions.starter import starter, text_of
    from ralph.system.git import open_repository
    from ralph.system.places import shadow_dir
    from ralph.system.tree import snapshot

    repo = open_repository(root)
    head = repo.head()
    tree = repo.tree_of(head) if head else snapshot(repo, shadow_dir(repo.root)).tree
    paths = repo.paths(tree)
    detected = detect(repo.root.name or "project", paths, lambda name: repo.read(tree, name))
    return text_of(starter(paths, lambda name: repo.read(tree, name), detected)).encode()
