"""The folder `.ralph/approvals`, reached without following a link (design decisions 24, 32).

Rules:

- Every name is opened relative to the folder's own descriptor, and neither `.ralph`, the folder nor a file in it may
  be a symbolic link: who plants one gets an error, and nothing is read or written elsewhere.
- A file appears whole or not at all (written under another name, synced, linked), exactly once, and is never changed:
  of many who make the same one, a single one succeeds.
- Who makes files holds the folder's lock, which ends with its holder. A temporary name met under the lock was left by
  a kill, and is removed.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.errors import ApprovalError, StorageError
from ralph.record import record
from ralph.system.files import reason, wait_for_lock

PLACE = (".ralph", "approvals")
_LOCK = ".lock"
_LOCK_TIMEOUT_S = 30.0
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@record
class Folder:
    """The open folder. `path` is for messages only."""

    path: Path
    descriptor: int

    def names(self) -> list[str]:
        return sorted(os.listdir(self.descriptor))  # noqa: PTH208 - by descriptor

    def has(self, name: str) -> bool:
        """True if anything at all stands there."""
        try:
            os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def read(self, name: str, most: int) -> bytes | None:
        """The content of a plain file, None if there is none. Raises ApprovalError for anything else."""
        try:
            with open(self._open(name, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 - by descriptor
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise ApprovalError(f"{self.path / name} is no plain file: somebody put it there; remove it.")
                data = file.read(most + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ApprovalError(f"{self.path / name} cannot be read: {reason(error)}.") from None
        if len(data) > most:
            raise ApprovalError(f"{self.path / name} is larger than any that Ralph writes: remove it.")
        return data

    def create(self, name: str, data: bytes, *, held: bool = False) -> int | None:
        """Make a file, under the lock; its descriptor if it is to be `held` (locked from its first moment on).

        Raises FileExistsError if the name is taken, StorageError if it cannot be written.
        """
        temporary = f".{name}.{secrets.token_hex(4)}.tmp"
        try:
            descriptor = self._open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            try:
                with open(descriptor, "wb", closefd=False) as file:
                    file.write(data)
                os.fsync(descriptor)
                if held:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._link(temporary, name)
            except BaseException:
                os.close(descriptor)
                raise
            finally:
                os.unlink(temporary, dir_fd=self.descriptor)
            os.fsync(self.descriptor)
        except FileExistsError:
            raise
        except OSError as error:
            raise StorageError(f"{self.path / name} cannot be written: {reason(error)}.") from None
        if held:
            return descriptor
        os.close(descriptor)
        return None

    def hold(self, name: str) -> int | None:
        """Lock an existing file without waiting. None if somebody else holds it, or it is gone."""
        try:
            descriptor = self._open(name, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one who makes files here. Raises StorageError if it does not become free in time."""
        try:
            descriptor = self._open(_LOCK, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise StorageError(f"{self.path / _LOCK} cannot be locked: {reason(error)}.") from None
        try:
            if not wait_for_lock(descriptor, _LOCK_TIMEOUT_S):
                raise StorageError(f"{self.path} was in use by another process for {_LOCK_TIMEOUT_S:g} s: try again.")
            for name in self.names():
                if name.endswith(".tmp"):
                    with suppress(FileNotFoundError, IsADirectoryError):
                        os.unlink(name, dir_fd=self.descriptor)
            yield
        finally:
            os.close(descriptor)

    def _open(self, name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=self.descriptor)

    def _link(self, source: str, target: str) -> None:
        os.link(source, target, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor, follow_symlinks=False)


@contextmanager
def opened(root: Path, *, create: bool) -> Iterator[Folder | None]:
    """The folder of the project at `root`; None if there is none and it is not to be made. Raises StorageError."""
    path = root.joinpath(*PLACE)
    try:
        descriptor = _descend(root, create=create)
    except FileNotFoundError:
        yield None
        return
    except NotADirectoryError:
        raise StorageError(f"{path} leads over a link or a file, which Ralph does not follow: remove it.") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {reason(error)}.") from None
    try:
        yield Folder(path, descriptor)
    finally:
        os.close(descriptor)


def _descend(root: Path, *, create: bool) -> int:
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for name in PLACE:
        above = descriptor
        try:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o777 if name == PLACE[0] else 0o700, dir_fd=above)
                    os.fsync(above)
            descriptor = os.open(name, _DIRECTORY, dir_fd=above)
        finally:
            os.close(above)
    return descriptor
