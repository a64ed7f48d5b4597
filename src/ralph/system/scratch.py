"""Scratch folders of our own: removed when done, and by the next run when a kill left one behind."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ralph.errors import StorageError
from ralph.system.hold import held_folder


@contextlib.contextmanager
def scratch(purpose: str) -> Iterator[Path]:
    """An empty folder for `purpose`, below the system's folder for temporary files. Raises StorageError."""
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(held_folder(own_temporary(), purpose))
        except OSError as error:
            raise StorageError(
                f"No scratch folder can be made in {error.filename}: {error.strerror}; set TMPDIR to a folder that "
                "can be written."
            ) from None
        yield folder


def own_temporary() -> Path:
    """The folder below the system's folder for temporary files that is Ralph's and its user's alone."""
    parent = Path(tempfile.gettempdir()) / f"ralph-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        parent.mkdir(mode=0o700)
    owner = parent.lstat()
    if owner.st_uid != os.getuid() or not stat.S_ISDIR(owner.st_mode):
        raise StorageError(f"{parent} belongs to somebody else; remove it, or set TMPDIR to a folder of your own.")
    return parent
