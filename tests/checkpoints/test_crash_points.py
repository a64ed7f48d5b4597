"""Killed before each single thing that a rollback changes: the next start finds the state before, or completes it."""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
import shutil
import signal
import sys
from itertools import count
from pathlib import Path

import pytest

from ralph.checkpoints import saved
from ralph.checkpoints.rollback import find, make, recover, rollback
from ralph.system.git import open_repository
from tests.checkpoints.workplace import files, staged, tree
from tests.system.repositories import commit, git, write
from tests.system.repositories import make as repository

SHARDS = 3


def counts(event: str, details: tuple[object, ...]) -> bool:
    """Whether this changes something below the repository, or a ref of it."""
    if event == "subprocess.Popen":
        return any(word in str(details[1]) for word in ("update-ref", "symbolic-ref"))
    changes = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.symlink", "os.link"}
    return event in changes and "/ralph-" not in str(details[0])


def roll_back_until(root: Path, environ: dict[str, str], fatal: int) -> None:
    """In the child: roll back, and die before the change with the number `fatal`."""
    os.environ.update(environ)
    repo = open_repository(root)
    kept = find(repo, "last")
    numbers = count()

    def watch(event: str, details: tuple[object, ...]) -> None:
        if counts(event, details) and next(numbers) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    rollback(repo, kept)


@pytest.fixture
def children() -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ralph.checkpoints.rollback", "tests.checkpoints.workplace"])
    multiprocessing.forkserver.ensure_running()
    return context


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A checkpoint, and an agent's work after it: commits, staged and hidden files, links, a folder for a file."""
    root = tmp_path / "origin"
    repo = repository(root, {"a": "one\n", "b": "one\n", ".gitignore": "*.log\n", "d/x": "x\n"})
    write(root, {"a": "user\n", "u": "untracked\n"})
    git(root, "add", "a")
    make(repo, "before")
    write(root, {"a": "agent\n"})
    commit(root)
    git(root, "checkout", "-q", "-b", "agents")
    (root / "b").unlink()
    write(root, {".gitignore": "hidden\n", "hidden": "hidden\n", "b/c": "new\n", "b/d.log": "in the way\n"})
    (root / "d" / "x").unlink()
    (root / "d" / "x").symlink_to("../a")
    git(root, "add", "d")
    return root


@pytest.mark.parametrize("shard", range(SHARDS))
def test_killed_before_every_change(
    children: multiprocessing.context.ForkServerContext, workplace: Path, tmp_path: Path, shard: int
) -> None:
    root = tmp_path / "repo"
    for fatal in count(shard, SHARDS):
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(workplace, root, symlinks=True)
        before = (files(root), staged(root), git(root, "rev-parse", "HEAD"))
        child = children.Process(target=roll_back_until, args=(root, dict(os.environ), fatal))
        child.start()
        child.join()
        assert child.exitcode in (0, -signal.SIGKILL)
        repo = open_repository(root)
        kept = find(repo, "last")
        finished = recover(repo)
        if finished is None and child.exitcode and (files(root), staged(root)) == before[:2]:
            assert git(root, "rev-parse", "HEAD") == before[2]
            continue
        assert tree(repo, kept.commit).items() <= files(root).items(), fatal
        assert files(root).keys() == tree(repo, kept.commit).keys(), fatal
        assert (repo.branch(), repo.head()) == ("main", kept.head_commit)
        (rejected, *_) = [each for each in saved.kept(repo) if each.kind == "rejected"]
        held = tree(repo, rejected.ref) | files(saved.aside_folder(root, rejected.id), hidden=())
        assert held.items() >= before[0].items() - {(".gitignore", before[0][".gitignore"])}, fatal
        assert not list(root.glob(".ralph-*.tmp"))
        if child.exitcode == 0:
            break
    assert fatal > 25


@pytest.mark.parametrize("fatal", [16, 20, 25])
def test_what_a_person_does_between_kill_and_recovery_is_kept(
    children: multiprocessing.context.ForkServerContext, workplace: Path, fatal: int
) -> None:
    child = children.Process(target=roll_back_until, args=(workplace, dict(os.environ), fatal))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    write(workplace, {"a": "staged by a person\n"})
    git(workplace, "add", "a")
    write(workplace, {"a": "a person's\n", ".gitignore": "a person's\n", "p": "a person's\n"})
    blob = git(workplace, "rev-parse", ":a")
    repo = open_repository(workplace)
    assert recover(repo) is not None
    assert files(workplace).keys() == tree(repo, find(repo, "last").commit).keys()
    rejected = [tree(repo, each.ref) for each in saved.kept(repo) if each.kind == "rejected"]
    for path in ("a", ".gitignore", "p"):
        assert ("file", b"a person's\n") in [state.get(path) for state in rejected], path
    git(workplace, "update-ref", "-d", "HEAD")
    assert blob in git(workplace, "rev-list", "--objects", "--glob=refs/ralph/")
