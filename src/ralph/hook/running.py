"""Which commands run in a project, and which were killed: `.ralph/running/`, closed to agents.

A command that may write leaves a note of what stood there before it, under a mark that ends with its process. So
commands that run side by side know of each other's approvals, and what a killed one did is looked at by the next.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.errors import StorageError
from ralph.record import asdict, record
from ralph.system.files import reason
from ralph.system.hold import SUFFIX, hold, take_over


@record(kw_only=True)
class Run:
    """`tree` stood there when the command began; `classes` a person had approved."""

    id: str
    command: str
    tree: str
    began: str
    classes: tuple[str, ...]


@contextmanager
def noted(root: Path, run: Run) -> Iterator[None]:
    """The note stands while the command runs. Raises StorageError."""
    place = _folder(root) / f"{run.id}.json"
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mark = hold(place)
        place.write_text(json.dumps(asdict(run)), encoding="ascii")
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {reason(error)}.") from None
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
        mark.release()


def living(root: Path, own: str) -> list[Run]:
    """The commands that run in the project now, but for one's `own`."""
    places = [mark.with_suffix("") for mark in sorted(_folder(root).glob(f"*{SUFFIX}")) if _is_held(mark)]
    return [run for place in places if place.stem != own and (run := _read(place))]


def killed(root: Path) -> list[Run]:
    """The commands whose processes were killed. Their notes are removed: who gets them has to look."""
    found = []
    for mark in sorted(_folder(root).glob(f"*{SUFFIX}")):
        place = mark.with_suffix("")
        if left := take_over(place):
            found += [run] if (run := _read(place)) else []
            place.unlink(missing_ok=True)
            left.release()
    return found


def _is_held(mark: Path) -> bool:
    with suppress(FileNotFoundError):
        descriptor = os.open(mark, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
    return False


def _folder(root: Path) -> Path:
    return root / ".ralph" / "running"


def _read(place: Path) -> Run | None:
    """None for one that was killed before it had written its note."""
    with suppress(OSError, ValueError, TypeError):
        fields = json.loads(place.read_bytes())
        return Run(**{**fields, "classes": tuple(fields["classes"])})
    return None
