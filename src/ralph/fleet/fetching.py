"""The one door through which something comes from elsewhere: commits of a named repository, into a mirror of ours.

Rules:

- Only objects come, of the commits that a job names, into a git directory whose configuration is ours: no ref, hook,
  filter or submodule of the other side takes part. What is checked out is written by `system.git_checkout`.
- Transports are file, https, http, ssh and git, and nothing that runs a program of the address. An address that holds
  a password is refused: git's credential helpers and ssh keys of the worker's user are for that.
- Nobody is asked for a password: what cannot be fetched is an error in one sentence, with a time limit.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from ralph.errors import RepositoryError, UsageError
from ralph.system.git_door import neutral_config
from ralph.system.text import visible

TIMEOUT_S = 600.0
TRANSPORTS = "file:https:http:ssh:git"
_SCHEMES = ("file", "https", "http", "ssh", "git")
_SCP = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^:\s][^\s]*")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def address(given: str, directory: Path) -> str:
    """A repository as all workers are to know it: the whole path of a folder, or an address. Raises UsageError."""
    if not given or given.startswith("-") or not given.isprintable():
        raise UsageError(f"{given!r} is no repository: give a folder or an address.")
    if "://" in given:
        parts = urlsplit(given)
        if parts.scheme not in _SCHEMES:
            raise UsageError(f"A repository cannot be fetched by {parts.scheme!r}: use one of {', '.join(_SCHEMES)}.")
        if parts.password is not None or (parts.username and parts.scheme in ("https", "http")):
            raise UsageError("The repository's address holds a secret: leave it to git's credential helper or ssh.")
        return given
    if _SCP.fullmatch(given):
        return given
    return str((directory / given).resolve())


def is_local(repository: str) -> bool:
    return repository.startswith("/")


def names(repository: str) -> dict[str, str]:
    """What an address calls its commits: `HEAD`, `refs/heads/main`, ... Raises RepositoryError."""
    listed = _git(["ls-remote", "--quiet", "--", repository], Path("/"), repository)
    pairs = (line.split("\t", 1) for line in listed.splitlines() if "\t" in line)
    return {name: commit for commit, name in pairs if _COMMIT.fullmatch(commit)}


def fetch(mirror: Path, repository: str, commits: list[str]) -> None:
    """Have these commits, with all that leads to them, in the mirror. Raises RepositoryError."""
    _made(mirror)
    missing = [each for each in dict.fromkeys(commits) if not _has(mirror, each)]
    if missing:
        args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"]
        _git([*args, "--", repository, *missing], mirror, repository)


def _made(mirror: Path) -> None:
    if (mirror / "HEAD").exists():
        return
    for folder in ("objects/info", "objects/pack", "refs"):
        (mirror / folder).mkdir(parents=True, exist_ok=True)
    (mirror / "config").write_text(neutral_config("sha1", bare=True))
    (mirror / "HEAD").write_text("ref: refs/heads/none\n")


def _has(mirror: Path, commit: str) -> bool:
    """The commit and everything below it, as one that was cut off may have left the one without the other."""
    args = ["rev-list", "--quiet", "--objects", "--max-count=1", commit]
    return _run(args, mirror).returncode == 0


def _git(args: list[str], folder: Path, repository: str) -> str:
    try:
        done = _run(args, folder)
    except subprocess.TimeoutExpired:
        raise RepositoryError(f"{repository} did not answer within {TIMEOUT_S:g} s.") from None
    if done.returncode:
        said = visible(" ".join(done.stderr.decode("utf-8", "replace").split()))[:400]
        raise RepositoryError(f"{repository} cannot be fetched from: {said or done.returncode}.")
    return done.stdout.decode("utf-8", "replace")


def _run(args: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _OURS}
    env = kept | {
        "GIT_ALLOW_PROTOCOL": TRANSPORTS,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": os.environ.get("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }
    line = ["git", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "protocol.version=2", *args]
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)


_OURS = ("GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
