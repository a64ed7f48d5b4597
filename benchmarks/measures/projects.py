"""Repositories to measure on."""

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
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def repository(root: Path, files: Mapping[str, str]) -> Path:
    """A repository whose first commit holds `files`."""
    root.mkdir(parents=True)
    write(root, files)
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *command], cwd=root, env={**os.environ, **IDENTITY}, check=True)
    return root


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
