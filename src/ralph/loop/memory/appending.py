"""Files of plain text that only grow by whole lines, from many writers at once.

Rules (design decision 32): a line is one write under the file's lock, and on the disk when the call returns. One that
did not fit is taken back. What a crash left torn at the end is closed by a line end and kept: it is never joined with
the next line. The file is locked by itself, since it is never replaced.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ralph.errors import StorageError
from ralph.system import files

LOCK_S = 30.0


def append_line(path: Path, line: bytes, *, unless: Callable[[bytes], bool] = lambda _: False) -> bool:
    """Add a line (without its end), unless what stands there says otherwise. Whether it was added. Raises StorageError.

    `unless` gets the whole content, as no other writer can change it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
        with open(descriptor, "r+b", buffering=0) as file:  # noqa: PTH123 - pathlib cannot refuse links
            if not files.wait_for_lock(descriptor, LOCK_S):
                raise StorageError(f"{path} was in use by another process for {LOCK_S:g} s: try again.")
            size = file.seek(0, os.SEEK_END)
            if unless(os.pread(descriptor, size, 0)):
                return False
            torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
            _write(descriptor, (b"\n" if torn else b"") + line + b"\n", size)
            if not size:
                files.sync_directory(path.parent)
            return True
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {files.reason(error)}.") from error


def _write(descriptor: int, data: bytes, size: int) -> None:
    """All of `data` behind the first `size` bytes, or nothing."""
    place = size
    try:
        while data:
            written = os.pwrite(descriptor, data, place)
            data, place = data[written:], place + written
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
