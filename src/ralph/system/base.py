"""The commit that a change is judged against, when no run has recorded one (design decision 4)."""

from __future__ import annotations

from ralph.system.git import Repository


def choose_base(repo: Repository, rev: str | None = None) -> str | None:
    """`rev`, else the merge-base of HEAD with the default branch, else HEAD; None in a repository without a commit.

    Raises RepositoryError for a revision that does not exist.
    """
    if rev is not None:
        return repo.resolve(rev)
    head = repo.head()
    if head is None:
        return None
    branch = repo.default_branch()
    if branch is None or branch[1] == head:
        return head
    return repo.merge_base(head, branch[1]) or head


def base_tree(repo: Repository, commit: str | None) -> str:
    """The tree of the base: the empty one where there is no commit."""
    return repo.empty_tree if commit is None else repo.tree_of(commit)
