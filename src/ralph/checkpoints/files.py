"""Bringing the files of a working copy to a tree (design decision 26).

Rules:

- Only paths in the given list of differences are touched: first all that must go, then all that must come.
- A path is reached through real folders alone, each opened relative to the one above; nothing is written or removed
  through a symbolic link, whatever happens meanwhile.
- A file appears by a rename: it has the old content or the new one. Executable bits and links are kept; a file that
  was private stays private.
- Only what the differences say stands in a saved tree is removed. Anything else in the way (ignored files in a folder
  where a file belongs, a pipe, a nested repository) is moved aside, never deleted.
- Folders that have become empty go; a folder with ignored files in it stays.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.record import field, record
from ralph.system.files import reason
from ralph.system.git_diff import Difference
from ralph.system.git_objects import MODE_GITLINK, MODE_SYMLINK, Entry, Objects

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@record
class Mover:
    """Changes the files below `root`; `aside` is where what stands in the way goes. `moved` lists it."""

    root: Path
    objects: Objects
    aside: Path
    moved: list[str] = field(default_factory=list)

    def apply(self, differences: Iterable[Difference]) -> None:
        """Make every path what the new side of its difference says. Raises RepositoryError; may be called again."""
        wanted = list(differences)
        try:
            for path, old, new in reversed(wanted):
                if _is_content(old) and not _is_content(new):
                    self._remove(path)
            for path, _, new in wanted:
                if new is not None:
                    self._bring(path, new)
        except OSError as error:
            raise RepositoryError(
                f"The files of {self.root} cannot be rolled back: {reason(error)} ({error.filename}); mend that and "
                "run `ralph rollback` again, it goes on where it stopped."
            ) from None

    def put_aside(self, path: str) -> None:
        """Move whatever stands at `path` out of the working copy."""
        for folder in (self.aside.parents[1], self.aside.parent, self.aside):
            if folder.is_symlink():
                raise RepositoryError(f"{folder} is a symbolic link, which Ralph does not follow: put a folder there.")
        target = self.aside / path
        while os.path.lexists(target):
            target = target.with_name(f"{target.name}~")
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(self.root / path, target)  # noqa: PTH104 - a link is moved itself
        self.moved.append(f"{path} -> {target.relative_to(self.root)}")

    def _remove(self, path: str) -> None:
        folder, name = self._folder_of(path, make=False)
        if folder is None:
            return
        try:
            with suppress(FileNotFoundError):
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
                if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                    os.unlink(name, dir_fd=folder)
        finally:
            os.close(folder)
        self._remove_empty(os.path.dirname(path))  # noqa: PTH120 - text

    def _remove_empty(self, path: str) -> None:
        while path:
            folder, name = self._folder_of(path, make=False)
            if folder is None:
                return
            try:
                os.rmdir(name, dir_fd=folder)
            except OSError:
                return
            finally:
                os.close(folder)
            path = os.path.dirname(path)  # noqa: PTH120 - text

    def _bring(self, path: str, entry: Entry) -> None:
        folder, name = self._folder_of(path, make=True)
        assert folder is not None
        try:
            present = _mode(name, folder)
            if entry.mode == MODE_GITLINK:
                if present is None:
                    os.mkdir(name, dir_fd=folder)
                return
            if present is not None and not stat.S_ISREG(present) and not stat.S_ISLNK(present):
                self._clear_the_way(path, name, folder)
                present = None
            temporary = f".ralph-{secrets.token_hex(6)}.tmp"
            try:
                self._write(temporary, folder, entry, present)
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise
        finally:
            os.close(folder)

    def _write(self, name: str, folder: int, entry: Entry, present: int | None) -> None:
        content = self.objects.blob(entry.id)
        if entry.mode == MODE_SYMLINK:
            os.symlink(content, os.fsencode(name), dir_fd=folder)
            return
        executable = entry.mode == "100755"
        mode = 0o777 if executable else 0o666
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - by descriptor
            file.write(content)
            if present is not None and stat.S_ISREG(present):
                readers = stat.S_IMODE(present) & 0o666 | 0o600
                os.fchmod(descriptor, readers | ((readers & 0o444) >> 2 if executable else 0))
            file.flush()
            os.fsync(descriptor)

    def _clear_the_way(self, path: str, name: str, folder: int) -> None:
        """Free a name on which a folder or a special file stands: an empty folder goes, anything else is kept."""
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            self.put_aside(path)

    def _folder_of(self, path: str, *, make: bool) -> tuple[int | None, str]:
        """The open folder of `path`, and the name in it; None if there is none and none is to be made."""
        *above, name = path.split("/")
        folder, done = os.open(self.root, _FOLDER), ""
        for each in above:
            done = f"{done}{each}"
            if make:
                mode = _mode(each, folder)
                if mode is not None and not stat.S_ISDIR(mode):
                    self.put_aside(done)
                if mode is None or not stat.S_ISDIR(mode):
                    os.mkdir(each, dir_fd=folder)
            try:
                deeper = os.open(each, _FOLDER, dir_fd=folder)
            except OSError:
                if make:
                    raise
                return None, name
            finally:
                os.close(folder)
            folder, done = deeper, f"{done}/"
        return folder, name


def _mode(name: str, folder: int) -> int | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


def _is_content(entry: Entry | None) -> bool:
    return entry is not None and entry.mode != MODE_GITLINK
