"""The directory in which set-aside files wait, from its making to its removal, also after a crash.

Rules (design decisions 2, 32): see `aside.py` for what the directory holds. Whoever is in charge of it holds its
lock: the running command's warden and Ralph together, later the `recover_set_aside` of the next start. The lock ends
with its last holder, so a directory that is not locked belongs to a run that was killed.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.errors import StorageError
from ralph.record import record
from ralph.system import aside, files


@record
class Aside:
    """An open directory for set-aside files; both None when the command has none."""

    directory: str | None = None
    lock: int | None = None


@contextmanager
def opened(root: Path | None, pairs: list[aside.Pair]) -> Iterator[Aside]:
    """A fresh directory below `root` with its journal written and its lock held; removed after, if all is back."""
    if not pairs:
        yield Aside()
        return
    if root is None:
        raise ValueError("a command with set-aside files needs aside_root")
    directory = root.absolute() / secrets.token_hex(8)
    try:
        directory.mkdir(parents=True)
        lock = os.open(directory / aside.LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink == 0:  # another Ralph took it, in that instant, for one that was left behind
            raise FileNotFoundError(errno.ENOENT, "it was removed meanwhile, try again")
        files.atomic_write(directory / aside.JOURNAL, json.dumps({"pairs": pairs}).encode("ascii"))
    except OSError as error:
        raise StorageError(f"Reports cannot be set aside in {directory}: {error.strerror}.") from error
    try:
        yield Aside(str(directory), lock)
    finally:
        with suppress(OSError):  # what is left is found by the next start
            aside.clear(str(directory))
        os.close(lock)


def recover_set_aside(root: Path, *, wait_s: float = 3.0) -> list[str]:
    """Put back what killed runs left in `root`. One sentence for each thing that could not simply be put back.

    A directory whose warden is still at work is waited for, at most `wait_s`; then it is left to whoever holds it.
    """
    notes: list[str] = []
    deadline = time.monotonic() + wait_s
    for directory in sorted(root.glob("*/")) if root.is_dir() else []:
        try:
            lock = os.open(directory / aside.LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue  # its owner has just removed it
        try:
            if files.wait_for_lock(lock, deadline - time.monotonic()) and directory.is_dir():
                notes += _recover(directory)
        finally:
            os.close(lock)
    return notes


def _recover(directory: Path) -> list[str]:
    try:
        journal = json.loads((directory / aside.JOURNAL).read_bytes())
        pairs = [(str(path), str(collect_to)) for path, collect_to in journal["pairs"]]
        last_sign = (directory / aside.LOCK).stat().st_mtime
        notes = aside.put_back(str(directory), pairs, alive_until=last_sign)
    except FileNotFoundError:
        notes = []  # killed before anything was moved
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [
            f"The files in {directory} could not be put back ({error}); put them where they belong, then remove it."
        ]
    with suppress(OSError):
        aside.clear(str(directory))
    return notes
