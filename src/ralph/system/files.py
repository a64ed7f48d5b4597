"""The one door to files of Ralph's own.

Rules (design decision 32):

- A file is replaced, never changed: written under another name in the same directory, synced, renamed, and the
  directory synced. Whoever reads it, or whatever crashes, meets the old content or the new one.
- One writer at a time: `lock` waits, and then names who holds it.
- `write_json` keeps the previous version as `.bak`. A damaged file is reported, never read as empty, never
  overwritten, and never kept as `.bak`.
- A symlink at the place of the file is refused: it would lead the write somewhere else.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ralph.errors import StorageError

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.ELOOP: "it is a symbolic link, which Ralph does not follow",
    errno.ENOENT: "there is no such file or directory",
}


def reason(error: OSError) -> str:
    """What went wrong, for the end of a sentence."""
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


def atomic_write(path: Path, data: bytes, *, keep: bool = False) -> None:
    """Replace the content of `path`, making its directory if needed. Raises StorageError.

    `keep` keeps what it replaces as `.bak`: the caller has seen that it is not damaged.
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        _refuse_symlink(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_synced(temporary, data)
            if keep:
                _keep_previous(path)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {reason(error)}.") from error


def read_json(path: Path) -> Any:
    """The value in `path`. Raises StorageError if it is missing, unreadable or damaged, and says what can be done."""
    try:
        data = read_bytes(path)
    except FileNotFoundError as error:
        raise StorageError(f"{path} does not exist{_way_out(path)}.") from error
    try:
        return parse_json(data)
    except ValueError as error:
        raise StorageError(f"{path} is damaged and was left as it is ({error}){_way_out(path)}.") from error


def write_json(path: Path, value: Any) -> None:
    """Replace the value in `path`; the previous one is kept as `.bak`. Raises StorageError, also if what is there is
    damaged. Callers that read, change and write hold `lock(path)` around all three."""
    data = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass") + b"\n"
    with suppress(FileNotFoundError):
        previous = read_bytes(path)
        read_json(path)
        atomic_write(backup_of(path), previous)
    atomic_write(path, data)


def backup_of(path: Path) -> Path:
    return path.with_name(path.name + ".bak")


@contextmanager
def lock(path: Path, *, timeout_s: float = 10.0) -> Iterator[None]:
    """Be the only writer of `path`. Raises StorageError that names the holder if it does not become free in time.

    The lock ends with its holder, however that dies. It lies in a file of its own, because `path` is replaced.
    """
    place = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise StorageError(f"{place} cannot be locked: {reason(error)}.") from error
    try:
        if not wait_for_lock(descriptor, timeout_s):
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise StorageError(
                f"{path} is in use by process {holder} (waited {timeout_s:g} s); wait for it to end, or stop it."
            )
        with suppress(OSError):  # on a full disk the lock holds all the same, and only its holder has no name
            os.pwrite(descriptor, f"{os.getpid():<20}".encode("ascii"), 0)
        yield
    finally:
        os.close(descriptor)


def wait_for_lock(descriptor: int, timeout_s: float) -> bool:
    """Lock an open file, which ends when it is closed or its holder dies. False if it did not become free in time."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)


def read_bytes(path: Path) -> bytes:
    """The whole content of a plain file. Raises FileNotFoundError, and StorageError for anything else that is wrong."""
    try:
        # Without O_NONBLOCK a pipe that somebody put there would be waited for forever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - pathlib cannot refuse links
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise StorageError(f"{path} is no plain file: remove it.")
            return file.read()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {reason(error)}.") from error


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """What the operating system refuses meanwhile is a StorageError about `place`."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {reason(error)}.") from error


def is_there(path: Path) -> bool:
    """Whether anything has that name, a link that leads nowhere too. Raises StorageError where nobody can tell."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StorageError(f"{path} cannot be looked at: {reason(error)}.") from error
    return True


def sync_directory(directory: Path) -> None:
    """Make a rename in `directory` last through a power cut."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_synced(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _keep_previous(path: Path) -> None:
    """What is at `path` becomes its `.bak` as well, by a second name: nothing is copied."""
    link = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        os.link(path, link, follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError:  # a file system without hard links, or a file of somebody else
        atomic_write(backup_of(path), read_bytes(path))
        return
    try:
        link.replace(backup_of(path))
    finally:
        link.unlink(missing_ok=True)  # the rename does nothing if both are names of one file already


def _refuse_symlink(path: Path) -> None:
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))


def parse_json(data: bytes) -> Any:
    """Strict JSON: duplicate keys are damage too, because one of the two values would be lost silently.

    Raises ValueError, whatever the data is.
    """
    try:
        return json.loads(data, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _way_out(path: Path) -> str:
    backup = backup_of(path)
    try:
        parse_json(read_bytes(backup))
    except (FileNotFoundError, StorageError, ValueError):
        return "; correct it, or move it away"
    return f"; {backup} is good: to go on with it, copy it to {path.name}"


def sync_tree(directory: Path) -> None:
    """Make every file below `directory`, and every directory of it, durable. Raises StorageError."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and few who come here need it

    places = [Path(folder, name) for folder, _, names in os.walk(directory) for name in [*names, ""]]
    try:
        with ThreadPoolExecutor(max_workers=8) as pool:  # together they cost little more than one alone
            list(pool.map(_sync, places))
    except OSError as error:
        raise StorageError(f"{error.filename or directory} cannot be written: {reason(error)}.") from error


def _sync(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
