"""What an agent can do to hide an edit from git, or to have its own code run: none of it changes the tree taken."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ralph.errors import RepositoryError
from ralph.system.git import Repository
from ralph.system.git_door import GitTimeoutError, ask
from ralph.system.shadow import without_young
from ralph.system.tree import snapshot
from tests.system.repositories import commit, git, make, trap, write

BEFORE, AFTER = "assert total == 3\n", "assert total == 4\n"


@pytest.fixture
def shadow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shadow")


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return make(tmp_path / "r", {"test_a.py": BEFORE, "other": "o"})


def taken(repo: Repository, shadow: Path, path: str = "test_a.py") -> bytes | None:
    return repo.read(snapshot(repo, shadow).tree, path)


def _flags(repo: Repository) -> None:
    git(repo.root, "update-index", "--skip-worktree", "test_a.py")
    git(repo.root, "update-index", "--assume-unchanged", "other")


def _exclude(repo: Repository) -> None:
    write(repo.root, {".git/info/exclude": "*\n"})


def _excludes_file(repo: Repository) -> None:
    write(repo.root, {".git/all": "*\n"})
    git(repo.root, "config", "core.excludesFile", str(repo.git_dir / "all"))


def _clean_filter(repo: Repository) -> None:
    git(repo.root, "config", "filter.lie.clean", "git cat-file blob HEAD:test_a.py")
    write(repo.root, {".gitattributes": "*.py filter=lie\n", ".git/info/attributes": "*.py filter=lie\n"})


def _conversions(repo: Repository) -> None:
    rule = "* text eol=crlf ident working-tree-encoding=UTF-16 -diff\n[attr]mine text ident\n*.py mine crlf\n"
    write(repo.root, {".gitattributes": rule, ".git/info/attributes": rule})
    git(repo.root, "config", "core.autocrlf", "true")


def _modes(repo: Repository) -> None:
    for name in ("core.fileMode", "core.symlinks", "core.trustctime"):
        git(repo.root, "config", name, "false")
    git(repo.root, "config", "core.checkStat", "minimal")
    git(repo.root, "config", "core.ignoreCase", "true")


def _untracked_cache(repo: Repository) -> None:
    git(repo.root, "config", "core.untrackedCache", "true")
    git(repo.root, "status")


def _other_worktree(repo: Repository) -> None:
    copy = repo.root.parent / "copy"
    shutil.copytree(repo.root, copy, ignore=lambda *_: [".git"])
    git(repo.root, "config", "core.worktree", str(copy))


def _bare(repo: Repository) -> None:
    git(repo.root, "config", "core.bare", "true")


def _split_index(repo: Repository) -> None:
    git(repo.root, "config", "core.splitIndex", "true")
    git(repo.root, "update-index", "--split-index")


def _ignored(repo: Repository) -> None:
    write(repo.root, {".gitignore": "*.py\n"})


def _nested_marker(repo: Repository) -> None:
    write(repo.root, {".git/modules/x/HEAD": "ref: refs/heads/x\n"})


HIDING = (
    *(_flags, _exclude, _excludes_file, _clean_filter, _conversions, _modes, _untracked_cache, _other_worktree),
    *(_bare, _split_index, _ignored, _nested_marker),
)


@pytest.mark.parametrize("hide", HIDING, ids=lambda hide: hide.__name__.strip("_"))
@pytest.mark.parametrize("seen_before", [False, True], ids=["first", "again"])
def test_an_edit_cannot_be_hidden(
    repo: Repository, shadow: Path, hide: Callable[[Repository], None], seen_before: bool
) -> None:
    if seen_before:
        snapshot(repo, shadow)
    hide(repo)
    write(repo.root, {"test_a.py": AFTER})
    assert taken(repo, shadow) == AFTER.encode()


@pytest.mark.parametrize(
    "hide", [_exclude, _excludes_file, _clean_filter, _conversions], ids=lambda hide: hide.__name__.strip("_")
)
def test_a_new_file_cannot_be_hidden(repo: Repository, shadow: Path, hide: Callable[[Repository], None]) -> None:
    hide(repo)
    write(repo.root, {"d/conftest.py": b"x = 1\r\n$Id$\n"})
    assert taken(repo, shadow, "d/conftest.py") == b"x = 1\r\n$Id$\n"


def test_a_change_of_mode_or_type_cannot_be_hidden(repo: Repository, shadow: Path) -> None:
    _modes(repo)
    (repo.root / "other").chmod(0o755)
    (repo.root / "test_a.py").unlink()
    (repo.root / "test_a.py").symlink_to("other")
    modes = {path: entry.mode for path, entry in repo.objects.walk(snapshot(repo, shadow).tree)}
    assert modes == {"other": "100755", "test_a.py": "120000"}


def test_a_committed_untracking_cannot_hide_a_file_of_the_base(repo: Repository, shadow: Path) -> None:
    base = repo.head() or ""
    git(repo.root, "rm", "--quiet", "--cached", "test_a.py")
    write(repo.root, {".gitignore": "test_a.py\n", "test_a.py": AFTER})
    git(repo.root, "commit", "--quiet", "-a", "-m", "untrack")
    assert repo.read(snapshot(repo, shadow, base=base).tree, "test_a.py") == AFTER.encode()


class TestPlantedRepositories:
    def test_in_a_new_folder_it_is_a_gitlink(self, repo: Repository, shadow: Path) -> None:
        write(repo.root, {"new/conftest.py": "evil", "new/.git": f"gitdir: {repo.git_dir}\n"})
        found = snapshot(repo, shadow)
        assert found.gitlinks == ("new",)
        write(repo.root, {"new/conftest.py": "another"})
        assert snapshot(repo, shadow).tree != found.tree

    @pytest.mark.parametrize("real", [True, False], ids=["a repository", "a file called .git"])
    def test_in_a_tracked_folder_it_hides_nothing(self, tmp_path: Path, shadow: Path, real: bool) -> None:
        repo = make(tmp_path, {"tests/test_a.py": BEFORE})
        snapshot(repo, shadow)
        if real:
            make(tmp_path / "tests", {})
        else:
            write(tmp_path, {"tests/.git": "nothing\n"})
        write(tmp_path, {"tests/test_a.py": AFTER, "tests/conftest.py": "evil"})
        found = snapshot(repo, shadow)
        hidden = "tests" in found.gitlinks
        assert hidden or repo.read(found.tree, "tests/conftest.py") == b"evil"
        assert hidden or repo.read(found.tree, "tests/test_a.py") == AFTER.encode()

    def test_one_that_is_broken_is_an_error_or_seen_through(self, repo: Repository, shadow: Path) -> None:
        write(
            repo.root,
            {"new/conftest.py": "evil", "new/.git/HEAD": "x", "new/.git/refs/x": "", "new/.git/objects/x": ""},
        )
        try:
            found = snapshot(repo, shadow)
        except RepositoryError:
            return
        assert "new" in found.gitlinks or repo.read(found.tree, "new/conftest.py") == b"evil"


class TestTimes:
    def test_an_edit_of_the_same_size_with_the_old_time_set_back(self, repo: Repository, shadow: Path) -> None:
        """Within the same second: git, which compares seconds, is blind to this."""
        path = repo.root / "test_a.py"
        os.utime(path, (10**9, 10**9))
        time.sleep(1.02 - time.time() % 1)  # so that all that follows lies in one second
        os.utime(path, (10**9, 10**9))
        git(repo.root, "update-index", "--refresh")
        snapshot(repo, shadow)
        path.write_text(AFTER)
        os.utime(path, (10**9, 10**9))
        assert taken(repo, shadow) == AFTER.encode()

    def test_the_same_some_time_later(self, repo: Repository, shadow: Path) -> None:
        path = repo.root / "test_a.py"
        os.utime(path, (10**9, 10**9))
        time.sleep(1.02 - time.time() % 1)
        snapshot(repo, shadow)
        time.sleep(1.02 - time.time() % 1)
        path.write_text(AFTER)
        os.utime(path, (10**9, 10**9))
        assert taken(repo, shadow) == AFTER.encode()

    def test_a_file_from_the_future(self, repo: Repository, shadow: Path) -> None:
        path = repo.root / "test_a.py"
        os.utime(path, (2**31, 2**31))
        snapshot(repo, shadow)
        path.write_text(AFTER)
        os.utime(path, (2**31, 2**31))
        assert taken(repo, shadow) == AFTER.encode()

    def test_unchanged_files_are_trusted_after_their_second(self, repo: Repository, shadow: Path) -> None:
        """The purpose of the kept index: nothing old is hashed again."""
        time.sleep(1.02 - time.time() % 1)
        snapshot(repo, shadow)
        index = (shadow / "index").read_bytes()
        assert without_young(index, int(time.time()), "sha1") == index
        young = without_young(index, 0, "sha1")
        sizes = [struct.unpack_from(">10I", data, 12)[9] for data in (index, young)]
        assert sizes == [1, 0]
        (shadow / "index").write_bytes(young)
        assert git(repo.root, "ls-files", "--stage", GIT_INDEX_FILE=str(shadow / "index")).count("\n") == 1


class TestForgedIndex:
    """An index whose entry has the edited file's times and the old blob: an edit that is believed away."""

    @staticmethod
    def forge(repo: Repository, index: Path) -> None:
        write(repo.root, {"test_a.py": AFTER})
        os.utime(repo.root / "test_a.py", (10**9, 10**9))
        old = git(repo.root, "rev-parse", "HEAD:test_a.py")
        time.sleep(1.02 - time.time() % 1)
        snapshot(repo, index.parent)
        data = bytearray(index.read_bytes())
        at = data.index(b"test_a.py\0") - 22
        data[at : at + 20] = bytes.fromhex(old)
        index.write_bytes(without_young(bytes(data), 2**32, "sha1"))

    def test_it_would_work_where_the_index_can_be_written(self, repo: Repository, shadow: Path) -> None:
        self.forge(repo, shadow / "index")
        assert taken(repo, shadow) == BEFORE.encode()

    @pytest.mark.parametrize("place", [".ralph/git", ".git/ralph", "x/.."])
    def test_so_it_must_lie_outside_the_repository(self, repo: Repository, place: str) -> None:
        with pytest.raises(RepositoryError, match="inside the repository"):
            snapshot(repo, repo.root / place)

    def test_also_behind_a_link(self, repo: Repository, tmp_path: Path) -> None:
        (repo.root / "cache").mkdir()
        (tmp_path / "link").symlink_to(repo.root / "cache")
        with pytest.raises(RepositoryError, match="inside the repository"):
            snapshot(repo, tmp_path / "link/git")

    def test_configuration_and_attributes_are_written_anew(
        self, repo: Repository, shadow: Path, tmp_path: Path
    ) -> None:
        snapshot(repo, shadow)
        program, mark = trap(tmp_path)
        write(shadow, {"info/attributes": "* filter=x\n", "info/exclude": "*\n"})
        write(shadow, {"config": f'[core]\nfsmonitor = {program}\n[filter "x"]\nclean = {program}\n'})
        write(repo.root, {"test_a.py": AFTER, "new": "n"})
        assert (taken(repo, shadow), taken(repo, shadow, "new")) == (AFTER.encode(), b"n")
        assert not mark.exists()


