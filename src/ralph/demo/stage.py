"""Sets the stage: a repository with the bundled project as its first commit, and the script of the agent."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ralph.errors import MissingToolError, UsageError
from ralph.system import clock
from ralph.system.extras import missing
from ralph.system.history import create_repository
from ralph.system.places import shadow_dir

HERE = Path(__file__).parent
SCRIPT = HERE / "script.yaml"
PROMPT = "The shares of a bill do not always add up to the total. Mend it, with a test."
TOOLS = ("ruff", "mypy", "pytest")


def prepare(directory: Path | None) -> Path:
    """Copy the project to `directory` (it must not exist or be empty) and commit it. Gives the resolved directory."""
    if directory is None:
        root = Path(tempfile.mkdtemp(prefix="ralph-demo-"))
    elif directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UsageError(f"{directory} is not an empty folder; name another one for the demonstration.")
    else:
        root = directory.absolute()
    shutil.copytree(
        HERE / "project", root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*_cache")
    )
    create_repository(root, "A bill splitter", clock.now(), shadow_dir(root))
    return root.resolve()


def environment() -> Mapping[str, str]:
    """The person's own, with the tools beside this interpreter first. Raises MissingToolError without them."""
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    if not all(shutil.which(tool, path=environ["PATH"]) for tool in TOOLS):
        raise MissingToolError(missing("The demonstration's project", "demo"))
    return environ
