"""Paths opened name by name, with no symbolic link on the way: what a command planted beside us leads nowhere.

A path that was checked and is then used by its name can be another's by then, if a second command of the agent writes
the same project at the time. So what is mounted for writing or protecting is opened here, and bubblewrap, where it is
new enough, is given the descriptor and ends if something else stands under the name.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from ralph.errors import SandboxUnavailable

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def descend(path: Path) -> int:
    """A descriptor for the file or folder, good for naming it only. Raises OSError, also for a link on the way."""
    descriptor = os.open("/", _FOLDER)
    for at, name in enumerate(path.parts[1:], start=2):
        flags = _FOLDER if at < len(path.parts) else _FOLDER & ~os.O_DIRECTORY
        try:
            below = os.open(name, flags, dir_fd=descriptor)
        except OSError as error:
            error.filename = str(path)
            raise
        finally:
            os.close(descriptor)
        descriptor = below
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return descriptor


@contextmanager
def held(bwrap: str, paths: Iterable[str]) -> Iterator[dict[str, int]]:
    """Descriptors for these paths; none where bubblewrap is too old to take them. Raises SandboxUnavailable."""
    with ExitStack() as stack:
        found: dict[str, int] = {}
        for path in paths if _takes_descriptors(bwrap) else ():
            try:
                found[path] = descend(Path(path))
            except OSError as error:
                raise SandboxUnavailable(
                    f"{path} has changed under our hands ({error.strerror}); try again."
                ) from error
            stack.callback(os.close, found[path])
        yield found


@cache
def _takes_descriptors(bwrap: str) -> bool:
    return b"ro-bind-fd" in Path(bwrap).read_bytes()  # the options that it knows stand in it as words
