"""Marks that say "a living process is at work here": a kill takes the mark's lock away, nothing else does.

Rules (design decision 32):

- The mark is made before what it stands for, and removed after it: whatever has no mark is finished or was never begun.
- What a dead process left behind is only touched by who has taken over its mark, so two cleaners cannot meet, and a
  mark that was made just now cannot be taken for an old one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from ralph.record import record

SUFFIX = ".held"
_OURS = re.compile(r"[a-z-]+-[0-9a-f]{16}")


@record
class Held:
    """A mark that this process has locked, until it is released or the process dies."""

    path: Path
    descriptor: int

    def release(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def mark_of(path: Path) -> Path:
    """The mark that stands for `path`."""
    return path.with_name(path.name + SUFFIX)


def hold(path: Path) -> Held:
    """Make the mark for `path`, which nobody else uses. Raises OSError."""
    mark = mark_of(path)
    while True:
        descriptor = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return Held(mark, descriptor)
        os.close(descriptor)  # a cleaner took it, in that instant, for one that was left behind


def take_over(path: Path) -> Held | None:
    """The mark for `path` as this process's own, made if there is none. None while its holder lives, or when another
    has just finished with it. Raises OSError."""
    descriptor = os.open(mark_of(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    if os.fstat(descriptor).st_nlink == 0:
        os.close(descriptor)
        return None
    return Held(mark_of(path), descriptor)


@contextlib.contextmanager
def held_folder(parent: Path, purpose: str) -> Iterator[Path]:
    """A new folder in `parent`, removed at the end; those that killed processes left are removed first.

    Raises OSError if it cannot be made.
    """
    for mark in parent.glob(f"*{SUFFIX}"):
        abandoned = mark.with_suffix("")
        if not _OURS.fullmatch(abandoned.name):
            continue  # put there by somebody else: `...held` would stand for the folder above
        if left := take_over(abandoned):
            remove(abandoned)
            left.release()
    folder = parent / f"{purpose}-{secrets.token_hex(8)}"
    held = hold(folder)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        remove(folder)
        held.release()


def remove(folder: Path) -> None:
    """Also what a command has made unreadable in it. Links are removed, never followed."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir():
        folder.chmod(0o700)
        for inner, names, _ in os.walk(folder):
            for name in names:
                if not (path := Path(inner, name)).is_symlink():
                    path.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)
