"""Protected paths that do not exist: kept from being made inside the sandbox, and no litter afterwards.

A file that is absent and would be obeyed (`.claude/settings.json`, `.git/hooks`) is as good as a file that can be
changed. Where the folder around it is read-only nothing needs doing. Where it may be written:

- An empty folder stands in its place while the command runs, and bubblewrap mounts it read-only, which keeps it from
  being removed, renamed or replaced. A folder, never a file: git does not see empty folders, so no tree changes.
- What stands is on record before it is made. The record is locked while its process lives, so after a kill the next
  command removes what was left. Several commands may need the same placeholder: the last one removes it.
- Placeholders are made and removed name by name from the root, following no link that a command may have planted, and
  only an empty folder is ever removed: whatever somebody has put there meanwhile stays.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.errors import StorageError
from ralph.permissions.sandbox.unlinked import descend
from ralph.record import field, record
from ralph.system.hold import SUFFIX, Held, hold, take_over
from ralph.system.places import cache_home


def records_dir() -> Path:
    return cache_home() / "placeholders"


@contextmanager
def standing(places: Collection[str]) -> Iterator[None]:
    """Placeholders for those of these paths that are missing, while a command runs.

    Raises StorageError if they cannot be made.
    """
    # An empty folder may be another command's placeholder, and about to be removed.
    if all(map(_stands, places)) and not any(records_dir().glob("*.json")):
        yield
        return
    try:
        records_dir().mkdir(parents=True, exist_ok=True, mode=0o700)
        claim = _Claim(hold(records_dir() / f"{secrets.token_hex(8)}.json"))
        claim.stake(places)
    except OSError as error:
        raise StorageError(
            f"{error.filename} is missing, and no folder can stand in its place: {error.strerror}."
        ) from error
    try:
        yield
    finally:
        claim.give_up()


@record(frozen=False)
class _Claim:
    """The record of one command, and the placeholders that it needs."""

    mark: Held
    mine: list[Path] = field(default_factory=list)

    def stake(self, places: Iterable[str]) -> None:
        try:
            with _exclusively():
                living = _clear()
                self.mine += dict.fromkeys(each for path in places for each in _chain(Path(path), living))
                record = json.dumps([os.fspath(path) for path in self.mine])
                self.mark.path.with_suffix("").write_text(record, encoding="utf-8")
                for path in self.mine:
                    _make(path)
        except OSError:
            self.give_up()
            raise

    def give_up(self) -> None:
        with _exclusively():
            _remove(self.mine, _clear(besides=self.mark.path))
            self.mark.path.with_suffix("").unlink(missing_ok=True)
            self.mark.release()


@contextmanager
def _exclusively() -> Iterator[None]:
    descriptor = os.open(records_dir() / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _stands(path: str) -> bool:
    """True for what is there by itself: placeholders are empty folders."""
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is not None
    except FileNotFoundError:
        return os.path.lexists(path)  # a link that leads nowhere
    except OSError:
        return True


def _clear(besides: Path | None = None) -> set[Path]:
    """Remove what killed processes left; what living ones need, but for the one with the mark `besides`."""
    living: set[Path] = set()
    dead: list[Path] = []
    taken: list[tuple[Path, Held]] = []
    for mark in records_dir().glob(f"*{SUFFIX}"):
        if mark == besides:
            continue
        record = mark.with_suffix("")
        paths = _read(record)
        if left := take_over(record):
            dead += paths
            taken.append((record, left))
        else:
            living.update(paths)
    _remove(dead, living)  # before their records go: what is recorded nowhere is taken for the person's own
    for record, left in taken:
        record.unlink(missing_ok=True)
        left.release()
    return living


def _read(record: Path) -> list[Path]:
    try:
        return [Path(each) for each in json.loads(record.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return []  # killed before it had made anything


def _chain(path: Path, living: set[Path]) -> Iterator[Path]:
    """The path and the folders above it, as far as they are missing or placeholders already."""
    return (each for each in (*reversed(path.parents), path) if each in living or not os.path.lexists(each))


def _make(path: Path) -> None:
    parent = descend(path.parent)
    try:
        with suppress(FileExistsError):
            os.mkdir(path.name, 0o755, dir_fd=parent)
        if not stat.S_ISDIR(os.stat(path.name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise FileExistsError(17, "something else appeared there", str(path))
    finally:
        os.close(parent)


def _remove(paths: Iterable[Path], living: set[Path]) -> None:
    for path in sorted(set(paths) - living, reverse=True):
        with suppress(OSError):  # gone, not empty any more, or out of reach: not ours to remove
            parent = descend(path.parent)
            try:
                os.rmdir(path.name, dir_fd=parent)
            finally:
                os.close(parent)
