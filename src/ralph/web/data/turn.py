"""What the agent says and does in its newest turn, read from the transcript as it is being written.

Rules:

- The transcript is read as far as it came, and only its end: however long a turn is, `TAIL` bytes are in memory and
  `MOST` entries on the page. A line that is not whole yet, or is no record, is passed over: to watch is not to judge.
- What a record says is shown as any text of an agent is (`web.shown`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ralph.agents.base import Claim, Decided, End, Record, Started, Text, ToolCall, ToolResult
from ralph.agents.recording import TRANSCRIPT, from_json
from ralph.errors import RalphError, UsageError
from ralph.loop.turn_folder import TURNS
from ralph.record import record
from ralph.system import files
from ralph.web.shown import LONGEST_WHOLE, NOTHING, Shown, block, line, whole

TAIL = 256 * 1024
MOST = 30
LONGEST, MOST_LINES = 600, 12


@record
class Said:
    """One thing the agent said or did. `kind` is says, does, got, refused, claims, began or ended."""

    kind: str
    text: Shown
    tone: str = ""


@record
class Turn:
    """The newest turn of a run. `name` is its folder's; "" if there was none yet. `earlier`: not all of it is here."""

    name: str = ""
    said: tuple[Said, ...] = ()
    earlier: bool = False


@record
class Seen:
    """How a transcript stands: while that stays the same, there is nothing new."""

    path: Path
    size: int


def seen(run: Path) -> Seen | None:
    """The transcript of the newest turn; None where there is none. A run has many: only the last ones are looked at."""
    names: dict[int, list[str]] = {}
    for each in _folders(run):
        names.setdefault(_iteration(each), []).append(each)
    for iteration in sorted(names, reverse=True):
        found = [(path, path.stat()) for path in _transcripts(run, names[iteration])]
        if found:
            path, status = max(found, key=lambda each: each[1].st_mtime_ns)
            return Seen(path, status.st_size)
    return None


def newest(now: Seen | None) -> Turn:
    """The last entries of a transcript. Raises OSError."""
    if now is None:
        return Turn()
    start = max(0, now.size - TAIL)
    lines = _read(now.path, start, TAIL).split(b"\n")[1 if start else 0 : -1]
    said: deque[Said] = deque(maxlen=MOST)
    count = 0
    for each in lines:
        data = _parsed(each)
        if isinstance(data, Mapping) and "turn" in data:  # it was cut off, and is played again
            said.clear()
            start = count = 0
        elif entry := _said(data):
            said.append(entry)
            count += 1
    return Turn(now.path.parent.name, tuple(said), earlier=bool(start) or count > MOST)


def transcript(run: Path, name: str) -> Shown:
    """A whole turn, for who wants to read more. Raises UsageError, OSError."""
    if name in _folders(run):
        for path in _transcripts(run, [name]):
            entries = (_said(_parsed(each), most=LONGEST_WHOLE) for each in _read(path, 0, LONGEST_WHOLE).split(b"\n"))
            shown = whole("\n".join(f"{each.kind}: {each.text}" for each in entries if each))
            missing = path.stat().st_size - LONGEST_WHOLE
            return Shown(shown.text, f"{missing:,} more bytes") if missing > 0 else shown
    raise UsageError(f"{run.name} has no such turn.")


def _folders(run: Path) -> list[str]:
    try:
        return os.listdir(run / TURNS)  # noqa: PTH208 - the names alone, many times a second
    except FileNotFoundError:
        return []


def _transcripts(run: Path, folders: Iterable[str]) -> Iterator[Path]:
    paths = (run / TURNS / each / TRANSCRIPT for each in folders)
    return (path for path in paths if path.is_file() and not path.is_symlink())


def _iteration(folder: str) -> int:
    number = folder.partition("-")[0].rstrip("h")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1


def _read(path: Path, start: int, size: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return os.pread(descriptor, size, start)
    finally:
        os.close(descriptor)


def _parsed(text: bytes) -> object:
    try:
        return files.parse_json(text)
    except ValueError:
        return None


def _said(data: object, *, most: int = LONGEST) -> Said | None:
    """None for what is only counted, and for what is no record."""
    try:
        return _told(from_json(data, "the transcript"), most)
    except RalphError:
        return None


def _told(record: Record, most: int) -> Said | None:
    lines = MOST_LINES if most == LONGEST else most
    match record:
        case Started(agent=agent, model=model):
            return Said("began", line(" ".join(filter(None, (agent, model))), most))
        case Text(text):
            return Said("says", block(text.strip(), most, lines))
        case ToolCall(tool, target):
            return Said("does", line(f"{tool} {target}", most))
        case Decided(outcome="deny", tool=tool, reason=reason):
            return Said("refused", line(f"{tool}: {reason}", most), "bad")
        case ToolResult(ok=ok, output=output):
            shown = block(output.strip(), most, lines) if output.strip() else NOTHING
            return Said("got" if ok else "got an error", shown, "" if ok else "bad")
        case Claim(topic, payload):
            return Said("claims", line(f"{topic} {payload}", most))
        case End(reason=reason, detail=detail):
            why = f": {detail}" if detail and reason != "completed" else ""
            return Said("ended", line(f"{reason}{why}", most), "" if reason == "completed" else "bad")
    return None
