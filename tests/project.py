"""Real git repositories for tests, made and changed by the real git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@localhost",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@localhost",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def git(root: Path, *args: str) -> str:
    done = subprocess.run(
        ["git", *args], cwd=root, env={**os.environ, **IDENTITY}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"git {' '.join(args)}: {done.stderr}"
    return done.stdout.strip()


def write(root: Path, files: Mapping[str, str | None]) -> None:
    """Write files below `root`; None deletes one."""
    for name, text in files.items():
        path = root / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(root: Path, files: Mapping[str, str | None], message: str = "work") -> str:
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def repository(root: Path, files: Mapping[str, str]) -> Path:
    """A new repository on branch main whose first commit holds `files`."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    commit(root, files, "first")
    return root


def link_packages(root: Path, packages: Path) -> None:
    """Installed packages in a `node_modules` of the project's own, which tools write into, one link for each."""
    folder = root / "node_modules"
    folder.mkdir()
    for each in packages.iterdir():
        if each.name == ".bin" or not each.name.startswith("."):  # others are caches of tools
            (folder / each.name).symlink_to(each)
