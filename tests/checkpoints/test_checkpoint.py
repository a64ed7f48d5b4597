"""A checkpoint keeps everything and changes nothing; a rollback brings everything back and loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.checkpoints import saved
from ralph.checkpoints.rollback import find, make, recover, rollback
from ralph.errors import RepositoryError
from ralph.system.git import Repository, open_repository
from tests.checkpoints.workplace import files, staged, tree, untouched
from tests.system.repositories import commit, git, trap, write
from tests.system.repositories import make as repository

FILES = {"a.txt": "one\n", "src/b.py": "b = 1\n", ".gitignore": "*.log\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """Committed files, staged and unstaged changes, an untracked file and an ignored one."""
    repo = repository(tmp_path / "repo", FILES)
    write(repo.root, {"a.txt": "staged\n"})
    git(repo.root, "add", "a.txt")
    write(repo.root, {"a.txt": "unstaged\n", "notes/ü \n.txt": "untracked\n", "debug.log": "ignored\n"})
    (repo.root / "link").symlink_to("/etc/passwd")
    (repo.root / "run.sh").write_text("echo\n")
    (repo.root / "run.sh").chmod(0o755)
    return repo


def test_a_checkpoint_holds_all_but_what_is_ignored(repo: Repository) -> None:
    kept = make(repo, "before the turn")
    expected = files(repo.root)
    del expected["debug.log"]
    assert tree(repo, kept.commit) == expected
    assert (kept.name, kept.head, kept.head_commit) == ("before the turn", "refs/heads/main", repo.head())
    assert saved.kept(repo) == [kept] == [find(repo, "last")] == [find(repo, kept.id[:18])]


def test_making_one_changes_nothing_and_runs_nothing(repo: Repository, tmp_path: Path) -> None:
    program, mark = trap(tmp_path)
    for hook in ("post-commit", "pre-commit", "reference-transaction", "post-index-change"):
        (repo.git_dir / "hooks").mkdir(exist_ok=True)
        (repo.git_dir / "hooks" / hook).symlink_to(program)
    git(repo.root, "config", "core.fsmonitor", str(program))
    git(repo.root, "config", "filter.x.clean", str(program))
    mark.unlink(missing_ok=True)
    write(repo.root, {".gitattributes": "* filter=x text eol=crlf\n"})
    before = untouched(repo.root)
    kept = make(repo, "quiet")
    write(repo.root, {"a.txt": "agent\n"})
    rollback(repo, kept)
    assert not mark.exists()
    for name in ("hooks", "config"):
        (repo.git_dir / name).rename(repo.git_dir / f"{name}.off")
    git(repo.root, "config", "core.bare", "false")
    assert untouched(repo.root) == before


def test_rollback_returns_everything(repo: Repository) -> None:
    before, index = files(repo.root), (repo.git_dir / "index").read_bytes()
    kept = make(repo, "before")
    write(repo.root, {"a.txt": "agent\n", "new/deep/x.py": "x\n", "debug.log": "changed\n", "made.log": "new\n"})
    (repo.root / "run.sh").chmod(0o644)
    (repo.root / "link").unlink()
    (repo.root / "link").mkdir()
    write(repo.root, {"link/inside": "x"})
    git(repo.root, "rm", "-q", "--cached", "src/b.py")
    (repo.root / "src" / "b.py").unlink()
    (repo.root / "src").rmdir()
    (repo.root / "src").symlink_to("notes")
    agents, agent_index = files(repo.root), staged(repo.root)

    result = rollback(repo, kept)

    expected = before | {"debug.log": ("file", b"changed\n"), "made.log": ("file", b"new\n")}
    assert files(repo.root) == expected
    assert not (repo.root / "new").exists()
    assert (repo.git_dir / "index").read_bytes() == index
    assert "new/deep/x.py" in result.changed
    rejected = tree(repo, result.rejected.ref)
    assert rejected == {path: each for path, each in agents.items() if not path.endswith(".log")}
    rollback(repo, result.rejected)
    assert files(repo.root) == agents
    assert staged(repo.root) == agent_index


def test_commits_made_since_leave_the_branch_and_stay_reachable(repo: Repository) -> None:
    first, before = repo.head(), untouched(repo.root)
    kept = make(repo, "before")
    theirs = commit(repo.root, "agent's work")
    git(repo.root, "checkout", "-q", "-b", "elsewhere")
    further = commit(repo.root, "more")
    result = rollback(repo, kept)
    assert result.head_moved
    assert (repo.head(), repo.branch()) == (first, "main")
    assert untouched(repo.root)[:3] == before[:3]
    assert git(repo.root, "rev-parse", "elsewhere") == further
    git(repo.root, "branch", "-D", "elsewhere")
    git(repo.root, "merge-base", "--is-ancestor", theirs, result.rejected.ref)
    assert git(repo.root, "rev-parse", f"{result.rejected.ref}^1") == further


def test_a_detached_head_returns(repo: Repository) -> None:
    git(repo.root, "checkout", "-q", "--detach")
    kept = make(repo, "detached")
    git(repo.root, "checkout", "-q", "main")
    rollback(repo, kept)
    assert (repo.branch(), repo.head()) == (None, kept.head)


def test_a_repository_without_commits(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    write(repo.root, {"a.txt": "one\n"})
    kept = make(repo, "nothing yet")
    commit(repo.root)
    write(repo.root, {"a.txt": "two\n"})
    assert rollback(repo, kept).head_moved
    assert repo.head() is None
    assert not (repo.git_dir / "index").exists()
    assert files(repo.root) == {"a.txt": ("file", b"one\n")}


def test_what_new_ignore_rules_hide_is_kept_and_rolled_back(repo: Repository) -> None:
    """The rules hide new work, changed work, and themselves."""
    kept = make(repo, "before")
    before = files(repo.root)
    rules = "evil.py\na.txt\n.gitignore\n"
    write(repo.root, {"notes/evil.py": "evil\n", "a.txt": "agent\n", ".gitignore": rules})
    git(repo.root, "rm", "-q", "-f", "--cached", "a.txt", ".gitignore")
    git(repo.root, "commit", "-q", "-m", "hidden")
    result = rollback(repo, kept)
    assert files(repo.root) == before
    rejected = tree(repo, result.rejected.ref)
    assert rejected["notes/evil.py"] == ("file", b"evil\n")
    assert rejected["a.txt"] == ("file", b"agent\n")
    assert rejected[".gitignore"] == ("file", rules.encode())


def test_a_folder_that_ignores_itself_stays(repo: Repository) -> None:
    """As the caches of tools do."""
    kept = make(repo, "before")
    write(repo.root, {"cache/x": "x\n", "cache/.gitignore": "*\n"})
    before = files(repo.root)
    rollback(repo, kept)
    assert files(repo.root) == before


def test_what_was_ignored_stays_also_when_the_rule_is_gone(repo: Repository) -> None:
    kept = make(repo, "before")
    before = files(repo.root)
    write(repo.root, {".gitignore": ""})
    git(repo.root, "add", "--all")
    commit(repo.root)
    rollback(repo, kept)
    assert files(repo.root) == before


def test_ignored_files_in_the_way_are_moved_aside(repo: Repository) -> None:
    kept = make(repo, "before")
    before = files(repo.root)
    (repo.root / "a.txt").unlink()
    write(repo.root, {"a.txt/cache.log": "ignored", "a.txt/x.py": "agent's"})
    os.mkfifo(repo.root / "pipe")
    (repo.root / "run.sh").unlink()
    os.mkfifo(repo.root / "run.sh")
    result = rollback(repo, kept)
    assert files(repo.root) == before
    aside = saved.aside_folder(repo.root, result.rejected.id)
    assert (aside / "a.txt" / "cache.log").read_text() == "ignored"
    assert (aside / "run.sh").is_fifo()
    assert len(result.moved_aside) == 2


def test_nothing_is_written_through_a_planted_link(repo: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"b.py": "precious\n", "ü \n.txt": "precious\n"})
    kept = make(repo, "before")
    before = files(repo.root)
    for name in ("src", "notes"):
        (repo.root / name).rename(tmp_path / f"moved-{name}")
        (repo.root / name).symlink_to(outside)
    rollback(repo, kept)
    assert files(repo.root) == before
    assert {name: content for name, (_, content) in files(outside).items()} == {
        "b.py": b"precious\n",
        "ü \n.txt": b"precious\n",
    }


def test_conflicts_and_a_merge_under_way_return(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"a": "1\n"})
    git(repo.root, "checkout", "-q", "-b", "other")
    write(repo.root, {"a": "2\n"})
    commit(repo.root)
    git(repo.root, "checkout", "-q", "main")
    write(repo.root, {"a": "3\n"})
    commit(repo.root)
    with pytest.raises(Exception, match="merge"):
        git(repo.root, "merge", "-q", "other")
    merging, before = git(repo.root, "rev-parse", "MERGE_HEAD"), staged(repo.root)
    kept = make(repo, "in a merge")
    git(repo.root, "merge", "--abort")
    result = rollback(repo, kept)
    assert (git(repo.root, "rev-parse", "MERGE_HEAD"), staged(repo.root)) == (merging, before)
    rollback(repo, result.rejected)
    assert not (repo.git_dir / "MERGE_HEAD").exists()


def test_a_nested_repository_is_rolled_back_in_itself(repo: Repository) -> None:
    inner = repository(repo.root / "vendor" / "inner", {"i.txt": "one\n"})
    write(inner.root, {"i.txt": "uncommitted\n", "u.txt": "untracked\n"})
    kept = make(repo, "with a nested one")
    before, head = files(repo.root), inner.head()
    write(inner.root, {"i.txt": "agent\n", "more.txt": "agent\n"})
    commit(inner.root)
    made = repository(repo.root / "cloned", {"c.txt": "one\n"})
    secret = commit(made.root)
    result = rollback(repo, kept)
    assert files(repo.root) == before
    assert inner.head() == head
    aside = saved.aside_folder(repo.root, result.rejected.id) / "cloned"
    assert open_repository(aside).head() == secret
    assert result.missing == ()


def test_linked_worktrees_do_not_meet(repo: Repository, tmp_path: Path) -> None:
    """They share their refs: neither sees the other's states, also when one lies inside the other."""
    for place in (tmp_path / "linked", repo.root / "inside"):
        git(repo.root, "worktree", "add", "--quiet", "--detach", str(place))
        linked = open_repository(place)
        write(linked.root, {"only.txt": "linked\n"})
        kept, theirs = make(repo, "main"), make(linked, "linked")
        assert (find(repo, "last"), find(linked, "last")) == (kept, theirs)
        before = files(repo.root)
        write(repo.root, {"a.txt": "agent\n"})
        write(linked.root, {"only.txt": "agent\n"})
        rollback(repo, kept)
        rollback(linked, theirs)
        assert files(repo.root) == before
        assert (linked.root / "only.txt").read_text() == "linked\n"


