"""The tree of a working copy: exact bytes of exactly the files that are judged, and nothing of the user's touched."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ralph.errors import RepositoryError
from ralph.system.git import Repository, open_repository
from ralph.system.tree import Snapshot, snapshot
from tests.system.repositories import commit, git, make, write


@pytest.fixture
def shadow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shadow")


def content(repo: Repository, taken: Snapshot) -> dict[str, bytes]:
    """Everything in the tree: the bytes of files, the targets of links, the ids of gitlinks."""
    entries = dict(repo.objects.walk(taken.tree))
    return {
        path: entry.id.encode() if entry.mode == "160000" else repo.objects.blob(entry.id)
        for path, entry in entries.items()
    }


def on_disk(root: Path) -> dict[str, bytes]:
    """What must be in the tree when nothing is ignored."""
    files = (path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts)
    return {
        str(path.relative_to(root)): os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in files
        if path.is_symlink() or path.is_file()
    }


class TestContent:
    def test_a_clean_working_copy_is_its_commit(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a", "d/b": "b"})
        (tmp_path / "d/b").chmod(0o755)
        taken = snapshot(repo, shadow)
        commit(tmp_path)
        assert taken == Snapshot(tree=repo.tree_of(repo.head() or ""), gitlinks=(), ignored=())
        assert snapshot(repo, shadow) == taken

    def test_edits_additions_deletions_staged_or_not(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(
            tmp_path, {"edited": "1", "deleted": "1", "staged": "1", "moved": "1", "folder/x": "1", "file": "1"}
        )
        write(tmp_path, {"edited": "2", "new/untracked": "2", "staged": "2", "later": "2"})
        git(tmp_path, "add", "staged", "later")
        write(tmp_path, {"staged": "3"})
        (tmp_path / "deleted").unlink()
        (tmp_path / "later").unlink()
        (tmp_path / "moved").rename(tmp_path / "moved to")
        (tmp_path / "folder/x").unlink()
        (tmp_path / "folder").rmdir()
        (tmp_path / "file").unlink()
        write(tmp_path, {"folder": "now a file", "file/now/a": "folder"})
        assert content(repo, snapshot(repo, shadow)) == on_disk(tmp_path)

    @pytest.mark.parametrize(
        "name",
        ["a b", "new\nline", "tab\t", "-dash", "--", ":(top)x", "*", "[a]", '"quoted"', "back\\slash", "\udcff\udcfe",
         "ü", "u\u0308", ".hidden", "A", "CON", "x~1", ".gitmodules", "d/.gitx", "trailing ", "#x", "!x"],
    )  # fmt: skip
    def test_any_name(self, tmp_path: Path, shadow: Path, name: str) -> None:
        repo = make(tmp_path, {"a": "a"})
        write(tmp_path, {name: "content", f"folder/{name}": "more"})
        assert content(repo, snapshot(repo, shadow)) == on_disk(tmp_path)

    def test_links_are_stored_as_text_and_never_followed(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path / "r", {"d/a": "a"})
        write(tmp_path, {"outside/secret": "secret"})
        (tmp_path / "r/out").symlink_to("/etc/passwd")
        (tmp_path / "r/folder").symlink_to(tmp_path / "outside")
        (tmp_path / "r/broken").symlink_to("nowhere")
        assert content(repo, snapshot(repo, shadow)) == on_disk(tmp_path / "r")

    def test_a_folder_that_became_a_link(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path / "r", {"d/e/a": "a", "x": "x"})
        (tmp_path / "r/d").rename(tmp_path / "moved")
        (tmp_path / "r/d").symlink_to(tmp_path / "moved")
        taken = content(repo, snapshot(repo, shadow))
        assert taken == {"d": str(tmp_path / "moved").encode(), "x": b"x"}

    def test_a_folder_that_became_an_ignored_link(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path / "r", {"d/e/a": "a", ".gitignore": "/d\n"})
        (tmp_path / "r/d").rename(tmp_path / "moved")
        (tmp_path / "r/d").symlink_to(tmp_path / "moved")
        taken = snapshot(repo, shadow)
        assert content(repo, taken).keys() == {".gitignore"}
        assert taken.ignored == ("d",)

    def test_no_commit_and_no_file(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path)
        assert snapshot(repo, shadow).tree == repo.empty_tree
        write(tmp_path, {"a": "a"})
        assert content(repo, snapshot(repo, shadow)) == {"a": b"a"}

    def test_sha256(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"}, "--object-format=sha256")
        write(tmp_path, {"b": "b"})
        assert content(repo, snapshot(repo, shadow)) == {"a": b"a", "b": b"b"}
        assert snapshot(repo, shadow).tree == snapshot(repo, shadow).tree

    def test_a_linked_worktree(self, tmp_path: Path, shadow: Path) -> None:
        make(tmp_path / "main", {"a": "a"})
        git(tmp_path / "main", "worktree", "add", "--quiet", "../other")
        write(tmp_path / "other", {"b": "b"})
        repo = open_repository(tmp_path / "other")
        assert content(repo, snapshot(repo, shadow)) == {"a": b"a", "b": b"b"}

    def test_many_files(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {})
        write(tmp_path, {f"d{n % 97}/f{n}": str(n) for n in range(1500)})
        taken = snapshot(repo, shadow)
        assert len(repo.paths(taken.tree)) == 1500
        commit(tmp_path)
        assert snapshot(repo, shadow).tree == taken.tree == repo.tree_of(repo.head() or "")


class TestIgnored:
    def test_only_the_trees_own_rules_count(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {".gitignore": "*.log\n/build/\n", "src/.gitignore": "gen.py\n"})
        write(
            tmp_path,
            {
                "x.log": "x",
                "build/a": "a",
                "build/b/c": "c",
                "src/gen.py": "g",
                "src/new/y.log": "y",
                "src/real.py": "r",
            },
        )
        taken = snapshot(repo, shadow)
        assert taken.ignored == ("build/", "src/gen.py", "src/new/y.log", "x.log")
        assert content(repo, taken).keys() == {".gitignore", "src/.gitignore", "src/real.py"}

    def test_ralphs_own_files_are_neither_in_the_tree_nor_listed(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a", ".gitignore": "!.ralph/\n!state/**\n"})
        write(
            tmp_path,
            {".ralph/audit/x": "x", "state/progress.jsonl": "{}", "state/learning.jsonl": "{}", "state/mine": "m"},
        )
        write(tmp_path, {"sub/.ralph/x": "x"})
        taken = snapshot(repo, shadow)
        assert content(repo, taken).keys() == {"a", ".gitignore", "state/mine", "sub/.ralph/x"}
        assert taken.ignored == ()

    def test_tracked_files_stay_whatever_is_ignored(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"conftest.py": "1", "a": "a"})
        write(tmp_path, {".gitignore": "*\n", "conftest.py": "2", "new": "n"})
        taken = snapshot(repo, shadow)
        assert content(repo, taken) == {"conftest.py": b"2", "a": b"a"}
        assert taken.ignored == (".gitignore", "new")

    def test_the_answer_does_not_depend_on_what_was_seen_before(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        write(tmp_path, {"x.py": "x"})
        snapshot(repo, shadow)
        write(tmp_path, {".gitignore": "x.py\n"})
        assert snapshot(repo, shadow) == snapshot(repo, shadow / "fresh")
        git(tmp_path, "add", "--force", "x.py")
        git(tmp_path, "commit", "--quiet", "-m", "x")
        assert "x.py" in content(repo, snapshot(repo, shadow))
        git(tmp_path, "rm", "--quiet", "--cached", "x.py")
        git(tmp_path, "commit", "--quiet", "-m", "x")
        assert snapshot(repo, shadow) == snapshot(repo, shadow / "fresh")

    def test_staged_by_force_counts_as_tracked(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {".gitignore": "*.gen\n"})
        write(tmp_path, {"a.gen": "1"})
        git(tmp_path, "add", "--force", "a.gen")
        assert "a.gen" in content(repo, snapshot(repo, shadow))

    def test_pipes_sockets_and_devices_are_listed(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a", "d/b": "b", ".gitignore": "hidden/\n"})
        os.mkfifo(tmp_path / "conftest.py")
        (tmp_path / "hidden").mkdir()
        os.mkfifo(tmp_path / "hidden/pipe")
        previous = Path.cwd()
        os.chdir(tmp_path / "d")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("socket")
        os.chdir(previous)
        taken = snapshot(repo, shadow)
        assert taken.special == ("conftest.py", "d/socket")
        assert content(repo, taken).keys() == {"a", "d/b", ".gitignore"}


class TestNested:
    def test_an_untracked_clone_is_a_gitlink_bound_to_its_content(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        inner = make(tmp_path / "lib/inner", {"x": "x"})
        first = snapshot(repo, shadow)
        assert first.gitlinks == ("lib/inner",)
        assert content(repo, first)["lib/inner"] == str(inner.head()).encode()
        write(tmp_path, {"lib/inner/x": "changed"})
        second = snapshot(repo, shadow)
        assert second.gitlinks == ("lib/inner",)
        assert second.tree != first.tree

    def test_one_without_a_commit(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        make(tmp_path / "empty")
        make(tmp_path / "filled")
        write(tmp_path, {"filled/.gitignore": "y\n", "filled/y": "y"})
        taken = snapshot(repo, shadow)
        assert taken.gitlinks == ("empty", "filled")
        assert taken.ignored == ("filled/y",)
        assert content(repo, taken)["empty"] == repo.empty_tree.encode()

    def test_an_unchanged_submodule_is_no_change(self, tmp_path: Path, shadow: Path) -> None:
        repo = self._with_submodule(tmp_path)
        taken = snapshot(repo, shadow)
        assert (taken.tree, taken.gitlinks) == (repo.tree_of(repo.head() or ""), ("lib",))

    def test_an_edit_in_a_submodule_is_seen(self, tmp_path: Path, shadow: Path) -> None:
        repo = self._with_submodule(tmp_path)
        write(repo.root, {"lib/conftest.py": "evil"})
        assert snapshot(repo, shadow).tree != repo.tree_of(repo.head() or "")

    def test_a_submodule_that_is_not_checked_out_is_no_change(self, tmp_path: Path, shadow: Path) -> None:
        repo = self._with_submodule(tmp_path)
        git(repo.root, "submodule", "--quiet", "deinit", "--force", "lib")
        assert snapshot(repo, shadow).tree == repo.tree_of(repo.head() or "")

    def test_files_in_place_of_a_submodule_are_files(self, tmp_path: Path, shadow: Path) -> None:
        repo = self._with_submodule(tmp_path)
        git(repo.root, "submodule", "--quiet", "deinit", "--force", "lib")
        write(repo.root, {"lib/conftest.py": "evil"})
        assert git(repo.root, "status", "--porcelain") == ""  # where git looks away
        taken = snapshot(repo, shadow)
        assert content(repo, taken)["lib/conftest.py"] == b"evil"
        assert taken.gitlinks == ()

    def test_a_removed_submodule(self, tmp_path: Path, shadow: Path) -> None:
        repo = self._with_submodule(tmp_path)
        git(repo.root, "rm", "--quiet", "--cached", "lib")
        subprocess.run(["rm", "-r", str(repo.root / "lib")], check=True)
        assert "lib" not in content(repo, snapshot(repo, shadow))

    def test_repositories_nested_too_deep_are_refused(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        path = tmp_path / "r"
        for _ in range(10):
            path /= "n"
            git(tmp_path, "init", "--quiet", str(path))
        with pytest.raises(RepositoryError, match="nested"):
            snapshot(repo, shadow)

    @staticmethod
    def _with_submodule(tmp_path: Path) -> Repository:
        make(tmp_path / "lib", {"x": "x"})
        repo = make(tmp_path / "app", {"a": "a"})
        allow = ("-c", "protocol.file.allow=always")
        git(repo.root, *allow, "submodule", "--quiet", "add", str(tmp_path / "lib"), "lib")
        commit(repo.root)
        return repo


class TestErrors:
    def test_a_sparse_checkout_is_refused(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a/x": "x", "b/y": "y"})
        git(tmp_path, "sparse-checkout", "set", "a")
        with pytest.raises(RepositoryError, match="sparse"):
            snapshot(repo, shadow)
        git(tmp_path, "sparse-checkout", "disable")
        assert len(repo.paths(snapshot(repo, shadow).tree)) == 2

    def test_a_directory_that_cannot_be_listed_is_an_error(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path / "r", {"a": "a"})
        here = Path.cwd()
        try:
            os.chdir(tmp_path / "r")
            for _ in range(25):  # deeper than any path may be long
                Path("n" * 200).mkdir()
                os.chdir("n" * 200)
            Path("conftest.py").touch()
        finally:
            os.chdir(here)
        with pytest.raises(RepositoryError, match="cannot all be read"):
            snapshot(repo, shadow)

    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
    @pytest.mark.parametrize("name", ["a", "d"])
    def test_what_may_not_be_read_is_an_error(self, tmp_path: Path, shadow: Path, name: str) -> None:
        repo = make(tmp_path, {"a": "a", "d/x": "x"})
        (tmp_path / name).chmod(0)
        with pytest.raises(RepositoryError, match="cannot all be read"):
            snapshot(repo, shadow)
        (tmp_path / name).chmod(0o700)

    @pytest.mark.parametrize("name", ["a", "d"])
    def test_a_tracked_file_that_became_a_pipe_is_an_error(self, tmp_path: Path, shadow: Path, name: str) -> None:
        repo = make(tmp_path, {name: "a"})
        (tmp_path / name).unlink()
        os.mkfifo(tmp_path / name)
        with pytest.raises(RepositoryError):
            snapshot(repo, shadow)

    def test_a_damaged_cache_costs_time_only(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        taken = snapshot(repo, shadow)
        (shadow / "index").write_bytes(b"DIRC garbage")
        assert snapshot(repo, shadow) == taken

    def test_blobs_that_were_collected_meanwhile(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a"})
        write(tmp_path, {"a": "b", "new": "n"})
        taken = snapshot(repo, shadow)
        git(tmp_path, "gc", "--quiet", "--prune=now")
        assert snapshot(repo, shadow) == taken
        assert content(repo, taken) == {"a": b"b", "new": b"n"}


class TestFootprint:
    def test_index_refs_files_and_times_of_the_user_stay(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {"a": "a", "d/b": "b"})
        write(tmp_path, {"a": "changed", "new": "n"})
        git(tmp_path, "add", "new")
        before = self._everything(tmp_path)
        for _ in range(2):
            snapshot(repo, shadow)
        assert self._everything(tmp_path) == before

    def test_concurrent_snapshots_agree(self, tmp_path: Path, shadow: Path) -> None:
        make(tmp_path, {f"f{n}": str(n) for n in range(50)})
        write(tmp_path, {"new": "n"})
        with ThreadPoolExecutor(6) as pool:
            taken = list(pool.map(lambda _: snapshot(open_repository(tmp_path), shadow), range(6)))
        assert len({each.tree for each in taken}) == 1
        assert not list(shadow.glob("run-*"))

    def test_a_killed_snapshot_hinders_nobody(self, tmp_path: Path, shadow: Path) -> None:
        repo = make(tmp_path, {f"f{n}": str(n) for n in range(300)})
        code = (
            "import sys; from pathlib import Path; from ralph.system.git import open_repository; "
            "from ralph.system.tree import snapshot; snapshot(open_repository(Path(sys.argv[1])), Path(sys.argv[2]))"
        )
        command = [sys.executable, "-c", code, str(tmp_path), str(shadow)]
        for delay in (0.15, 0.17, 0.2, 0.25):
            with subprocess.Popen(command) as process:
                try:
                    process.wait(delay)
                except subprocess.TimeoutExpired:
                    process.kill()
        assert snapshot(repo, shadow).tree == repo.tree_of(repo.head() or "")
        assert not (tmp_path / ".git/index.lock").exists()

    @staticmethod
    def _everything(root: Path) -> dict[str, tuple[bytes, int]]:
        """Content and time of every file, but for loose objects."""

        def files() -> Iterator[Path]:
            return (path for path in root.rglob("*") if path.is_file() and "objects" not in path.parts)

        return {str(path): (path.read_bytes(), path.lstat().st_mtime_ns) for path in files()}
