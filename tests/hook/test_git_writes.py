"""Git commands that change the repository: allowed by name or approved, they work, and git's settings stay closed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.loader import load
from ralph.permissions.model import RunCommand
from tests.hook.workshop import CLASSES, execute, governed, hooked, records, ticket
from tests.project import commit, git

NAMED = {
    "allow": ["git add", "git commit", "git switch", "git stash", "touch"],
    "deny": [],
    "packs": ["readonly-tools"],
}
ALL = {"approval": {"requiredFor": CLASSES, "requireReason": False}}
FILES = {"src/a": "a\n", "src/package-lock.json": "{}\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = governed(tmp_path / "project", FILES, commands=NAMED, **ALL)
    git(root, "config", "user.name", "Ann")
    git(root, "config", "user.email", "ann@localhost")
    return root


FACTS = {
    "reading": ("cat a | head -1", True, False),
    "reading with a redirect from a file": ("wc -l < src/a 2>/dev/null", True, False),
    "reading behind a wrapper": ("timeout 5 cat src/a", True, False),
    "both streams in one": ("cat src/a 2>&1", True, False),
    "git reading": ("git status && git log --oneline", True, False),
    "a file that is written": ("cat src/a > src/b", False, False),
    "a program that writes": ("touch src/b", False, False),
    "a program that nobody described": ("frobnicate", False, False),
    "git writing": ("git commit -m x", False, True),
    "git writing behind others": ("cat src/a && env git -C src add a", False, True),
    "git writing in a substitution": ("echo $(git add src/a)", False, True),
    "git only mentioned": ("touch src/git; cat git", False, False),
}


@pytest.mark.parametrize(("line", "only_reads", "writes_git"), FACTS.values(), ids=FACTS)
def test_a_decision_says_what_a_line_needs(project: Path, line: str, only_reads: bool, writes_git: bool) -> None:
    decision = decide(RunCommand(line), load(project / "ralph.policy.json"), here(project))
    assert (decision.only_reads, decision.writes_git) == (only_reads, writes_git)


def test_a_commit_that_the_policy_allows_by_name(project: Path) -> None:
    done = hooked(project, "touch src/new && git add src/new && git commit -q -m 'by name'")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert git(project, "log", "-1", "--format=%s %an") == "by name Ann"
    assert git(project, "status", "--short", "src") == ""
    assert records(project, "policy_violation") == []
    assert records(project, "command_run")[0]["rule"].startswith(("files.allowWrite", "commands.allow"))


def test_the_persons_own_name_stands_in_it_where_the_repository_has_none(project: Path) -> None:
    git(project, "config", "--unset", "user.name")
    Path(os.environ["HOME"], ".gitconfig").write_text("[user]\n\tname = Bea\n\temail = bea@localhost\n")
    assert hooked(project, "git commit -q --allow-empty -m x").returncode == 0
    assert git(project, "log", "-1", "--format=%an %ae %cn") == "Bea ann@localhost Bea"


def test_what_git_switches_is_no_violation(project: Path) -> None:
    git(project, "switch", "-q", "-c", "other")
    commit(project, {"src/package-lock.json": '{"a": 1}\n', "src/other": "x\n"})
    for branch in ("main", "other"):
        done = hooked(project, f"git switch -q {branch}")
        assert (done.returncode, done.stderr) == (0, "")


def test_what_git_stashes_is_no_violation(project: Path) -> None:
    (project / "src" / "package-lock.json").write_text('{"a": 1}\n')
    (project / "src" / "staged").write_text("staged\n")
    git(project, "add", "src/staged")
    done = hooked(project, "git stash -q")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (project / "src" / "staged").exists()


def test_what_a_hook_of_git_deletes_is_one(project: Path) -> None:
    hook = project / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nrm -f src/untracked\n")
    hook.chmod(0o755)
    (project / "src" / "untracked").write_text("work\n")
    done = hooked(project, "git commit -q --allow-empty -m x")
    assert done.returncode == 2
    assert "src/untracked" in done.stderr


def test_an_approved_one_runs_after_a_checkpoint(project: Path) -> None:
    (project / "src" / "a").write_text("changed\n")
    done = execute(ticket(project, "git checkout -- src/a", "destructive_ops", writes_git=True))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert (project / "src" / "a").read_text() == "a\n"
    (kept,) = git(project, "for-each-ref", "--format=%(refname)", "refs/ralph/checkpoints").splitlines()
    assert git(project, "show", f"{kept}:src/a") == "changed"


@pytest.mark.parametrize(
    "attempt",
    [
        "echo x > .git/hooks/pre-commit",
        "echo x >> .git/config",
        "mkdir .git/config.worktree; echo x > .git/config.worktree",
        "echo x > .git/info/attributes",
        "mkdir -p .git/modules/a && echo x > .git/modules/a/config",
        "mv .git/hooks .git/old; mkdir .git/hooks",
        "mv .git .git2",
    ],
)
def test_what_makes_git_run_programs_stays_closed_to_it(project: Path, attempt: str) -> None:
    (project / ".git" / "hooks" / "pre-commit").unlink(missing_ok=True)
    config = (project / ".git" / "config").read_bytes()
    done = execute(ticket(project, f"{attempt}; echo x > .git/made", "destructive_ops", writes_git=True))
    assert (project / ".git" / "made").exists(), done.stdout
    assert not (project / ".git" / "hooks" / "pre-commit").exists()
    assert not (project / ".git" / "modules" / "a").exists()
    assert (project / ".git" / "config").read_bytes() == config
    assert not (project / ".git" / "config.worktree").exists()


def test_a_file_that_leads_git_to_other_settings_is_moved_away(project: Path) -> None:
    """`.git/commondir`: git would read its settings from the folder that it names."""
    done = execute(ticket(project, "echo ../src > .git/commondir", "destructive_ops", writes_git=True))
    assert done.returncode == 2
    assert ".git/commondir" in done.stderr
    assert not (project / ".git" / "commondir").exists()
    assert git(project, "status", "--short", "src") == ""
    assert records(project, "policy_violation")[0]["closed"] == [".git/commondir"]


def test_ralphs_refs_stay(project: Path) -> None:
    attempt = "rm -r .git/refs/ralph; for r in $(git for-each-ref refs/ralph --format='%(refname)')"
    attempt += "; do git update-ref -d $r; done"
    execute(ticket(project, attempt, "destructive_ops", writes_git=True))
    assert len(git(project, "for-each-ref", "refs/ralph/checkpoints").splitlines()) == 1


def test_packed_refs_of_ralphs_that_vanish_are_a_violation(project: Path) -> None:
    git(project, "update-ref", "refs/ralph/runs/one", "HEAD")
    git(project, "pack-refs", "--all")
    done = execute(ticket(project, "sed -i /ralph/d .git/packed-refs", "destructive_ops", writes_git=True))
    assert done.returncode == 2
    assert "refs/ralph/runs/one" in done.stderr


def test_in_a_linked_worktree(project: Path, tmp_path: Path) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "linked"))
    from ralph.context.trust import accept

    linked = tmp_path / "linked"
    accept(linked, ["ralph.policy.json"])
    done = hooked(linked, "touch src/new && git add src/new && git commit -q -m linked")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert git(linked, "log", "-1", "--format=%s") == "linked"


def test_a_program_that_calls_git_gets_no_git_folder(project: Path) -> None:
    done = execute(ticket(project, "sh -c 'git commit -q --allow-empty -m x'"))
    assert done.returncode != 0
    assert git(project, "log", "-1", "--format=%s") == "first"
