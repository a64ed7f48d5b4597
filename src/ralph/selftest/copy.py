"""The throwaway copy: a repository of its own, whose one commit holds the files of the user's HEAD.

- It lies in a scratch folder, which is removed at the end, and by the next run of Ralph if this one was killed.
- Nothing is written into the user's repository, which is only read: the copy shares nothing with it. (Git would
  touch the times of objects that it borrows.)
- Nothing is ever written through a symbolic link, as those of the user's tree may lead out of the copy.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.guardrails.change import beside, read_change
from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.selftest.model import Files, Judged, Step
from ralph.system import clock
from ralph.system.git import Repository, open_exactly
from ralph.system.git_door import git, neutral_config
from ralph.system.history import create_repository
from ralph.system.scratch import scratch
from ralph.system.tree import snapshot


class Copy:
    """The copy at work. Between two steps it holds the user's files, as they were."""

    def __init__(self, repo: Repository, commit: str, shadow: Path) -> None:
        self.repo = repo
        self.commit = commit
        self._shadow = shadow
        self._root = repo.root.resolve()

    def judge(self, step: Step, policy: PolicySet) -> Judged:
        """What blocks the change of a step. The clock runs while it is read and judged, not while it is made."""
        paths = sorted({*step.base, *step.change})
        with self._kept(paths):
            self._write(step.base)
            base = snapshot(self.repo, self._shadow, base=self.commit).tree
            self._write(step.change, step)
            began = time.perf_counter()
            taken = snapshot(self.repo, self._shadow, base=base)
            findings = scan(read_change(self.repo, base, taken.tree, beside(taken)), policy)
            duration_ms = (time.perf_counter() - began) * 1000
        rules = {finding.rule: None for finding in findings if finding.blocks}
        return Judged(rules=tuple(rules), duration_ms=duration_ms)

    @contextlib.contextmanager
    def _kept(self, paths: list[str]) -> Iterator[None]:
        """Give back what stood at these paths before."""
        before = {path: self._content(path) for path in paths}
        try:
            yield
        finally:
            git(["read-tree", self.commit], git_dir=self.repo.git_dir, work_tree=self.repo.root)
            for path in paths:
                self._remove(path)
            self._write(before)

    def _content(self, path: str) -> bytes | None:
        """What a plain file holds now. Links and folders that are in the way do not come back."""
        place = self._root / path
        real = place.parent.resolve() == place.parent and place.is_file() and not place.is_symlink()
        return place.read_bytes() if real else None

    def _write(self, files: Files, step: Step | None = None) -> None:
        for path, content in files.items():
            kind = step.kinds.get(path, "") if step else ""
            self._remove(path)
            if content is not None:
                self._put(self._place(path), content, kind)
                if kind == "unwatched":
                    self._unwatch(path)

    def _put(self, place: Path, content: bytes, kind: str) -> None:
        if kind == "symlink":
            place.symlink_to(os.fsdecode(content.rstrip(b"\n")))
        elif kind == "submodule":
            place.mkdir()
            (place / "file").write_bytes(content)
            create_repository(place, "nested", clock.now(), self._shadow.with_name("nested"))
        else:
            place.write_bytes(content)

    def _unwatch(self, path: str) -> None:
        """The file must be in the index for git to be told not to look at it."""
        root, git_dir = self.repo.root, self.repo.git_dir
        git(["update-index", "--add", "--", path], git_dir=git_dir, work_tree=root)
        git(["update-index", "--assume-unchanged", "--", path], git_dir=git_dir, work_tree=root)

    def _remove(self, path: str) -> None:
        _clear(self._place(path))

    def _place(self, path: str) -> Path:
        """Where a file of the copy lies, in folders that are real: what is in their way is taken out of the copy."""
        place = self._root
        *folders, name = path.split("/")
        for folder in folders:
            place /= folder
            if place.is_symlink() or not place.is_dir():
                _clear(place)
                place.mkdir()
        return place / name


def _clear(place: Path) -> None:
    """Take away whatever stands here. Links are removed, never followed."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


@contextlib.contextmanager
def throwaway(repo: Repository) -> Iterator[Copy]:
    """A copy of the repository at its HEAD. Raises RepositoryError if it has no commit."""
    head = repo.head()
    if head is None:
        raise RepositoryError(f"{repo.root} has no commit yet: commit something, so that there is a state to plant in.")
    with scratch("selftest") as folder:
        root = folder / "copy"
        repo.export(head, root)
        commit = _commit(root, repo.object_format)
        yield Copy(open_exactly(root), commit, folder / "shadow")


def _commit(root: Path, object_format: str) -> str:
    """Make a folder a repository whose one commit holds every file in it, also those that git is told to ignore."""
    git_dir = root / ".git"
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        (git_dir / name).mkdir(parents=True)
    (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    (git_dir / "config").write_text(neutral_config(object_format, bare=False))
    git(["add", "--all", "--force", "."], git_dir=git_dir, work_tree=root)
    tree = git(["write-tree"], git_dir=git_dir).decode("ascii").strip()
    commit = open_exactly(root).commit(tree, "a copy", (), clock.now())
    (git_dir / "refs" / "heads" / "main").write_text(f"{commit}\n")
    return commit
