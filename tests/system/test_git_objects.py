"""Objects are what their names say, or an error: the object store belongs to whoever can write `.git`."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from ralph.errors import RepositoryError
from ralph.system.git import open_repository
from ralph.system.git_door import GitTimeoutError
from ralph.system.git_objects import Objects
from tests.system.repositories import commit, forge, git, make, write


def test_a_forged_blob_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "true\n"})
    blob = git(tmp_path, "rev-parse", "HEAD:a")
    forge(repo, blob, "blob", b"false\n")
    assert git(tmp_path, "cat-file", "blob", blob) == "false"  # git itself believes it
    with pytest.raises(RepositoryError, match="not what its name says"):
        repo.read(repo.head() or "", "a")


@pytest.mark.parametrize(("kind", "suffix"), [("commit", ""), ("tree", "^{tree}")])
def test_a_forged_commit_or_tree_is_refused(tmp_path: Path, kind: str, suffix: str) -> None:
    repo = make(tmp_path, {"a": "a"})
    good = git(tmp_path, "rev-parse", f"HEAD{suffix}")
    write(tmp_path, {"a": "b"})
    _, content = repo.objects.read(git(tmp_path, "rev-parse", f"{commit(tmp_path)}{suffix}"))
    forge(repo, good, kind, content)
    with pytest.raises(RepositoryError, match="not what its name says"):
        repo.paths(good)


def test_a_replace_ref_replaces_nothing(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "old", "b": "new"})
    git(tmp_path, "replace", git(tmp_path, "rev-parse", "HEAD:a"), git(tmp_path, "rev-parse", "HEAD:b"))
    assert repo.read(repo.head() or "", "a") == b"old"


def test_a_missing_object_is_told(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "a"})
    blob = git(tmp_path, "rev-parse", "HEAD:a")
    (repo.objects_dir / blob[:2] / blob[2:]).unlink()
    with pytest.raises(RepositoryError, match=f"{blob} is missing"):
        repo.read(repo.head() or "", "a")


def test_a_pipe_in_place_of_an_object_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "a", "b": "b"})
    blob, other = git(tmp_path, "rev-parse", "HEAD:a", "HEAD:b").split("\n")
    path = repo.objects_dir / blob[:2] / blob[2:]
    path.unlink()
    os.mkfifo(path)
    objects = Objects(repo.objects_dir, "sha1", timeout_s=0.3)
    for ids in ([blob], [other, blob]):
        with pytest.raises(GitTimeoutError, match="named pipe"):
            objects.check(ids)
    assert objects.blob(other) == b"b"


def test_reading_goes_on_after_an_error_and_after_the_process_was_killed(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "a", "b": "b"})
    with pytest.raises(RepositoryError):
        repo.objects.read("0" * 40)
    assert repo.read(repo.head() or "", "a") == b"a"
    process = repo.objects._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert repo.read(repo.head() or "", "b") == b"b"


def test_many_and_large_objects(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"d{n % 40}/f{n}": f"{n}\n" for n in range(1200)}
    files["large"] = os.urandom(5 << 20)
    repo = make(tmp_path, files)
    head = repo.head() or ""
    entries = {path: entry.id for path, entry in repo.objects.walk(repo.tree_of(head))}
    repo.objects.check(entries.values())
    assert all(repo.read(head, path) == (c.encode() if isinstance(c, str) else c) for path, c in files.items())
    large = entries["large"]
    fresh = open_repository(tmp_path).objects
    assert fresh.beginning(large, 100) == bytes(files["large"][:100])  # type: ignore[arg-type]


def test_threads_may_share_a_repository(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{n}": f"{n}\n" for n in range(200)}
    repo = make(tmp_path, files)
    head = repo.head() or ""
    wrong: list[str] = []

    def read() -> None:
        wrong.extend(path for path, content in files.items() if repo.read(head, path) != str(content).encode())

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_is_left_running(tmp_path: Path) -> None:
    repo = make(tmp_path, {"a": "a"})
    repo.read(repo.head() or "", "a")
    process = repo.objects._process
    assert process is not None
    del repo
    assert process.poll() is not None


def test_a_fork_asks_a_git_of_its_own(tmp_path: Path) -> None:
    """What one process asks, no other is answered; and the end of a fork ends nobody else's git."""
    names = [f"file{number}" for number in range(60)]
    repo = make(tmp_path, {name: name * 1000 for name in names})
    tree = repo.tree_of(repo.head() or "")
    assert repo.read(tree, names[0]) == (names[0] * 1000).encode()
    children = []
    for _ in range(3):
        if not (child := os.fork()):
            right = all(repo.read(tree, name) == (name * 1000).encode() for name in names)
            repo.objects.close()
            os._exit(0 if right else 1)
        children.append(child)
    assert all(repo.read(tree, name) == (name * 1000).encode() for name in reversed(names))
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    write(tmp_path, {"late": "late"})
    assert repo.read(commit(tmp_path), "late") == b"late"
