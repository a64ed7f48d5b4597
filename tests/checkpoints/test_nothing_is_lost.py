"""Whatever a user and then an agent do to files and index: a rollback returns the one and keeps the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.checkpoints import saved
from ralph.checkpoints.rollback import make, rollback
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot
from tests.checkpoints.workplace import State, files, tree, untouched
from tests.system.repositories import git
from tests.system.repositories import make as repository

PATHS = st.sampled_from(["a", "b.log", "d", "d/a", "d/e/f", "d/x.log", "ü x", "-q", "*"])
TEXTS = st.sampled_from(["", "one\n", "two\n", "\0binary\r\n"])
RULES = st.sampled_from(["", "*.log\n", "d/\n", "a\n!b.log\n", "*\n"])
Edit = Callable[[Path], None]


def clear(path: Path) -> None:
    """Free the place of `path`, and make folders of all that is above it."""
    for above in reversed(path.parents):
        if above.is_symlink() or above.is_file():
            above.unlink()
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)


def put(name: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        clear(root / name)
        (root / name).write_text(text)

    return edit


def link(name: str, target: str) -> Edit:
    def edit(root: Path) -> None:
        clear(root / name)
        (root / name).symlink_to(target)

    return edit


def delete(name: str) -> Edit:
    return lambda root: clear(root / name)


def turn(name: str) -> Edit:
    def edit(root: Path) -> None:
        if (root / name).is_file() and not (root / name).is_symlink():
            (root / name).chmod((root / name).stat().st_mode ^ 0o111)

    return edit


def move(name: str, target: str) -> Edit:
    def edit(root: Path) -> None:
        inside = (name + "/").startswith(target + "/") or (target + "/").startswith(name + "/")
        if os.path.lexists(root / name) and not inside:
            clear(root / target)
            if os.path.lexists(root / name):
                (root / name).rename(root / target)

    return edit


def run_git(*args: str) -> Edit:
    def edit(root: Path) -> None:
        with suppress(subprocess.CalledProcessError):  # nothing to commit, no such path: nothing happens then
            git(root, *args)

    return edit


EDITS = st.one_of(
    st.builds(put, PATHS, TEXTS),
    st.builds(put, st.sampled_from([".gitignore", "d/.gitignore"]), RULES),
    st.builds(link, PATHS, st.sampled_from(["a", "/etc/passwd", "../..", "nowhere"])),
    st.builds(delete, PATHS),
    st.builds(turn, PATHS),
    st.builds(move, PATHS, PATHS),
    st.builds(lambda name: run_git("add", "--", f":(literal){name}"), PATHS),
    st.builds(lambda name: run_git("add", "--force", "--", f":(literal){name}"), PATHS),
    st.builds(lambda name: run_git("add", "-N", "--", f":(literal){name}"), PATHS),
    st.builds(lambda name: run_git("rm", "-rfq", "--cached", "--", f":(literal){name}"), PATHS),
    st.just(run_git("commit", "-qm", "work")),
    st.just(run_git("checkout", "-q", "-B", "other")),
    st.just(run_git("stash", "-q")),
)


@given(st.lists(EDITS, max_size=8), st.lists(EDITS, max_size=8))
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_nothing_is_lost(user: list[Edit], agent: list[Edit]) -> None:
    with tempfile.TemporaryDirectory() as place:
        repo = repository(Path(place, "repo"), {"a": "first\n", "d/a": "first\n", ".gitignore": "*.log\n"})
        for edit in user:
            edit(repo.root)
        users = untouched(repo.root)
        kept = make(repo, "turn")
        assert untouched(repo.root) == users
        for edit in agent:
            edit(repo.root)
        agents, agents_index = files(repo.root), untouched(repo.root)[1]

        result = rollback(repo, kept)

        assert snapshot(repo, shadow_dir(repo.root), base=kept.commit).tree == kept.tree
        assert tree(repo, kept.commit).items() <= files(repo.root).items()
        assert untouched(repo.root)[1:3] == users[1:3]
        assert_kept(agents, files(repo.root), tree(repo, result.rejected.ref), aside(repo.root, result.rejected.id))

        rollback(repo, result.rejected)
        assert tree(repo, result.rejected.ref).items() <= files(repo.root).items()
        assert untouched(repo.root)[1] == agents_index


def aside(root: Path, rejected: str) -> State:
    return files(saved.aside_folder(root, rejected), hidden=())


def assert_kept(state: State, *places: State) -> None:
    """Everything of `state` stands, where it stood, in one of the places."""
    for path, content in state.items():
        assert any(place.get(path) == content for place in places), path
