"""`.ralph/memory/`: files with a front matter that a program reads and a body for people (spec: core concepts).

Rules (design decision 32):

- The front matter holds every fact, one `name: <JSON>` a line, which is YAML as well: what is read back is exactly what
  was captured, or it is not captured at all. The body is made from it, and nothing is ever read out of it.
- One writer at a time. A file that holds the same facts already is left as it is, with what a person wrote below them
  and the time of the first capture; one with other facts goes to the archive first. Nothing captured is lost by another
  capture.
- A damaged file is said to be damaged, and left out: a memory is no evidence, and no reason to stop.
- What goes into the archive has its time of change set to that moment: the archive is emptied by the age of archiving.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from ralph.errors import ConfigError, StorageError
from ralph.record import record
from ralph.system import files, records

FENCE = "---"
LOCK_S = 30.0
_MOMENTS = {"at", "ended_at"}

F = TypeVar("F")


@record
class MemoryFolder:
    """The memories of the project at `root`."""

    root: Path

    @property
    def path(self) -> Path:
        return self.root / ".ralph" / "memory"

    @property
    def active(self) -> Path:
        return self.root / ".ralph" / "MEMORY.md"

    @property
    def notes(self) -> Path:
        return self.path / "notes.md"

    @property
    def iterations(self) -> Path:
        return self.path / "iterations"

    @property
    def phases(self) -> Path:
        return self.path / "phases"

    @property
    def sessions(self) -> Path:
        return self.path / "sessions"

    @property
    def archive(self) -> Path:
        return self.path / "archive"

    def lock(self) -> AbstractContextManager[None]:
        """Be the only one who changes memories. Raises StorageError that names who else does."""
        return files.lock(self.path, timeout_s=LOCK_S)


def numbered(folder: Path, kind: str) -> list[tuple[int, Path]]:
    """The files `<kind>-NNN.md` of a folder, by number. Raises StorageError if the folder cannot be read."""
    found = [(match, folder / match.string) for match in _matches(folder, rf"{kind}-(\d+)\.md")]
    return sorted((int(match[1]), path) for match, path in found)


def highest(folder: Path, kind: str) -> int:
    """The highest number that a file of this kind has in a folder, also one that was archived beside its namesake."""
    return max((int(match[1]) for match in _matches(folder, rf"{kind}-(\d+)(?:\.\d+)?\.md")), default=0)


def write(folder: MemoryFolder, path: Path, facts: Any, body: str, *, now: datetime) -> None:
    """Keep facts at `path`. The caller holds the lock. Raises StorageError."""
    text = f"{FENCE}\n{_front(facts)}{FENCE}\n\n{body}"
    with suppress(FileNotFoundError):
        if _holds(path, facts):
            return
        copied(folder, path, now=now)
    files.atomic_write(path, text.encode("utf-8", "backslashreplace"))


def read(path: Path, kind: type[F]) -> F:
    """The facts in a file, exactly as they were captured. Raises FileNotFoundError, StorageError if it is damaged."""
    try:
        return cast(F, _facts(files.read_bytes(path), cast(Any, kind), str(path)))
    except ConfigError as error:
        reason = str(error).removeprefix(f"{path}: ").rstrip(".")
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except (ValueError, RecursionError) as error:
        reason = str(error)
    raise StorageError(f"The memory {path} is damaged and is left out ({reason}); correct it, or move it away.")


def archived(folder: MemoryFolder, path: Path, *, now: datetime) -> Path:
    """Move a file to the archive, under a name that is free; where it is now. Raises StorageError."""
    try:
        folder.archive.mkdir(parents=True, exist_ok=True)
        target = _free(folder, path)
        os.utime(path, (now.timestamp(), now.timestamp()), follow_symlinks=False)
        path.rename(target)
    except OSError as error:
        raise StorageError(f"{path} cannot be moved to {folder.archive}: {files.reason(error)}.") from None
    return target


def copied(folder: MemoryFolder, path: Path, *, now: datetime) -> Path:
    """Keep what a file holds in the archive, because it is about to be replaced. What a crash had let be kept already
    is not kept twice. Raises StorageError."""
    data = files.read_bytes(path)
    target = _free(folder, path, data)
    files.atomic_write(target, data)
    os.utime(target, (now.timestamp(), now.timestamp()))
    return target


def listed(folder: Path) -> list[str]:
    """The names in a folder; none if there is no folder. Raises StorageError."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"{folder} cannot be read: {files.reason(error)}.") from None


def _holds(path: Path, facts: Any) -> bool:
    """Whether just these facts are there, at whatever time. Raises FileNotFoundError if nothing is."""
    try:
        there = asdict(read(path, type(facts)))
        return all(there[name] == value for name, value in asdict(facts).items() if name not in _MOMENTS)
    except StorageError:  # damaged, but somebody may still want it
        return False


def _free(folder: MemoryFolder, path: Path, data: bytes | None = None) -> Path:
    """A place in the archive where nothing is, or just this."""
    target, number = folder.archive / path.name, 1
    while os.path.lexists(target) and (data is None or files.read_bytes(target) != data):
        number += 1
        target = folder.archive / f"{path.stem}.{number}{path.suffix}"
    return target


def _matches(folder: Path, pattern: str) -> list[re.Match[str]]:
    compiled = re.compile(pattern, re.ASCII)
    return [match for name in listed(folder) if (match := compiled.fullmatch(name))]


def _front(facts: Any) -> str:
    """Raises StorageError if the facts could not be read back, for example for a cost that is no number."""
    try:
        lines = [f"{name}: {json.dumps(value, allow_nan=False)}" for name, value in asdict(facts).items()]
        records.parse(type(facts), _fields([FENCE, *lines, FENCE], type(facts)), "a memory")
    except (ValueError, TypeError, ConfigError) as error:
        raise StorageError(f"This cannot be remembered: {str(error).rstrip('.')}.") from None
    return "".join(f"{line}\n" for line in lines)


@lru_cache(maxsize=64)  # every iteration reads those of the last ones again
def _facts(data: bytes, kind: Any, source: str) -> Any:
    return records.parse(kind, _fields(data.decode("utf-8-sig").splitlines(), kind), source)


def _fields(lines: Iterable[str], kind: Any) -> Any:
    """The fields of the front matter that a record of this kind has: a person may have added others."""
    names = {each.name for each in dataclasses.fields(kind)}
    rest = iter(lines)
    if next(rest, "").strip() != FENCE:
        raise ValueError(f"it does not begin with a line {FENCE}")
    found = []
    for line in rest:
        name, _, value = line.partition(":")
        if name in names:
            found.append(f'"{name}":{value}')
        elif line.strip() == FENCE:
            return files.parse_json(f"{{{','.join(found)}}}".encode("utf-8", "surrogatepass"))
    raise ValueError(f"its front matter has no end, a line {FENCE}")
