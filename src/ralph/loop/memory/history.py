"""`.ralph/session_history/sessions.jsonl`: a line for each session that ended (spec: core concepts, Session Archival).

Rules: a session has one line, however often it is appended. The file only grows. A line that cannot be read hides no
other: it is counted, and the rest is read.
"""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import asdict
from pathlib import Path

from ralph.errors import ConfigError, StorageError
from ralph.loop.memory.appending import append_line
from ralph.loop.memory.facts import SessionFacts
from ralph.record import record, replace
from ralph.system import files, records

HISTORY = Path(".ralph", "session_history", "sessions.jsonl")
_NUMBER = re.compile(rb"sessions/session-(\d{1,9})\.md")


@record(kw_only=True)
class SessionLine:
    """A line. `tasks_completed` is a count; `summary_path` is where the session's memory was first, from the root."""

    session_id: str
    iteration: int
    tokens_used: int
    cost_usd: float
    tasks_completed: int
    phase: str
    handoff_reason: str
    started_at: str | None = None
    ended_at: str | None = None
    summary_path: str = ""


@record(kw_only=True)
class History:
    """The lines, newest first, and how many more there are that cannot be read."""

    lines: tuple[SessionLine, ...]
    damaged: int


def append(root: Path, facts: SessionFacts, summary: Path) -> bool:
    """Add the line of a session, once. Whether it was added. Raises StorageError."""
    line = SessionLine(
        session_id=facts.session_id,
        iteration=facts.iteration,
        tokens_used=facts.tokens,
        cost_usd=facts.cost_usd,
        tasks_completed=len(facts.completed),
        phase=facts.phase,
        handoff_reason=facts.reason,
        started_at=facts.started_at,
        ended_at=facts.ended_at,
        summary_path=summary.relative_to(root).as_posix(),
    )
    written = json.dumps(asdict(line)).encode("ascii")
    if _line(written) != line:
        raise StorageError(f"The session {facts.session_id!r} has figures that cannot be read back: nothing was added.")
    return append_line(root / HISTORY, written, unless=lambda data: _line_of(facts.session_id, data) is not None)


def read(root: Path, limit: int | None = None) -> History:
    """The sessions that ended, newest first; `limit` of them at most. Raises StorageError if it cannot be read."""
    try:
        found = _parsed(files.read_bytes(root / HISTORY))
    except FileNotFoundError:
        return History(lines=(), damaged=0)
    return replace(found, lines=found.lines[:limit])


def numbers(root: Path, session_id: str) -> tuple[int | None, int]:
    """The number that the memory of a session has, if it has a line, and the highest that any session has."""
    try:
        data = files.read_bytes(root / HISTORY)
    except FileNotFoundError:
        return None, 0
    line = _line_of(session_id, data)
    own = _NUMBER.search(line.summary_path.encode()) if line else None
    return int(own[1]) if own else None, max((int(each) for each in _NUMBER.findall(data)), default=0)


def _line_of(session_id: str, data: bytes) -> SessionLine | None:
    """The line of a session. Only lines in which its id stands are read: there may be thousands of others."""
    named = [line for line in data.split(b"\n") if json.dumps(session_id).encode("ascii") in line]
    return next((line for each in named if (line := _line(each)) and line.session_id == session_id), None)


def _parsed(data: bytes) -> History:
    texts = [line for line in data.split(b"\n") if line.strip()]
    lines = [parsed for line in reversed(texts) if (parsed := _line(line))]
    return History(lines=tuple(lines), damaged=len(texts) - len(lines))


def _line(line: bytes) -> SessionLine | None:
    names = {each.name for each in dataclasses.fields(SessionLine)}
    try:
        value = files.parse_json(line)
        if not isinstance(value, dict):
            return None
        known = {name: each for name, each in value.items() if name in names}
        return records.parse(SessionLine, known, HISTORY.name)
    except (ValueError, ConfigError):
        return None
