"""The inbox of a turn: how an agent's `ralph emit` reaches Ralph, through a folder that the agent may write.

Rules (spec: events; decisions 19, 24, 30):

- Ralph opens one for each turn, outside the project and for its user alone: `turn.json` says what holds in this turn,
  `posted.jsonl` takes what is emitted. The turn's environment names the folder (`RALPH_RUN`) and the token.
- Nothing in it is trusted: `ralph emit` only reads the claim, to answer the agent at once. What counts is what
  `events.door` makes of each emission with Ralph's own rules when the turn is over; hat, agent and model are Ralph's.
- A post is acknowledged when its line is on the disk. Writers take turns; a line that a killed writer left torn is
  closed by the next one, so that it spoils no other.
- Reading stops at the last complete line. CR LF ends a line as LF does. A line that is no emission is handed over as
  `Unreadable`: reported, never lost and never guessed at.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from ralph.errors import ConfigError, StorageError, UsageError
from ralph.events import tokens
from ralph.events.door import Emission, Evidence, Rules
from ralph.events.model import Gate
from ralph.record import record
from ralph.system import files, records

VARIABLE = "RALPH_RUN"
"""Where a turn's environment names its inbox."""

_TURN, _POSTED = "turn.json", "posted.jsonl"
_LOCK_TIMEOUT_S = 30.0
_SHOWN = 100
LARGEST_INBOX = 64 * 1024 * 1024


@record(kw_only=True)
class Role:
    """A hat, as far as the door needs it."""

    id: str
    triggers: tuple[str, ...]
    publishes: tuple[str, ...]


@record(kw_only=True)
class Turn:
    """Whose turn it is, and what is known of it; these are Ralph's words, not the agent's."""

    iteration: int
    hat: str | None = None
    agent: str | None = None
    model: str | None = None
    task: str | None = None

    def emission(self, topic: str, payload: str, token: str | None, tool: str | None = None) -> Emission:
        return Emission(
            topic=topic,
            payload=payload,
            origin="agent",
            hat=self.hat,
            agent=self.agent,
            model=self.model,
            task=self.task,
            iteration=self.iteration,
            token=token,
            tool=tool,
        )


@record(kw_only=True)
class Card:
    """What `turn.json` holds: enough for `ralph emit` to read a claim as Ralph will."""

    turn: Turn
    evidence: Evidence
    hats: tuple[Role, ...]
    gates: tuple[Gate, ...]
    seal_digest: str
    warn_mutation_below: float | None = None

    @property
    def rules(self) -> Rules:
        return Rules(
            hats=self.hats,
            evidence=self.evidence,
            gates={gate.topic: gate for gate in self.gates},
            warn_mutation_below=self.warn_mutation_below,
            seal=tokens.Seal(self.turn.iteration, self.seal_digest),
        )


@record
class Unreadable:
    """A line of the inbox that is no emission."""

    beginning: str
    reason: str


@record
class _Posted:
    topic: str
    payload: str
    token: str
    tool: str | None = None


def open_turn(folder: Path, turn: Turn, rules: Rules, token: str) -> dict[str, str]:
    """Make the inbox of a turn; what to add to the turn's environment. Raises StorageError.

    `rules.seal` must be the seal of `token`. The folder is there with all that belongs in it, or not at all: half of
    one, left by a kill, could not be told from one that the agent has emptied.
    """
    assert rules.seal is not None
    card = Card(
        turn=turn,
        evidence=rules.evidence,
        hats=tuple(Role(id=h.id, triggers=tuple(h.triggers), publishes=tuple(h.publishes)) for h in rules.hats),
        gates=tuple(rules.gates.values()),
        seal_digest=rules.seal.digest,
        warn_mutation_below=rules.warn_mutation_below,
    )
    making = _making(folder)
    try:
        making.mkdir(mode=0o700, parents=True)
        (making / _POSTED).touch(mode=0o600)
        files.atomic_write(making / _TURN, json.dumps(asdict(card)).encode())
        making.rename(folder)
    except OSError as error:
        raise StorageError(f"The inbox {folder} cannot be made: {files.reason(error)}.") from error
    return {VARIABLE: str(folder), tokens.VARIABLE: token}


def close_turn(folder: Path) -> None:
    """Take the inbox away, also one that a kill left half made."""
    for place in (folder, _making(folder)):
        shutil.rmtree(place, ignore_errors=True)


def _making(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.new")


def card(environ: Mapping[str, str]) -> tuple[Path, Card]:
    """The inbox of the turn that this environment belongs to. Raises UsageError outside of one."""
    place = environ.get(VARIABLE)
    outside = "`ralph emit` publishes from within a turn of `ralph run`, and this is none"
    if not place:
        raise UsageError(f"{outside}: {VARIABLE} is not set; to try a gate alone, use `ralph events check`.")
    try:
        data = files.read_json(Path(place, _TURN))
        return Path(place), records.parse(Card, data, str(Path(place, _TURN)))
    except (StorageError, ConfigError) as error:
        raise UsageError(f"{outside}: {str(error).rstrip('.')}; is the turn over?") from None


def post(folder: Path, topic: str, payload: str, token: str, tool: str | None = None) -> None:
    """Hand an emission to Ralph; it is on the disk on return. Raises StorageError.

    `tool` is the tool of Ralph that was called for it. An agent can write its name as well as call it, so the name may
    only choose how a claim is read, never how far it is believed.
    """
    posted = {"topic": topic, "payload": payload, "token": token} | ({"tool": tool} if tool else {})
    line = json.dumps(posted).encode() + b"\n"
    path = folder / _POSTED
    with files.lock(path, timeout_s=_LOCK_TIMEOUT_S):
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
            with open(descriptor, "ab", buffering=0) as file:  # noqa: PTH123 - pathlib cannot refuse links
                size = os.fstat(descriptor).st_size
                torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
                _write_all(file, b"\n" + line if torn else line)
                os.fsync(descriptor)
        except OSError as error:
            raise StorageError(f"The inbox {folder} cannot be written: {files.reason(error)}.") from error


def collect(folder: Path, turn: Turn, offset: int = 0) -> tuple[tuple[Emission | Unreadable, ...], int]:
    """What was posted behind `offset` (bytes), and the offset to go on at. Raises StorageError."""
    path = folder / _POSTED
    try:
        if path.lstat().st_size > LARGEST_INBOX:
            raise StorageError(f"The inbox {path} holds more than {LARGEST_INBOX} bytes: nothing of it is read.")
        data = files.read_bytes(path)
    except OSError as error:
        raise StorageError(f"The inbox {path} cannot be read: {files.reason(error)}.") from error
    if len(data) < offset:
        raise StorageError(f"The inbox {path} lost lines that were read before: the agent's turn is not to be trusted.")
    end = data.rfind(b"\n") + 1
    lines = data[offset:end].split(b"\n")[:-1]
    return tuple(_parsed(line.removesuffix(b"\r"), turn) for line in lines if line.strip()), max(end, offset)


def _parsed(line: bytes, turn: Turn) -> Emission | Unreadable:
    try:
        posted = records.parse(_Posted, files.parse_json(line), "a posted line")
    except (ValueError, ConfigError) as error:
        return Unreadable(line[:_SHOWN].decode("utf-8", "replace"), str(error).rstrip("."))
    return turn.emission(posted.topic, posted.payload, posted.token, posted.tool)


def _write_all(file: io.FileIO, data: bytes) -> None:
    while data:
        data = data[file.write(data) or 0 :]
