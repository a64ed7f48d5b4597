"""Captures what happened at fixed moments: after an iteration, a phase, a session (spec: core concepts, Memory System).

Rules: the runner says what happened (`facts`), and capturing the same twice is the same as once. Files are
`iterations/iter-NNN.md`, `phases/<phase>.md` and `sessions/session-NNN.md`. A session has the same number for ever, and
no number is given twice: those in the archive and in the history of sessions count, whatever rotation took away.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory import history
from ralph.loop.memory.facts import IterationFacts, PhaseFacts, SessionFacts
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.pages import iteration_page, phase_page, session_page
from ralph.system import files


def capture_iteration(root: Path, facts: IterationFacts, *, now: datetime) -> Path:
    """Write the memory of an iteration; where it is. Raises StorageError."""
    memory = MemoryFolder(root)
    path = memory.iterations / f"iter-{facts.iteration:03d}.md"
    with memory.lock():
        folders.write(memory, path, facts, iteration_page(facts), now=now)
    return path


def capture_phase(root: Path, facts: PhaseFacts, *, now: datetime) -> Path:
    """Write the memory of a phase; the one of an earlier time goes to the archive. Raises StorageError."""
    memory = MemoryFolder(root)
    path = memory.phases / f"{facts.phase}.md"
    with memory.lock():
        folders.write(memory, path, facts, phase_page(facts), now=now)
    return path


def capture_session(root: Path, facts: SessionFacts, *, now: datetime) -> Path:
    """Write the memory of a session; where it is. Raises StorageError."""
    memory = MemoryFolder(root)
    with memory.lock():
        path = memory.sessions / f"session-{_number(memory, facts.session_id):03d}.md"
        folders.write(memory, path, facts, session_page(facts), now=now)
    return path


def _number(memory: MemoryFolder, session_id: str) -> int:
    """The number of a session that has one, else the next that was never given."""
    written = json.dumps(session_id).encode("ascii")
    for number, path in reversed(folders.numbered(memory.sessions, "session")):
        with suppress(StorageError, FileNotFoundError):
            if written in files.read_bytes(path) and folders.read(path, SessionFacts).session_id == session_id:
                return number
    own, given = history.numbers(memory.root, session_id)
    in_files = (folders.highest(place, "session") for place in (memory.sessions, memory.archive))
    return own or max(given, *in_files) + 1
