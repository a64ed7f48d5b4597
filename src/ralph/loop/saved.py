"""`.ralph/state.json`: where the loop stands, for people and for the next run (spec: core concepts, State Management).

Rules (design decisions 29, 32, 36):

- It is a projection: a run's log is what counts while it runs, and the runner writes this file from it. Between runs it
  carries the totals and the breaker, so a limit holds over all runs.
- One writer at a time, and the previous version stays as `.bak`. What changes one thing uses `change`, which reads the
  file anew under its lock: nobody saves a copy of yesterday.
- Reading is strict: a wrong type, a negative count, a cost that is no finite number or an unknown state of the breaker
  is an error that names the key. What cannot be read is not taken for zero, is never written over, and the `.bak`, if
  it is good, is offered by name.
- Fields that this version does not know are kept, beside ours and in the breaker's. A file that lacks newer fields gets
  their defaults; one that a newer version of the schema wrote is refused.
- Times are RFC 3339 in UTC. One without a zone, as older files have it, is taken as UTC.
- The project is where the file lies: one that was moved goes on as it was.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from ralph.errors import ConfigError, StorageError
from ralph.loop.breaker import Breaker
from ralph.loop.words import Phase
from ralph.record import field, record, replace
from ralph.system import files, records
from ralph.system.clock import rfc3339

SCHEMA: Literal[1] = 1
STATE = Path(".ralph", "state.json")

_OURS = {"extra", "breaker_extra"}

R = TypeVar("R")


@record(kw_only=True)
class RalphState:
    """The fields of the file. `total_*` count over all runs, `session_*` in the session at work.

    Costs count what is known; `unpriced_turns` counts the turns whose cost nobody knows. `run_id` is the run that wrote
    this, `sessions` how many sessions there were. What the file holds besides is in `extra` and `breaker_extra`.
    """

    project_root: str
    current_phase: Phase
    iteration_count: int
    total_cost_usd: float
    total_tokens_used: int
    session_id: str | None = None
    total_runtime_s: float = 0.0
    unpriced_turns: int = 0
    sessions: int = 0
    run_id: str | None = None
    started_at: str | None = None
    last_activity_at: str | None = None
    circuit_breaker: Breaker = field(default_factory=Breaker)
    session_cost_usd: float = 0.0
    session_tokens_used: int = 0
    session_started_at: str | None = None
    tasks_completed_this_session: int = 0
    paused: bool = False
    schema_version: Literal[1] = SCHEMA
    extra: Mapping[str, Any] = field(default_factory=dict)
    breaker_extra: Mapping[str, Any] = field(default_factory=dict)

    def with_session(self, session_id: str | None, started_at: str | None = None) -> RalphState:
        """The state as a session begins, or, with None, after one ended: its own counts are zero, the totals stay."""
        return replace(
            self,
            session_id=session_id,
            session_started_at=started_at,
            session_cost_usd=0.0,
            session_tokens_used=0,
            tasks_completed_this_session=0,
        )


def fresh(root: Path, *, now: datetime, phase: Phase = Phase.DISCOVERY) -> RalphState:
    """The state of a project where nothing was done yet."""
    return RalphState(
        project_root=str(root),
        current_phase=phase,
        iteration_count=0,
        total_cost_usd=0.0,
        total_tokens_used=0,
        started_at=rfc3339(now),
        last_activity_at=rfc3339(now),
    )


class StateStore:
    """The state of the project at `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.path = self.root / STATE

    def load(self) -> RalphState:
        """Raises StorageError if there is none, or it cannot be used; it then says what can be done."""
        state = self.load_or_none()
        if state is None:
            raise StorageError(f"There is no state in {self.path}: `ralph run` begins with one.")
        return state

    def load_or_none(self) -> RalphState | None:
        """None where nothing was ever saved. A file that was taken away while its `.bak` stays is an error: the totals
        that limits are held against would be gone. Raises StorageError as `load` does."""
        try:
            return replace(_read(self.path), project_root=str(self.root))
        except ConfigError as error:
            raise StorageError(f"{str(error).rstrip('.')}; it was left as it is{self._way_out()}.") from None
        except FileNotFoundError:
            backup = files.backup_of(self.path)
            if not os.path.lexists(backup):
                return None
            raise StorageError(
                f"{self.path} is gone, but {backup} is there: copy it to {self.path.name} to go on, or move it away to "
                "begin anew."
            ) from None

    def save(self, state: RalphState) -> None:
        """Write the state; one that stands there already is not written again. Raises StorageError, also if what is
        there cannot be read."""
        with files.lock(self.path):
            self._save(state)

    def change(self, by: Callable[[RalphState], RalphState]) -> RalphState:
        """Read, change and write it as its only writer. Raises StorageError."""
        with files.lock(self.path):
            changed = by(self.load())
            self._save(changed)
        return changed

    def _save(self, state: RalphState) -> None:
        there = self.load_or_none()
        if there is not None:
            state = _with_unknown(state, there)
        document = encode(replace(state, project_root=str(self.root)))
        try:
            decode(document, "It")
        except ConfigError as error:  # what could not be read back
            raise StorageError(f"This state cannot be written to {self.path}: {error}") from None
        if there is None or document != encode(there):
            text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
            files.atomic_write(self.path, text.encode("utf-8", "surrogatepass"), keep=True)

    def _way_out(self) -> str:
        backup = files.backup_of(self.path)
        try:
            _read(backup)
        except (FileNotFoundError, StorageError, ConfigError):
            return "; correct it, or move it away"
        return f"; {backup} is good: to go on with it, copy it to {self.path.name}"


def encode(state: RalphState) -> dict[str, Any]:
    """The state as the JSON object of its file: ours first, then what this version does not know."""
    document = asdict(state)
    extra, breaker_extra = document.pop("extra"), document.pop("breaker_extra")
    return {**document, "circuit_breaker": {**document["circuit_breaker"], **breaker_extra}, **extra}


def decode(document: object, source: str) -> RalphState:
    """The state in a JSON value. Raises ConfigError that names `source` and the key."""
    known, extra = _parted(RalphState, document, source)
    version = known.get("schema_version", SCHEMA)
    if type(version) is int and version > SCHEMA:
        raise ConfigError(f"{source} was written by a newer Ralph (schema version {version}): update Ralph.")
    place = f"{source}: circuit_breaker"
    inner, breaker_extra = _parted(Breaker, known.pop("circuit_breaker", {}), place)
    breaker = _checked(records.parse(Breaker, inner, place), place)
    state = _checked(records.parse(RalphState, known, source), source)
    return replace(state, circuit_breaker=breaker, extra=extra, breaker_extra=breaker_extra)


def _read(path: Path) -> RalphState:
    """Raises FileNotFoundError, StorageError, ConfigError."""
    return _state(files.read_bytes(path), str(path))


@lru_cache(maxsize=4)  # between two turns the file is read several times
def _state(data: bytes, source: str) -> RalphState:
    try:
        document = files.parse_json(data)
    except ValueError as error:
        raise ConfigError(f"{source} is damaged ({error}).") from None
    return decode(document, source)


def _parted(kind: type[Any], document: object, source: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What this version knows of a mapping, and what it does not. Anything else is left for `records` to refuse."""
    if not isinstance(document, Mapping):
        records.parse(kind, document, source)
        raise AssertionError("records take mappings only")
    names = {each.name for each in dataclasses.fields(kind)} - _OURS
    known = {key: value for key, value in document.items() if key in names}
    return known, {key: value for key, value in document.items() if key not in names}


def _checked(record: R, source: str) -> R:
    """The record with its times in UTC. Raises ConfigError for a figure or a time that cannot be."""
    times = {}
    for name, value in ((each.name, getattr(record, each.name)) for each in dataclasses.fields(record)):  # type: ignore[arg-type]
        if isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
            raise ConfigError(f"{source}: {name!r} must be a number of at least 0, but is {value}.")
        if name.endswith("_at") and value is not None:
            times[name] = _time(value, f"{source}: {name!r}")
    return replace(record, **times)


def _time(text: str, what: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
        return rfc3339(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise ConfigError(f"{what} must be a time such as 2026-01-20T10:00:00Z, but is {text[:40]!r}.") from None


def _with_unknown(state: RalphState, there: RalphState) -> RalphState:
    """The state with the unknown fields that stand in the file, where it does not bring its own."""
    return replace(
        state,
        extra={**there.extra, **state.extra},
        breaker_extra={**there.breaker_extra, **state.breaker_extra},
    )
