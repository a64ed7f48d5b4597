"""Keeps memories from growing without end (spec: core concepts, Memory Rotation and Cleanup).

Rules: the newest 20 iterations and 10 sessions stay, the oldest go to the archive, and what has been there for more
than 30 days is deleted. Only files that Ralph names so are touched. What a killed writer left half written goes as
well: nobody else writes here meanwhile. Doing it again changes nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory.folder import MemoryFolder
from ralph.record import record
from ralph.system import files

ITERATIONS = 20
SESSIONS = 10
ARCHIVE_DAYS = 30
_DAY_S = 86_400
_HALF_WRITTEN = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")


@record(kw_only=True)
class Rotated:
    """What was moved to the archive, and what was deleted there."""

    archived: tuple[str, ...]
    deleted: tuple[str, ...]


def rotate(root: Path, *, now: datetime) -> Rotated:
    """Rotate the memories of the project at `root`. Raises StorageError."""
    memory = MemoryFolder(root)
    if not memory.path.is_dir():
        return Rotated(archived=(), deleted=())
    with memory.lock():
        _delete(_left_over(memory))
        old = [*_too_many(memory.iterations, "iter", ITERATIONS), *_too_many(memory.sessions, "session", SESSIONS)]
        archived = tuple(folders.archived(memory, path, now=now).name for path in old)
        return Rotated(archived=archived, deleted=_emptied(memory.archive, now))


def _too_many(place: Path, kind: str, limit: int) -> list[Path]:
    found = folders.numbered(place, kind)
    return [path for _, path in found[: max(0, len(found) - limit)]]


def _left_over(memory: MemoryFolder) -> list[Path]:
    places = (memory.path, memory.iterations, memory.phases, memory.sessions, memory.archive)
    return [place / name for place in places for name in folders.listed(place) if _HALF_WRITTEN.fullmatch(name)]


def _emptied(archive: Path, now: datetime) -> tuple[str, ...]:
    oldest = now.timestamp() - ARCHIVE_DAYS * _DAY_S
    try:
        with os.scandir(archive) as entries:
            memories = [entry for entry in entries if entry.name.endswith(".md")]
            old = sorted(entry.name for entry in memories if entry.stat(follow_symlinks=False).st_mtime < oldest)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StorageError(f"{archive} cannot be read: {files.reason(error)}.") from None
    return _delete(archive / name for name in old)


def _delete(paths: Iterable[Path]) -> tuple[str, ...]:
    deleted = []
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{path} cannot be deleted: {files.reason(error)}.") from None
        deleted.append(path.name)
    return tuple(deleted)