def test_a_nested_repository_that_is_gone_is_named(repo: Repository) -> None:
    repository(repo.root / "inner", {"i.txt": "one\n"})
    kept = make(repo, "before")
    (repo.root / "inner").rename(repo.root.parent / "taken")
    assert rollback(repo, kept).missing == ("inner",)


def test_ralphs_own_files_only_go_forward(repo: Repository) -> None:
    """Also where somebody has committed them."""
    write(repo.root, {"state/learning.jsonl": "one\n", ".ralph/x": "one\n"})
    git(repo.root, "add", "--force", "state", ".ralph")
    commit(repo.root)
    kept = make(repo, "before")
    write(repo.root, {"state/learning.jsonl": "one\ntwo\n", ".ralph/x": "two\n"})
    rollback(repo, kept)
    assert (repo.root / "state/learning.jsonl").read_text() == "one\ntwo\n"
    assert (repo.root / ".ralph/x").read_text() == "two\n"


def test_a_private_file_stays_private(repo: Repository) -> None:
    (repo.root / "a.txt").chmod(0o600)
    kept = make(repo, "before")
    write(repo.root, {"a.txt": "agent\n"})
    rollback(repo, kept)
    assert (repo.root / "a.txt").stat().st_mode & 0o777 == 0o600


def test_a_large_file_returns(repo: Repository) -> None:
    content = os.urandom(1 << 20) * 24
    (repo.root / "large.bin").write_bytes(content)
    kept = make(repo, "before")
    (repo.root / "large.bin").write_bytes(b"")
    rollback(repo, kept)
    assert (repo.root / "large.bin").read_bytes() == content


def test_refused_with_one_sentence(repo: Repository) -> None:
    kept = make(repo, "before")
    with pytest.raises(RepositoryError, match="No checkpoint is called 'nope'"):
        find(repo, "nope")
    (repo.git_dir / "index.lock").touch()
    write(repo.root, {"a.txt": "agent\n"})
    with pytest.raises(RepositoryError, match=r"index\.lock exists"):
        rollback(repo, kept)
    assert (repo.root / "a.txt").read_text() == "agent\n"
    assert recover(repo) is None
