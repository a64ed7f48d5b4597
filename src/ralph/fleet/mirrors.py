"""What a home keeps of repositories between jobs, and for how long.

Rules:

- A mirror is locked by whoever uses it, by many at once; the kernel takes the lock away with the process. Only one that
  nobody uses is removed, and only after that: nobody can begin to use it meanwhile.
- A mirror goes that no job used for some days. If all of them together are too large, those go that were not used for
  longest, until they are not. What is asked for again is fetched again.
- The working copy of a run borrows from the mirror, also while the run waits: as long as it is there, so is the mirror.
- Evidence outlives the mirror: before it goes, the working copies take over the trees that were judged.
- A mirror leaves by one renaming, so it is whole or not there at all. What a killed cleaner left goes the next time.
- What a worker left that was killed goes a day later: by then nobody asks any more whether it lives.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.fleet.checkout import ALTERNATES, set_free
from ralph.fleet.fetching import fetch
from ralph.fleet.home import FORGOTTEN_S, Home
from ralph.record import record
from ralph.system import files
from ralph.system.hold import SUFFIX, mark_of, remove, take_over

DAY_S, GB = 24 * 3600.0, 1e9
_GONE = ".gone"


@record(kw_only=True)
class Bounds:
    """For how long and how much a home keeps."""

    days: float = 30.0
    gigabytes: float = 20.0


@contextmanager
def fetched(home: Home, repository: str, commits: list[str]) -> Iterator[None]:
    """These commits are in the mirror of the repository, and stay there as long as this lasts. Raises RalphError."""
    mirror = home.mirror(repository)
    with files.writing(mirror):
        mirror.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _shared(mark_of(mirror))
    try:
        fetch(mirror, repository, commits)
        yield
    finally:
        os.utime(descriptor)
        os.close(descriptor)


def _shared(mark: Path) -> int:
    while True:
        descriptor = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)  # a cleaner removed it while this one waited


def tidy(home: Home, bounds: Bounds) -> list[Path]:
    """Remove what is kept for too long; the mirrors that went. Raises StorageError."""
    folder = home.path / "mirrors"
    with files.writing(home.path):
        _forget_dead_workers(home)
        known = set(folder.glob("*.git")) | {each.with_suffix("") for each in folder.glob(f"*{SUFFIX}")}
        sizes = {mirror: _size(mirror) for mirror in sorted(known, key=_used_at)}
        gone = []
        for mirror in list(sizes):
            is_old = time.time() - _used_at(mirror) > bounds.days * DAY_S
            too_much = sum(sizes.values()) > bounds.gigabytes * GB
            if (is_old or too_much) and _set_aside(home, mirror):
                gone.append(mirror)
                del sizes[mirror]
        for left in folder.glob(f"*{_GONE}"):
            remove(left)
    return gone


def _set_aside(home: Home, mirror: Path) -> bool:
    """Take a mirror away, unless somebody uses it."""
    if (held := take_over(mirror)) is None:
        return False
    try:
        if str(mirror / "objects") in _borrowed(home):
            return False
        for copy in (home.path / "copies" / mirror.stem).glob("*/.git"):
            set_free(copy.parent)
        with suppress(FileNotFoundError):  # nothing was fetched, or a cleaner was killed just here
            mirror.rename(mirror.with_suffix(f".{secrets.token_hex(4)}{_GONE}"))
        held.path.unlink()
        return True
    finally:
        os.close(held.descriptor)


def _borrowed(home: Home) -> set[str]:
    """The objects from which the runs of this home borrow."""
    found = (home.path / "runs").glob(f"*/tree/.git/{ALTERNATES}")
    return {path.read_text().strip() for path in found}


def _forget_dead_workers(home: Home) -> None:
    for mark in (home.path / "workers").glob(f"*{SUFFIX}"):
        desk = mark.with_suffix("")
        if time.time() - _used_at(desk) > FORGOTTEN_S and (held := take_over(desk)) is not None:
            remove(desk)
            held.release()


def _used_at(place: Path) -> float:
    """When it was used last, by its mark; now, if it is removed just then."""
    for path in (mark_of(place), place):
        with suppress(FileNotFoundError):
            return path.stat().st_mtime
    return time.time()


def _size(folder: Path) -> int:
    total = 0
    for inner, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(inner) / name).lstat().st_size
    return total
