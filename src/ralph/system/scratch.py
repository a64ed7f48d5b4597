"""Scratch folders of our own: removed when done, and by the next run when a kill left one behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ralph.errors import StorageError
from ralph.system.hold import hold, is_held


@contextlib.contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """An empty folder for `purpose`, below the system's folder for temporary files."""
    parent = Path(tempfile.gettempdir()) / f"ralph-{os.getuid()}"
    parent.mkdir(mode=0o700, exist_ok=True)
    owner = parent.lstat()
    if owner.st_uid != os.getuid() or not stat.S_ISDIR(owner.st_mode):
        raise StorageError(f"{parent} belongs to somebody else; remove it, or set TMPDIR to a folder of your own.")
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=parent))
    held = hold(folder.with_name(f"{folder.name}.held"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        held.release()


def _sweep(parent: Path) -> None:
    """Remove the folders of runs that were killed: those that nobody holds."""
    for mark in parent.glob("*.held"):
        if not is_held(mark):
            shutil.rmtree(mark.with_suffix(""), ignore_errors=True)
            mark.unlink(missing_ok=True)
