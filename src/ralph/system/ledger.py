"""An append-only file of JSON lines in which no line can be changed, removed or moved without being noticed.

Rules (design decision 32; spec: governance engine, audit):

- A line is `{"digest", "prev", "record", "seq", "time"}` in canonical JSON (RFC 8785); `digest` is the sha256 of the
  same object without it, `prev` the digest of the line before (64 zeros for the first), `seq` counts from 1.
- A line counts when its newline is on the disk. Readers ignore a torn last line; the next append cuts it off.
- The chain alone cannot show that lines are missing at its end. A checkpoint kept elsewhere can: the number of lines
  and the digest of the last one.
- Appending and `head` look at the last line only; `verify` looks at everything, `follow` at what is new.
- What is appended together is written and synced together: all of it is on the disk when the call returns, and it
  costs one sync. A crash in the middle leaves some of the first lines, each whole.
- A line that ends in CR LF is read as if it ended in LF: a tool may have converted the file, and the digest holds.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from ralph.errors import StorageError
from ralph.record import record
from ralph.system import canonical, files
from ralph.system.clock import rfc3339

GENESIS = "0" * 64
_FIELDS = {"digest", "prev", "record", "seq", "time"}
_BODY = len('{"digest":"",') + 64
"""Where the object without its digest goes on: `digest` sorts first, so both need to be written only once."""
_TAIL_STEP = 64 * 1024
_LOCK_TIMEOUT_S = 30.0

Checkpoint = tuple[int, str]


@record
class Place:
    """How far a reader has come: bytes, lines, and the digest of the last one."""

    offset: int = 0
    seq: int = 0
    digest: str = GENESIS


START = Place()


@record(kw_only=True)
class Entry:
    """One line: its place, its digest, the time its writer gave, and what it records."""

    seq: int
    digest: str
    prev: str
    time: str
    record: Any


@record(kw_only=True)
class Report:
    """What `verify` found. `line` is the first wrong one (1-based), `reason` says what is wrong with it."""

    ok: bool
    entries: int
    digest: str
    line: int | None = None
    reason: str | None = None


class _WrongLine(ValueError):
    """A line that is not what the chain needs at its place."""


def append(path: Path, record: Any, *, time: datetime) -> Entry:
    """Add one line. Raises StorageError if it cannot be written or the ledger's end is damaged."""
    return append_all(path, [record], time=time)[0]


def append_all(path: Path, batch: Sequence[Any], *, time: datetime) -> list[Entry]:
    """Add one line for each record, all in one write and one sync. Raises StorageError as `append` does."""
    try:
        with _opened(path) as descriptor:
            size, last = _last_line(descriptor)
            before = _before(path, last)
            lines, entries = [], []
            for record in batch:
                line, before = _next_line(path, before, record, time)
                lines.append(line)
                entries.append(before)
            os.ftruncate(descriptor, size)
            _write_all(descriptor, b"".join(lines), size)
            os.fsync(descriptor)
            if not size:
                files.sync_directory(path.parent)
            return entries
    except OSError as error:
        raise StorageError(f"The ledger {path} cannot be written: {files.reason(error)}.") from error


def read(path: Path) -> list[Entry]:
    """All complete lines; none if there is no ledger. Raises StorageError naming the first damaged line."""
    return follow(path)[0]


def follow(path: Path, place: Place = START) -> tuple[list[Entry], Place]:
    """The complete lines after `place`, and the place behind them; a torn last line waits for the next call.

    Raises StorageError if a line is damaged, or the file is not the one that was read up to `place`.
    """
    entries, report, behind = _walk(path, place)
    if not report.ok:
        raise StorageError(
            f"The ledger {path} is damaged at line {report.line}: {report.reason}; restore it, or move it away."
        )
    return entries, behind


def intact(path: Path) -> tuple[list[Entry], list[int]]:
    """Every complete line that is as it was written, whatever became of those beside it, and the numbers of the lines
    that are not (1-based). Raises StorageError only if the file cannot be read.

    For logs whose lines each stand for themselves: there a damaged line must not hide the others.
    """
    try:
        data = files.read_bytes(path)
    except FileNotFoundError:
        data = b""
    entries, damaged = [], []
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            entries.append(_parse(line))
        except _WrongLine:
            damaged.append(number)
    return entries, damaged


