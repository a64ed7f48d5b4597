"""Pushes a commit to a repository elsewhere, and looks whether it arrived.

Rules:

- The repository's own configuration, hooks and index play no part: an agent can write them, and git would run what they
  name with the person's credentials. Git runs in an empty directory of ours on the repository's objects; the person's
  own configuration (credentials, ssh) counts.
- Nothing is forced. A branch that exists is left alone, unless it is this very commit.
- Afterwards the branch is fetched back into an empty repository, and every object of it is hashed again: its tree must
  be the attested one.
- Where to push is a person's word (`--to`), kept outside of the repository.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ralph.errors import ConfigError, RalphError, StorageError, UsageError
from ralph.record import record
from ralph.system import files
from ralph.system.git import Repository
from ralph.system.git_door import neutral_config, neutral_dir
from ralph.system.git_objects import MODE_GITLINK, Objects
from ralph.system.places import config_home
from ralph.system.scratch import scratch
from ralph.system.text import visible

TIMEOUT_S = 300.0
PROTOCOLS = "https:ssh:file"
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_ADDRESS = re.compile(r"https://[^\s@]+|ssh://\S+|[\w.-]+@[\w.-]+:\S+|/\S+|file:///\S+")


class DeliveryError(RalphError):
    """The change could not be delivered as it is."""


@record
class Remote:
    """Where to push, as the person at work."""

    url: str
    repo: Repository
    environ: Mapping[str, str]

    def commit_of(self, branch: str) -> str | None:
        """The commit of a branch there, None without one. Raises DeliveryError."""
        listed = self._git(["ls-remote", "--", self.url, f"refs/heads/{branch}"]).split()
        return listed[0] if listed else None

    def push(self, commit: str, branch: str) -> None:
        """Make the branch there. Raises DeliveryError; also if it exists as something else."""
        there = self.commit_of(branch)
        if there not in (None, commit):
            raise DeliveryError(f"The branch {branch} exists at {self.shown} already: choose another with --branch.")
        if there is None:
            line = ["push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed"]
            self._git([*line, "--", self.url, f"{commit}:refs/heads/{branch}"])

    def check(self, commit: str, branch: str, tree: str) -> None:
        """Raises DeliveryError unless the branch is there, and its tree is the one that is meant."""
        there = self.commit_of(branch)
        with scratch("deliver") as folder:
            (folder / "refs").mkdir()
            (folder / "objects").mkdir()
            (folder / "HEAD").write_text("ref: refs/heads/none\n")
            (folder / "config").write_text(neutral_config(self.repo.object_format, bare=True))
            line = ["fetch", "--quiet", "--no-tags", "--depth=1", "--no-write-fetch-head", "--recurse-submodules=no"]
            self._git([*line, "--", self.url, f"refs/heads/{branch}:refs/heads/there"], folder)
            got = (folder / "refs" / "heads" / "there").read_text("ascii").strip()
            objects = Objects(folder / "objects", self.repo.object_format)
            arrived = objects.peel(got)
            objects.check(each.id for _, each in objects.walk(arrived) if each.mode != MODE_GITLINK)
        if not (there == got == commit and arrived == tree):
            raise DeliveryError(
                f"What arrived at {self.shown} is not what was attested: the branch {branch} is {got} with the tree "
                f"{arrived}, not {tree}. Remove it there."
            )

    @property
    def shown(self) -> str:
        return visible(self.url)

    def _git(self, line: list[str], git_dir: Path | None = None) -> str:
        own = {name: value for name, value in self.environ.items() if not name.startswith("GIT_")}
        places = {"GIT_DIR": str(git_dir or neutral_dir(self.repo.object_format))}
        if git_dir is None:
            places["GIT_OBJECT_DIRECTORY"] = str(self.repo.objects_dir)
        still = {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": PROTOCOLS,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "LC_ALL": "C",
        }
        path = outside(self.environ.get("PATH", os.defpath), self.repo.root)
        switches = ["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "push.gpgSign=false"]
        try:
            done = subprocess.run(
                ["git", "--no-pager", *switches, *line],
                cwd="/",
                env={**own, **places, **still, "PATH": path},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeliveryError(f"`git {line[0]}` could not be run ({type(error).__name__}).") from None
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())[:400]
            raise DeliveryError(f"`git {line[0]}` was refused by {self.shown}: {visible(said)}.")
        return done.stdout.decode("utf-8", "replace")


def outside(path: str, root: Path) -> str:
    """PATH without what an agent can write, and without what depends on the folder."""
    kept = [each for each in path.split(":") if each.startswith("/")]
    return ":".join(each for each in kept if not Path(each).resolve().is_relative_to(root.resolve()))


def address(root: Path, given: str | None) -> str:
    """Where this project is delivered to: what a person gives, or gave before. Raises UsageError, ConfigError."""
    place = config_home() / "deliver" / hashlib.sha256(os.fsencode(root.resolve())).hexdigest()
    if given is not None:
        if not _ADDRESS.fullmatch(given) or not given.isprintable():
            raise UsageError("--to must be an address that git can push to, https, ssh or a path, without a password.")
        return given
    try:
        kept = files.read_bytes(place).decode("utf-8").strip()
    except FileNotFoundError:
        raise UsageError(
            "Nobody has said yet where this project is delivered to: give --to URL. It is remembered, outside of the "
            "repository: what the repository says of its remotes, an agent can write."
        ) from None
    except (StorageError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place} cannot be used ({error}): give --to URL.") from None
    if not _ADDRESS.fullmatch(kept):
        raise ConfigError(f"{place} holds no address: give --to URL.")
    return kept


def remember(root: Path, url: str) -> None:
    """Raises StorageError."""
    place = config_home() / "deliver" / hashlib.sha256(os.fsencode(root.resolve())).hexdigest()
    files.atomic_write(place, f"{url}\n".encode())


def check_branch(branch: str, into: str) -> None:
    """Raises UsageError for names that are none, or are not ours to write."""
    for name in (branch, into):
        parts = name.split("/")
        if not _BRANCH.fullmatch(name) or any(part.endswith((".", ".lock")) or ".." in part for part in parts):
            raise UsageError(f"{name!r} is no name of a branch.")
    if branch == into or branch in ("main", "master", "HEAD"):
        raise UsageError(f"Nothing is pushed to {branch} itself: choose another name with --branch.")
