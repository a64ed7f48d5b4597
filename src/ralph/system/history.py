"""What people read of a repository's history: commit subjects, a patch; and making a new repository."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from ralph.system.git import Repository, open_repository
from ralph.system.git_door import ask, git, neutral_config, neutral_dir
from ralph.system.tree import snapshot

MOST_SUBJECTS = 50


def subjects(repo: Repository, base: str | None, head: str | None) -> list[str]:
    """Subjects of the commits from `base` to `head`, newest first."""
    if base is None or head is None or base == head:
        return []
    args = [
        "log",
        f"--max-count={MOST_SUBJECTS}",
        "--no-color",
        "--no-show-signature",
        "-z",
        "--format=%s",
        f"{base}..{head}",
    ]
    answer = ask(args, git_dir=repo.git_dir)
    return [] if answer.code else [os.fsdecode(line) for line in answer.stdout.split(b"\0") if line]


def patch(repo: Repository, old_tree: str, new_tree: str) -> bytes:
    """The change between two trees as a patch for people; binary files are named, not shown."""
    args = ["diff-tree", "-r", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", old_tree, new_tree]
    return git(args, git_dir=neutral_dir(repo.object_format), objects=repo.objects_dir)


def git_version() -> str:
    """The version of git, as it says it. Raises MissingToolError or RepositoryError."""
    return os.fsdecode(git(["version"], git_dir=neutral_dir("sha1"))).removeprefix("git version ").strip()


def create_repository(root: Path, message: str, moment: datetime, shadow_dir: Path) -> str:
    """Make `root` a repository whose first commit holds every file in it. Gives the commit."""
    git_dir = root / ".git"
    for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        (git_dir / folder).mkdir(parents=True)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    (git_dir / "config").write_text(neutral_config("sha1", bare=False))
    repo = open_repository(root)
    commit = repo.keep("refs/ralph/first", snapshot(repo, shadow_dir).tree, message, (), moment)
    git(["update-ref", "refs/heads/main", commit], git_dir=git_dir)
    repo.drop("refs/ralph/first")
    git(["read-tree", commit], git_dir=git_dir, work_tree=root)
    return commit
