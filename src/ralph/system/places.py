"""Where Ralph keeps things: the one list of folders (design decisions 5, 35; section 6).

Configuration and caches follow the XDG rules: a relative value of the variable counts as unset.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

EXCLUDED = ("/.ralph/", "/state/progress.jsonl", "/state/learning.jsonl")
"""What of Ralph's own lies in a repository, as git is told to ignore it (design decision 5)."""

LEARNING = Path("state", "learning.jsonl")
"""The log of what people decided, in the project."""


def config_home() -> Path:
    """Keys, trusted digests and a person's own contracts; never inside a repository."""
    return _xdg("XDG_CONFIG_HOME", ".config") / "ralph"


def cache_home() -> Path:
    """What can be made anew at any time."""
    return _xdg("XDG_CACHE_HOME", ".cache") / "ralph"


def shadow_dir(root: Path) -> Path:
    """The git directory of our own for the working copy at `root`."""
    return cache_home() / "git" / hashlib.sha256(os.fsencode(root.resolve())).hexdigest()


def bytecode_dir(root: Path) -> Path:
    """Where Python keeps the byte code of what the steps of the project at `root` import."""
    return cache_home() / "bytecode" / hashlib.sha256(os.fsencode(root.resolve())).hexdigest()


def checkpoint_file(root: Path) -> Path:
    """The newest checkpoint of the ledger of the repository at `root`, kept where its agent has no business."""
    return config_home() / "checkpoints" / f"{hashlib.sha256(os.fsencode(root.resolve())).hexdigest()}.json"


def audit_dir(root: Path) -> Path:
    return root / ".ralph" / "audit"


def _xdg(variable: str, fallback: str) -> Path:
    value = Path(os.environ.get(variable, ""))
    return value if value.is_absolute() else Path.home() / fallback
