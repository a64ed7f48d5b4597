"""What was decided in a turn: one JSON line for each call, in `decisions.jsonl` of the turn's folder.

Rules:

- A decision is written down before the client learns of it; what cannot be written down is denied.
- Several threads and processes write at once, each a whole line. A line that a killed writer left torn is closed by the
  next one, and read by nobody.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any, Literal

from ralph.errors import StorageError
from ralph.hook.model import Answer, Call
from ralph.record import record

NAME = "decisions.jsonl"


@record(kw_only=True)
class Noted:
    """A decision as it was written down. `id` is the client's name for the call, `rule` what decided."""

    id: str
    tool: str
    outcome: Literal["allow", "deny"]
    reason: str
    time: str
    rule: str = ""
    session: str = ""


def note(folder: Path, call: Call, answer: Answer, rule: str = "") -> None:
    """Write a decision down. Raises OSError."""
    entry = {
        "id": call.id,
        "tool": call.tool,
        "outcome": "allow" if answer.allowed else "deny",
        "reason": answer.reason,
        "rule": rule,
        "session": call.session,
        "time": _now(),
    }
    line = json.dumps(entry).encode("ascii") + b"\n"
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(folder / NAME, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            line = b"\n" + line
        while line:
            line = line[os.write(descriptor, line) :]
    finally:
        os.close(descriptor)


def read(folder: Path, offset: int = 0) -> tuple[list[Noted], int]:
    """What was decided behind `offset` (bytes), and the offset to go on at. Raises StorageError."""
    place = folder / NAME
    try:
        with place.open("rb") as file:
            file.seek(offset)
            data = file.read()
    except FileNotFoundError:
        return [], offset
    except OSError as error:
        raise StorageError(f"{place} cannot be read: {error.strerror}.") from None
    end = data.rfind(b"\n") + 1
    found = [entry for line in data[:end].splitlines() if (entry := _noted(line))]
    return found, offset + end


def _noted(line: bytes) -> Noted | None:
    """None for a torn line: its decision reached nobody."""
    try:
        fields: Any = json.loads(line)
        return Noted(**fields)
    except (ValueError, TypeError):
        return None


def _now() -> str:
    moment = time.time()
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
    return f"{whole}.{int(moment % 1 * 1000):03d}Z"
