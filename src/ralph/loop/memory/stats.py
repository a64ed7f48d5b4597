"""How much is remembered, and where (spec: core concepts, Viewing Memory)."""

from __future__ import annotations

from pathlib import Path

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.history import HISTORY
from ralph.loop.memory.notes import PROGRESS
from ralph.record import record
from ralph.system import files


@record(kw_only=True)
class Kept:
    """Files and bytes of one kind."""

    what: str
    files: int
    bytes: int


def stats(root: Path) -> tuple[Kept, ...]:
    """What there is of each kind. Raises StorageError if a folder cannot be read."""
    memory = MemoryFolder(root)
    places = [memory.iterations, memory.phases, memory.sessions, memory.archive]
    single = {
        "active": memory.active,
        "notes": memory.notes,
        "learnings": root / PROGRESS,
        "session_history": root / HISTORY,
    }
    counted = [
        _kept(place.name, [place / name for name in folders.listed(place) if name.endswith(".md")]) for place in places
    ]
    return (*counted, *(_kept(what, [path]) for what, path in single.items()))


def _kept(what: str, paths: list[Path]) -> Kept:
    sizes = [size for path in paths if (size := _size(path)) is not None]
    return Kept(what=what, files=len(sizes), bytes=sum(sizes))


def _size(path: Path) -> int | None:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {files.reason(error)}.") from None