def head(path: Path) -> Checkpoint:
    """(number of lines, digest of the last): what a signed checkpoint vouches for. Looks at the last line alone.

    Raises StorageError if the file cannot be read or that line is damaged.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return (0, GENESIS)
    except OSError as error:
        raise StorageError(f"The ledger {path} cannot be read: {files.reason(error)}.") from error
    try:
        _, last = _last_line(descriptor)
        entry = _parse(last) if last is not None else None
    except OSError as error:
        raise StorageError(f"The ledger {path} cannot be read: {files.reason(error)}.") from error
    except _WrongLine as error:
        raise StorageError(f"The last line of the ledger {path} is damaged: {error}; move the ledger away.") from error
    finally:
        os.close(descriptor)
    return (entry.seq, entry.digest) if entry else (0, GENESIS)


def verify(path: Path, *, checkpoint: Checkpoint | None = None) -> Report:
    """Check every line, and that the ledger still holds what `checkpoint` vouched for. Raises StorageError only if
    the file cannot be read."""
    entries, report, _ = _walk(path, START)
    if not report.ok or checkpoint is None:
        return report
    size, digest = checkpoint
    if size > len(entries):
        reason = f"{size - len(entries)} lines are missing at the end: the checkpoint counts {size}"
        return Report(ok=False, entries=len(entries), digest=report.digest, line=len(entries) + 1, reason=reason)
    if (entries[size - 1].digest if size else GENESIS) != digest:
        reason = "it is not the line that the checkpoint vouches for: the ledger was written anew"
        return Report(ok=False, entries=len(entries), digest=report.digest, line=max(size, 1), reason=reason)
    return report


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """The ledger, locked by itself: it is never replaced, so it needs no second file beside it in the user's tree."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o644)
    try:
        if not files.wait_for_lock(descriptor, _LOCK_TIMEOUT_S):
            raise StorageError(f"The ledger {path} was in use by another process for {_LOCK_TIMEOUT_S:g} s: try again.")
        if os.fstat(descriptor).st_nlink == 0:
            raise StorageError(f"The ledger {path} was removed while Ralph was writing to it: nothing was added.")
        yield descriptor
    finally:
        os.close(descriptor)


def _walk(path: Path, place: Place) -> tuple[list[Entry], Report, Place]:
    """Every good entry from `place` up to the first wrong line, what is wrong there, and the place behind the good."""
    try:
        data = files.read_bytes(path)
    except FileNotFoundError:
        data = b""
    entries: list[Entry] = []

    def stopped(reason: str | None = None) -> tuple[list[Entry], Report, Place]:
        line = place.seq + 1 if reason else None
        report = Report(ok=not reason, entries=place.seq, digest=place.digest, line=line, reason=reason)
        return entries, report, place

    if len(data) < place.offset:
        return stopped("lines that were read before are gone")
    for line in data[place.offset :].split(b"\n")[:-1]:
        try:
            entry = _parse(line)
            _check_place(entry, place.seq + 1, place.digest)
        except _WrongLine as error:
            return stopped(str(error))
        entries.append(entry)
        place = Place(place.offset + len(line) + 1, entry.seq, entry.digest)
    return stopped()


def _parse(line: bytes) -> Entry:
    line = line.removesuffix(b"\r")
    try:
        data = json.loads(line)
        written = canonical.dumps(data)
    except (ValueError, RecursionError) as error:
        raise _WrongLine("it is not a line that Ralph has written") from error
    if not isinstance(data, dict) or set(data) != _FIELDS:
        raise _WrongLine("it does not have the fields of a ledger line")
    if written != line or data["digest"] != hashlib.sha256(b"{" + line[_BODY:]).hexdigest():
        raise _WrongLine("its content does not match its digest: it was changed")
    return Entry(**data)


def _check_place(entry: Entry, number: int, digest: str) -> None:
    if entry.seq != number:
        what = (
            "lines were removed or moved" if entry.seq > number else "it stands twice, was moved, or the chain forked"
        )
        raise _WrongLine(f"it says it is line {entry.seq}: {what}")
    if entry.prev != digest:
        raise _WrongLine("it does not follow the line before it: a line was replaced, or the chain forked")


def _before(path: Path, last: bytes | None) -> Entry | None:
    """The entry in the last line. Raises StorageError if it is damaged: nothing is added behind it."""
    try:
        return _parse(last) if last is not None else None
    except _WrongLine as error:
        raise StorageError(f"The last line of the ledger {path} is damaged: {error}; nothing was added.") from error


def _next_line(path: Path, before: Entry | None, record: Any, time: datetime) -> tuple[bytes, Entry]:
    body = {
        "prev": before.digest if before else GENESIS,
        "record": record,
        "seq": before.seq + 1 if before else 1,
        "time": rfc3339(time),
    }
    try:
        data = canonical.dumps(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise StorageError(f"This cannot be recorded in the ledger {path}: it is not plain JSON ({error}).") from error
    digest = hashlib.sha256(data).hexdigest()
    return b'{"digest":"%s",%s\n' % (digest.encode(), data[1:]), Entry(digest=digest, **body)


def _last_line(descriptor: int) -> tuple[int, bytes | None]:
    """(size up to the last newline, the last complete line), read backwards from the end."""
    start = size = os.fstat(descriptor).st_size
    tail = b""
    while start and tail.count(b"\n") < 2:
        step = min(_TAIL_STEP, start)
        start -= step
        tail = os.pread(descriptor, step, start) + tail
    complete, newline, torn = tail.rpartition(b"\n")
    if not newline:
        return 0, None
    return size - len(torn), complete.rpartition(b"\n")[2]


def _write_all(descriptor: int, data: bytes, size: int) -> None:
    """All of `data`, or nothing: a line that did not fit on the disk is taken back."""
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        os.ftruncate(descriptor, size)
        raise
