"""Real repositories for tests, made with plain git as a user (or an agent) would."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ralph.system.git import Repository, open_repository

WHO = {
    "GIT_AUTHOR_NAME": "Someone",
    "GIT_AUTHOR_EMAIL": "someone@example.org",
    "GIT_COMMITTER_NAME": "Someone",
    "GIT_COMMITTER_EMAIL": "someone@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
    "LC_ALL": "C.UTF-8",
}


def git(root: Path, *args: str | bytes, stdin: bytes = b"", **environment: str) -> str:
    """Run git as the user of the repository does, configuration and hooks and all."""
    command = ["git", "-C", str(root), *args]
    done = subprocess.run(command, input=stdin, capture_output=True, check=True, env=WHO | environment)
    return os.fsdecode(done.stdout.rstrip(b"\n"))


def make(root: Path, files: Mapping[str, str | bytes] | None = None, *options: str) -> Repository:
    """A repository whose first commit holds `files` (no commit if there are none)."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet", "--initial-branch=main", *options)
    if files is not None:
        write(root, files)
        commit(root)
    return open_repository(root)


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def commit(root: Path, message: str = "work") -> str:
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--allow-empty", "--no-verify", "-m", message)
    return git(root, "rev-parse", "HEAD")


def forge(repo: Repository, object_id: str, kind: str, content: bytes) -> None:
    """Put `content` into the object store under the id of something else, as anyone with write access can."""
    import zlib

    path = repo.objects_dir / object_id[:2] / object_id[2:]
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(f"{kind} {len(content)}\0".encode() + content))


def trap(directory: Path, name: str = "trap") -> tuple[Path, Path]:
    """A program that leaves a mark when anyone runs it, and the mark."""
    mark = directory / f"{name}.was-run"
    program = directory / name
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    return program, mark