SETTINGS = """
    core.fsmonitor core.sshCommand core.alternateRefsCommand core.pager core.editor core.askPass diff.external
    credential.helper gpg.program filter.x.clean filter.x.smudge filter.x.process diff.x.textconv diff.x.command
    merge.x.driver alias.ls-files uploadpack.packObjectsHook remote.origin.uploadpack pager.rev-parse
"""


def test_nothing_of_the_repository_is_run(tmp_path: Path, shadow: Path) -> None:
    program, mark = trap(tmp_path)
    make(tmp_path / "lib", {"x": "x"})
    repo = make(tmp_path / "r", {"a.py": "a"})
    git(repo.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "lib"), "lib")
    commit(repo.root)
    for place in (repo.root, repo.root / "lib"):
        for name in SETTINGS.split():
            git(place, "config", name, str(program))
        git(place, "config", "core.hooksPath", str(tmp_path / "hooks"))
        git(place, "config", "remote.origin.promisor", "true")
        git(place, "config", "remote.origin.url", f"ext::{program}")
        write(place, {".gitattributes": "* filter=x diff=x merge=x\n"})
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        (tmp_path / "hooks").mkdir(exist_ok=True)
        (tmp_path / "hooks" / hook).symlink_to(program)
    mark.unlink(missing_ok=True)
    write(repo.root, {"a.py": "b", "lib/x": "y"})
    snapshot(repo, shadow)
    assert repo.head()
    repo.resolve("HEAD")
    repo.default_branch()
    assert not mark.exists()
    subprocess.run(["git", "-C", str(repo.root), "status"], capture_output=True, check=False)
    assert mark.exists()  # the traps were live


def test_a_pipe_in_place_of_a_rule_file_is_not_waited_for_for_ever(repo: Repository) -> None:
    os.mkfifo(repo.root / ".gitignore")
    with pytest.raises(GitTimeoutError, match="named pipe"):
        ask(["ls-files", "-o", "--exclude-standard"], git_dir=repo.git_dir, work_tree=repo.root, timeout_s=0.3)
