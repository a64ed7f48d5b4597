"""A policy set held against the past: what it would have said to the last changes that were merged (issue: proof).

Rules:

- The history is that of first parents: a merge is one change, as it was merged. Each is judged against its first
  parent; the first commit of a repository and commits without a difference are left out.
- Only the static rules speak: no tool runs, nothing is written, and the working copy does not count.
- A commit that cannot be judged is told, with the reason, and never counted as clean.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from ralph.errors import RalphError
from ralph.guardrails.change import read_change
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.policy.model import PolicySet
from ralph.record import record
from ralph.results import Finding
from ralph.system.git import Repository, open_exactly
from ralph.system.git_door import git

_FORMAT = "%H%x00%P%x00%cs%x00%s%x1e"


@record(kw_only=True)
class Commit:
    """`date` is the committer's, as YYYY-MM-DD. `parent` is the first one."""

    id: str
    parent: str
    date: str
    subject: str


@record(kw_only=True)
class Judged:
    """What the policy set says to one commit. `problem`: why it could not be judged."""

    commit: Commit
    lines_added: int = 0
    files_changed: int = 0
    findings: tuple[Finding, ...] = ()
    problem: str = ""

    @property
    def outcome(self) -> str:
        """blocked, review, clean, or unjudged."""
        if self.problem:
            return "unjudged"
        severities = {each.severity for each in self.findings}
        return "blocked" if "block" in severities else "review" if severities else "clean"


def commits(repo: Repository, last: int, rev: str = "HEAD") -> tuple[Commit, ...]:
    """The newest `last` commits with a parent on the line of first parents, newest first. Raises RepositoryError."""
    start = repo.resolve(rev)
    listed = git(["log", "--first-parent", "-z", f"--format={_FORMAT}", f"-n{last}", start, "--"], git_dir=repo.git_dir)
    found = []
    for row in os.fsdecode(listed).split("\x1e"):
        if fields := row.lstrip("\0").split("\0"):
            commit, parents, date, subject = (*fields, "", "", "", "")[:4]
            if parents:
                found.append(Commit(id=commit, parent=parents.split()[0], date=date, subject=subject))
    return tuple(found)


def replay(repo: Repository, policy: PolicySet, chosen: tuple[Commit, ...], *, jobs: int) -> Iterator[Judged]:
    """Judge each of them, in their order; several at once, in processes of their own."""
    judge = partial(_judged, repo.root, policy.version)
    if jobs == 1:
        yield from map(judge, chosen)
        return
    with ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(judge, chosen, chunksize=8)


_policy = cache(registry.load)


def _judged(root: Path, version: str, commit: Commit) -> Judged:
    try:
        repo, policy = open_exactly(root), _policy(version)
        change = read_change(repo, repo.tree_of(commit.parent), repo.tree_of(commit.id))
        findings = scan(change, policy)
    except RalphError as error:
        return Judged(commit=commit, problem=str(error))
    return Judged(
        commit=commit,
        lines_added=change.lines_added,
        files_changed=change.files_changed,
        findings=findings,
    )
