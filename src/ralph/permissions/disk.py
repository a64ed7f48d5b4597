"""The real file system behind `permissions.place`: every question is answered by looking, every time.

Nothing is kept between two questions, since an agent may have put a link there meanwhile. What cannot be looked at is
an OSError or counts as there, never as harmless.
"""

from __future__ import annotations

import errno
import glob
import itertools
import os
import stat
from pathlib import Path

from ralph.permissions.place import Place

MAX_LINKS = 40
"""As many as Linux follows."""
MAX_MATCHES = 2000


class RealFiles:
    """`Files`, answered by the disk. `path` are the folders in which a program is looked for."""

    def __init__(self, path: str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin") -> None:
        self._path = path

    def resolve(self, path: str) -> str:
        """The path with `..` and every link of its existing part resolved.

        Raises OSError on a loop, where permission is missing, for links that lead through /proc (they mean something
        else in another process), and for what is neither file nor folder.
        """
        pending = list(reversed(path.split("/")))
        current, links, mode = "", 0, stat.S_IFDIR
        while pending:
            name = pending.pop()
            if name in ("", "."):
                continue
            if name == "..":
                current = current.rpartition("/")[0]
                mode = stat.S_IFDIR
                continue
            current += f"/{name}"
            mode = _mode(current)
            if stat.S_ISLNK(mode):
                links += 1
                if links > MAX_LINKS or current.startswith("/proc/"):
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                target = os.readlink(current)  # noqa: PTH115 - pathlib would normalise the target
                pending.extend(reversed(target.split("/")))
                current = "" if target.startswith("/") else current.rpartition("/")[0]
                mode = stat.S_IFDIR
        if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(errno.ENXIO, "it is a pipe, a socket or a device", path)
        return current or "/"

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def is_directory(self, path: str) -> bool:
        return Path(path).is_dir()

    def links(self, path: str) -> int:
        try:
            return Path(path).lstat().st_nlink
        except (FileNotFoundError, NotADirectoryError):
            return 0

    def matches(self, pattern: str) -> list[str] | None:
        found = list(itertools.islice(glob.iglob(pattern), MAX_MATCHES + 1))  # noqa: PTH207 - absolute patterns
        return None if len(found) > MAX_MATCHES else found

    def program(self, name: str) -> str | None:
        """Like the kernel's own search: the first plain file of this name that may be run."""
        if "/" in name:
            return None
        places = (f"{folder}/{name}" for folder in self._path.split(":"))
        found = next((each for each in places if Path(each).is_file() and os.access(each, os.X_OK)), None)
        return os.path.realpath(found) if found else None


def here(cwd: Path) -> Place:
    """The place of a project whose root is `cwd`."""
    return Place(root=os.path.realpath(cwd), home=os.path.realpath(Path.home()), files=RealFiles())


def _mode(path: str) -> int:
    """The kind of entry at a path, links not followed; 0 where nothing is."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
