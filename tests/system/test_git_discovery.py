"""Which repository a directory lies in, and the sentence for each that cannot be judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ralph.errors import RepositoryError
from ralph.system.git import open_repository
from tests.system.repositories import git, make


def test_a_subdirectory_leads_to_the_root(tmp_path: Path) -> None:
    make(tmp_path, {"a/b/c": "c"})
    repo = open_repository(tmp_path / "a/b")
    assert (repo.root, repo.git_dir, repo.common_dir) == (tmp_path, tmp_path / ".git", tmp_path / ".git")


def test_a_linked_worktree(tmp_path: Path) -> None:
    main = make(tmp_path / "main", {"a": "a"})
    git(tmp_path / "main", "worktree", "add", "--quiet", "-b", "topic", "../other")
    repo = open_repository(tmp_path / "other")
    assert (repo.root, repo.common_dir) == (tmp_path / "other", main.common_dir)
    assert (repo.head(), repo.branch(), main.branch()) == (main.head(), "topic", "main")


def test_a_submodule(tmp_path: Path) -> None:
    make(tmp_path / "lib", {"x": "x"})
    make(tmp_path / "app", {"a": "a"})
    git(
        tmp_path / "app",
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(tmp_path / "lib"),
        "lib",
    )
    repo = open_repository(tmp_path / "app/lib")
    assert (repo.root, repo.git_dir) == (tmp_path / "app/lib", tmp_path / "app/.git/modules/lib")


@pytest.mark.parametrize("name", ["with space", "new\nline", "-dash", "\udcff", "ü"])
def test_any_name_of_the_root(tmp_path: Path, name: str) -> None:
    repo = make(tmp_path / name, {"a": "a"})
    assert repo.root.name == name
    assert repo.head() == git(tmp_path / name, "rev-parse", "HEAD")


def test_the_repository_cannot_redirect_its_working_copy(tmp_path: Path) -> None:
    make(tmp_path / "r", {"a": "a"})
    (tmp_path / "elsewhere").mkdir()
    git(tmp_path / "r", "config", "core.worktree", str(tmp_path / "elsewhere"))
    assert open_repository(tmp_path / "r").root == tmp_path / "r"


def test_the_environment_cannot_redirect_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make(tmp_path / "r", {"a": "a"})
    other = make(tmp_path / "other", {"b": "b"})
    monkeypatch.setenv("GIT_DIR", str(other.git_dir))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert open_repository(tmp_path / "r").head() == repo.head() != other.head()


def _nothing(path: Path) -> Path:
    return path


def _missing(path: Path) -> Path:
    return path / "missing"


def _file(path: Path) -> Path:
    (path / "file").touch()
    return path / "file"


def _bare(path: Path) -> Path:
    git(path, "init", "--quiet", "--bare", "b.git")
    return path / "b.git"


def _inside(path: Path) -> Path:
    make(path, {"a": "a"})
    return path / ".git/refs"


def _broken_link(path: Path) -> Path:
    (path / ".git").symlink_to("nowhere")
    return path


def _text(path: Path) -> Path:
    (path / ".git").write_text("hello\n")
    return path


def _leads_nowhere(path: Path) -> Path:
    (path / ".git").write_text("gitdir: /nowhere\n")
    return path


def _no_head(path: Path) -> Path:
    make(path, {"a": "a"})
    (path / ".git/HEAD").unlink()
    return path


def _loop(path: Path) -> Path:
    (path / "loop").symlink_to("loop")
    return path / "loop"


def _odd_format(path: Path) -> Path:
    make(path)
    (path / ".git/config").write_text("[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = md5\n")
    return path


@pytest.mark.parametrize(
    ("arrange", "says"),
    [
        (_nothing, "not in a git repository"),
        (_missing, "cannot be read"),
        (_file, "not a directory"),
        (_bare, "bare repository"),
        (_inside, "inside a git directory"),
        (_broken_link, "cannot be read"),
        (_text, "does not begin with `gitdir: `"),
        (_leads_nowhere, "damaged"),
        (_no_head, "damaged"),
        (_loop, "cannot be read"),
        (_odd_format, "object format"),
    ],
)
def test_what_cannot_be_judged(tmp_path: Path, arrange: Callable[[Path], Path], says: str) -> None:
    with pytest.raises(RepositoryError, match=says) as error:
        open_repository(arrange(tmp_path))
    assert "\n" not in str(error.value)
