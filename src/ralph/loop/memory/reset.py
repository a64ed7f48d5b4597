"""Starts a project over, and loses nothing: what is taken away lies in `.ralph/backups/<time>/`.

Rules (design sections 6 and 7): state, plan, memories, scratchpad and the report of the validation are moved. What is
evidence stays where it is: audits, approvals, runs, events, claims, orders, the history of sessions; and so do the
learnings. No run is at work meanwhile, and nobody else writes what is moved. A `.bak` goes before its file: so whatever
moment a crash picks, no file looks lost. Moving back what lies in the folder undoes it all.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop import control
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.plan.files import PLAN_FILE
from ralph.loop.saved import STATE
from ralph.record import record
from ralph.system import files

BACKUPS = Path(".ralph", "backups")
PLAN = (files.backup_of(PLAN_FILE), PLAN_FILE)
MOVED = (
    files.backup_of(STATE),
    STATE,
    *PLAN,
    *(Path(".ralph", name) for name in ("MEMORY.md", "memory", "scratchpad.md", "validation_report.md")),
)


@record(kw_only=True)
class Reset:
    """What was moved, relative to the project, and where to; None if there was nothing."""

    moved: tuple[str, ...]
    backup: Path | None


def affected(root: Path, *, keep_plan: bool) -> tuple[Path, ...]:
    """What a reset would move, relative to the project. Raises StorageError."""
    return tuple(each for each in MOVED if files.is_there(root / each) and not (keep_plan and each in PLAN))


def reset(root: Path, *, keep_plan: bool, now: datetime) -> Reset:
    """Move it. Raises StorageError, also while a run is at work; what was moved until then lies in the backup."""
    if not affected(root, keep_plan=keep_plan):
        return Reset(moved=(), backup=None)
    with contextlib.ExitStack() as stack:
        stack.enter_context(control.hold(root, "reset"))
        stack.enter_context(MemoryFolder(root).lock())
        for place in (STATE, PLAN_FILE):
            stack.enter_context(files.lock(root / place))
        paths, backup = affected(root, keep_plan=keep_plan), _folder(root, now)
        for path in paths:
            _move(root / path, backup / path.relative_to(".ralph"))
        return Reset(moved=tuple(path.as_posix() for path in paths), backup=backup)


def _folder(root: Path, now: datetime) -> Path:
    """A folder of its own for this reset."""
    name = f"{now.astimezone(UTC):%Y%m%dT%H%M%S}Z"
    for number in range(1, 1000):
        backup = root / BACKUPS / (name if number == 1 else f"{name}-{number}")
        try:
            backup.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise StorageError(f"{backup} cannot be made, and nothing was moved: {files.reason(error)}.") from None
        return backup
    raise StorageError(f"{root / BACKUPS} has no free name left: remove old backups.")


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise StorageError(f"{source} cannot be moved to {target}: {files.reason(error)}.") from None
