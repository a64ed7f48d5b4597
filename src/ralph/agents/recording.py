"""Transcripts: what an agent did in a turn, record by record, as it happened.

Rules (issue: agents; design decision 32):

- `transcript.jsonl` in the turn's folder gets a line for every record before anybody acts on it, so a killed Ralph
  leaves all that was seen; with the `End` it is also safe from a power cut. The first line of a take says what the
  turn was; a turn that is played again is a new take behind the old one. The environment, which holds tokens, is not
  in it, and what looks like a secret in a record is written as `[redacted: ...]`.
- Reading is strict: what is no record is damage, and named. Only a line that a kill left torn is passed over: the last
  one, or the last before a new take.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ralph.agents.base import (
    Agent,
    Claim,
    Decided,
    End,
    Record,
    Started,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
)
from ralph.errors import RalphError, StorageError
from ralph.guardrails.secrets.redact import redacted_bytes
from ralph.record import record
from ralph.system import files, records

TRANSCRIPT = "transcript.jsonl"
_KINDS: Mapping[str, type[Record]] = {
    each.__name__: each for each in (Started, Text, ToolCall, Decided, ToolResult, Claim, Usage, End)
}


@record(kw_only=True)
class Heading:
    """What the turn of a take was."""

    agent: str
    iteration: int
    prompt: str
    workdir: str
    session: str | None = None
    model: str | None = None


@record
class Take:
    """A turn that was played, as far as it came: without an `End`, Ralph was killed."""

    heading: Heading
    records: tuple[Record, ...]


@record
class Recording:
    """An agent whose turns are recorded, if they have a folder."""

    agent: Agent

    @property
    def name(self) -> str:
        return self.agent.name

    def run(self, turn: Turn) -> Iterator[Record]:
        """Raises StorageError if the transcript cannot be written; the client is ended then."""
        played = self.agent.run(turn)
        if turn.folder is None:
            yield from played
            return
        path = turn.folder / TRANSCRIPT
        with _appending(path) as file, _closing(played):
            heading = Heading(
                agent=self.name,
                iteration=turn.iteration,
                prompt=turn.prompt,
                workdir=str(turn.workdir),
                session=turn.session,
                model=turn.model,
            )
            _write(file, path, {"turn": dataclasses.asdict(heading)})
            for record in played:
                _write(file, path, to_json(record), last=isinstance(record, End))
                yield record


@contextmanager
def _closing(played: Iterator[Record]) -> Iterator[None]:
    """A generator ends its client when it is closed."""
    try:
        yield
    finally:
        if close := getattr(played, "close", None):
            close()


def to_json(record: Record) -> dict[str, Any]:
    """A record as JSON; `from_json` gives the same one."""
    return {"record": type(record).__name__, **dataclasses.asdict(record)}


def from_json(data: object, source: str) -> Record:
    """Raises RalphError if it is no record."""
    if not isinstance(data, Mapping) or (kind := _KINDS.get(str(data.get("record")))) is None:
        raise StorageError(f"{source} is no record of a turn.")
    return records.parse(kind, {name: value for name, value in data.items() if name != "record"}, source)


def read(path: Path) -> tuple[Take, ...]:
    """The takes of a transcript. Raises StorageError for damage."""
    try:
        lines = files.read_bytes(path).split(b"\n")
    except FileNotFoundError:
        raise StorageError(f"There is no transcript {path}.") from None
    takes: list[tuple[Heading, list[Record]]] = []
    torn: StorageError | None = None
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        source = f"{path}, line {number},"
        data = _parsed(line)
        if isinstance(data, Mapping) and "turn" in data:
            takes.append((_heading(data["turn"], source), []))
            torn = None
        elif torn or not takes:
            raise torn or StorageError(f"{source} belongs to no turn.")
        elif data is None:
            torn = StorageError(f"{source} is damaged, and the file was left as it is.")
        else:
            takes[-1][1].append(_record(data, source))
    return tuple(Take(heading, tuple(found)) for heading, found in takes)


def _parsed(line: bytes) -> object:
    """None for what is no JSON."""
    try:
        return files.parse_json(line)
    except ValueError:
        return None


def _heading(data: object, source: str) -> Heading:
    try:
        return records.parse(Heading, data, source)
    except RalphError as error:
        raise StorageError(str(error)) from None


def _record(data: object, source: str) -> Record:
    try:
        return from_json(data, source)
    except RalphError as error:
        raise StorageError(str(error)) from None


def _appending(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        file = open(descriptor, "ab", buffering=0)  # noqa: PTH123, SIM115 - pathlib cannot refuse links; the caller closes
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            file.write(b"\n")  # a kill left the last line torn
    except OSError as error:
        raise StorageError(f"The transcript {path} cannot be written: {files.reason(error)}.") from None
    return file


def _write(file: BinaryIO, path: Path, data: object, *, last: bool = False) -> None:
    line = redacted_bytes(json.dumps(_finite(data)).encode("ascii")) + b"\n"
    try:
        while line:
            line = line[file.write(line) :]
        if last:
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"The transcript {path} cannot be written: {files.reason(error)}.") from None


def _finite(value: Any) -> Any:
    """JSON knows no infinity: a number that is none was unknown."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(name): _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value
