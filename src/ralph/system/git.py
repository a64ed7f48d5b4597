"""The repository under judgement: its refs, commits and trees (design decisions 4, 10, 26).

Rules:

- Where the repository lies is found by looking at files, never by asking git: `core.worktree`, `core.bare` and the
  environment do not move it. A `.git` file (a linked worktree, a submodule) is followed.
- Objects are read through `Objects`, which checks each against its id; only refs are asked of the repository's own
  git directory (see `git_door`). What the repository calls HEAD or main, an agent without a sandbox can move: the base
  that counts is a commit id, recorded before the agent started.
- Ralph writes two things: refs below `refs/ralph/` with the commits they name, and lines in `.git/info/exclude`. The
  user's index, files, branches and configuration are never touched.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.record import record
from ralph.system.git_checkout import write_files
from ralph.system.git_discovery import Place, at, discover
from ralph.system.git_door import Answer, ask, git, neutral_dir
from ralph.system.git_objects import Objects

EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
OWN_REFS = "refs/ralph/"
IDENTITY = "Ralph <ralph@localhost>"

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
_DEFAULT_BRANCHES = (
    "refs/heads/main",
    "refs/remotes/origin/main",
    "refs/heads/master",
    "refs/remotes/origin/master",
)


@record
class Repository:
    """A repository with a working copy at `root`. `common_dir` is `git_dir` but in a linked worktree."""

    root: Path
    git_dir: Path
    common_dir: Path
    object_format: str
    objects: Objects

    @property
    def empty_tree(self) -> str:
        return EMPTY_TREE[self.object_format]

    @property
    def objects_dir(self) -> Path:
        return self.common_dir / "objects"

    def head(self) -> str | None:
        """The commit HEAD stands for, None when there is no commit yet."""
        if plain := self._plain_head():
            return plain
        answer = self._refs("rev-parse", "--quiet", "--verify", "HEAD")
        return None if answer.code else self._commit_id(answer, "HEAD")

    def branch(self) -> str | None:
        """The short name of the branch HEAD is on, None when it is detached."""
        with contextlib.suppress(OSError):
            head = (self.git_dir / "HEAD").read_text("utf-8", "surrogateescape")
            if (name := head.removeprefix("ref: refs/heads/").rstrip("\n")) != head.rstrip("\n") and name != ".invalid":
                return name
        answer = self._refs("symbolic-ref", "--quiet", "HEAD")
        return None if answer.code else os.fsdecode(answer.stdout.rstrip(b"\n")).removeprefix("refs/heads/")

    def resolve(self, rev: str) -> str:
        """The commit that `rev` names. It is only ever read as a name, never as an option or a search."""
        if not rev or rev[0] in "-:^" or not rev.isprintable():
            raise RepositoryError(f"{rev!r} is not a revision: give a branch, a tag or a commit id.")
        if _ID.fullmatch(rev):
            with contextlib.suppress(RepositoryError):
                if self.objects.read(rev)[0] == "commit":
                    return rev
        answer = self._refs("rev-parse", "--quiet", "--verify", f"{rev}^{{commit}}")
        if answer.code:
            raise RepositoryError(
                f"{rev!r} names no commit in {self.root}: check the name, or fetch it if this clone is shallow."
            )
        return self._commit_id(answer, rev)

    def tree_of(self, commit: str) -> str:
        """The tree of a commit (a tree stands for itself)."""
        return self.objects.peel(commit)

    def merge_base(self, a: str, b: str) -> str | None:
        """The best common ancestor of two commits, None if they share no history."""
        answer = self._refs("merge-base", a, b)
        if answer.code not in (0, 1):
            raise RepositoryError(f"The common ancestor of {a} and {b} cannot be found: {answer.complaint()}.")
        return None if answer.code else self._commit_id(answer, f"merge-base of {a} and {b}")

    def default_branch(self) -> tuple[str, str] | None:
        """Full ref name (a tag may have the short one) and commit of origin/HEAD, else main, else master."""
        head = "refs/remotes/origin/HEAD"
        form = "--format=%(refname) %(objectname) %(symref)"
        listed = [
            line.split(" ", 2) for line in self._listed("for-each-ref", form, head, *_DEFAULT_BRANCHES).splitlines()
        ]
        found = {target if ref == head else ref: commit for ref, commit, target in listed}
        leading = [target for ref, _, target in listed if ref == head]
        return next(((ref, found[ref]) for ref in (*leading, *_DEFAULT_BRANCHES) if ref in found), None)

    def is_shallow(self) -> bool:
        shallow = self.common_dir / "shallow"
        return shallow.is_file() and shallow.stat().st_size > 0

    def paths(self, tree: str) -> frozenset[str]:
        """Every path of a tree or commit: files, links and gitlinks."""
        return frozenset(path for path, _ in self.objects.walk(self.tree_of(tree)))

    def read(self, tree: str, path: str) -> bytes | None:
        """One file of a tree or commit, None where there is none or it is no regular file."""
        entry = self.objects.find(self.tree_of(tree), path)
        return self.objects.blob(entry.id) if entry is not None and entry.is_file else None

    def export(self, tree: str, directory: Path) -> None:
        """Write a tree's files to an empty directory, exactly as they are in the tree."""
        write_files(self.objects, self.tree_of(tree), directory)

    def keep(self, ref: str, tree: str, message: str, parents: Sequence[str], moment: datetime) -> str:
        """Make a commit of `tree` as Ralph, at `moment` (which knows its time zone), and point `ref` at it."""
        self._own(ref)
        commit = self.commit(tree, message, parents, moment)
        # --no-deref: a symbolic ref that somebody planted here must not move the branch that it names.
        self._change_ref(ref, "update-ref", "--no-deref", ref, commit)
        return commit

    def commit(self, tree: str, message: str, parents: Sequence[str], moment: datetime) -> str:
        """Make a commit to which nothing leads yet."""
        when = f"{IDENTITY} {int(moment.timestamp())} +0000"
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {when}", f"committer {when}"]
        content = "\n".join([*lines, "", message.strip(), ""])
        return self._store("commit", content.encode("utf-8", "surrogateescape"))

    def drop(self, ref: str) -> None:
        """Remove a ref of Ralph's own; one that does not exist is fine."""
        self._own(ref)
        self._change_ref(ref, "update-ref", "--no-deref", "-d", ref)

    def exclude(self, patterns: Sequence[str]) -> None:
        """Add lines to `.git/info/exclude`, each once; the file is replaced as a whole or not at all."""
        path = self.common_dir / "info" / "exclude"
        if path.exists() and not path.is_file():  # a pipe would be waited for forever
            raise RepositoryError(f"{path} is no plain file: remove it.")
        try:
            present = path.read_bytes() if path.exists() else b""
            missing = [each for each in map(os.fsencode, patterns) if each not in present.splitlines()]
            if missing:
                path.parent.mkdir(exist_ok=True)
                gap = b"\n" if present and not present.endswith(b"\n") else b""
                _replace(path, present + gap + b"\n".join(missing) + b"\n")
        except OSError as error:
            raise RepositoryError(f"{path} cannot be written: {error.strerror}.") from None

    def _plain_head(self) -> str | None:
        """HEAD where plain files say it: a process less for what is asked often. Anything unusual is git's to say."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            said = (self.git_dir / "HEAD").read_text("ascii").strip()
            if said.startswith("ref: refs/heads/"):
                parts = said.removeprefix("ref: refs/heads/").split("/")
                path = self.common_dir.joinpath("refs", "heads", *parts)
                if not all(_REF_PART.fullmatch(part) for part in parts) or path.is_symlink():
                    return None
                said = path.read_text("ascii").strip()
            return said if _ID.fullmatch(said) else None
        return None

    def _own(self, ref: str) -> None:
        parts = ref.removeprefix(OWN_REFS).split("/")
        good = ref.startswith(OWN_REFS) and all(_REF_PART.fullmatch(part) for part in parts)
        if not good or any(part.endswith(".lock") for part in parts):
            raise RepositoryError(f"{ref!r} is not a ref that Ralph may write: it must be a name below {OWN_REFS}.")
        folder = self.common_dir / "refs"
        for part in ("ralph", *parts):
            folder /= part
            if folder.is_symlink():
                raise RepositoryError(f"{folder} is a symbolic link: remove it, Ralph's refs must not lead elsewhere.")

    def _change_ref(self, ref: str, *args: str) -> None:
        answer = self._refs(*args)
        if answer.code:
            raise RepositoryError(f"{ref} cannot be written in {self.common_dir}: {answer.complaint()}.")

    def _store(self, kind: str, content: bytes) -> str:
        neutral = neutral_dir(self.object_format)
        args = ["hash-object", "-t", kind, "-w", "--stdin"]
        return git(args, git_dir=neutral, objects=self.objects_dir, stdin=content).decode("ascii").strip()

    def _refs(self, *args: str) -> Answer:
        return ask(args, git_dir=self.git_dir)

    def _listed(self, *args: str) -> str:
        return os.fsdecode(git(args, git_dir=self.git_dir))

    def _commit_id(self, answer: Answer, rev: str) -> str:
        found = answer.stdout.decode("ascii", "replace").split("\n")[0]
        if not _ID.fullmatch(found):
            raise RepositoryError(f"{rev!r} does not name one commit in {self.root}.")
        return found


def open_repository(path: Path) -> Repository:
    """The repository that `path` lies in. Raises RepositoryError saying why there is none that can be judged."""
    return _opened(discover(path))


def open_exactly(root: Path) -> Repository:
    """The repository whose working copy is `root` itself (a submodule, a nested clone). Raises RepositoryError."""
    return _opened(at(root))


def _opened(place: Place) -> Repository:
    objects = Objects(place.common_dir / "objects", place.object_format)
    return Repository(place.root, place.git_dir, place.common_dir, place.object_format, objects)


def _replace(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), path.stat().st_mode & 0o777 if path.exists() else 0o644)
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
