"""The runs of the gate language on disk: `.ralph/gates/<run>/run.json`, and the logs of every attempt beside it.

Rules (design decision 32; research: verify gates, 4.2 and S5):

- One record per run, replaced as a whole, the previous one kept as `.bak`; changed under a lock, by reading it anew.
  What was counted before a kill is counted after it. A record never grows old: only its end or a person closes it.
- At most one process drives the runs of a project (`driving`); a person's decisions may fall meanwhile.
- A run that did not end is taken up again when the same text is run; a run that ended stays as it is.
- A damaged record is an error that names the way out, never an empty one.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ralph.errors import ConfigError, StorageError, UsageError
from ralph.gates.model import Attempt, CriteriaGate, GateRun, GateState, Judgement, VerifyGate
from ralph.record import asdict, record, replace
from ralph.system import files, records
from ralph.system.clock import rfc3339

Gate = VerifyGate | CriteriaGate
RunState = Literal["open", "passed", "excepted", "blocked", "aborted", "limit"]
ENDED: frozenset[RunState] = frozenset({"passed", "excepted", "aborted"})
"""States that nothing leads out of; a blocked run goes on after a person's decision, one at its limit with more."""


@record(kw_only=True)
class ChainRun:
    """A text of the gate language at work. `turns` are those of an agent, by step; the last ones are of the end."""

    id: str
    text: str
    started_at: str
    base_tree: str
    turns: tuple[int, ...]
    gates: tuple[GateRun, ...]
    state: RunState = "open"

    def of_step(self, step: int) -> tuple[GateRun, ...]:
        return tuple(each for each in self.gates if each.step == step)

    def gate(self, gate_id: str) -> GateRun:
        return next(each for each in self.gates if each.id == gate_id)

    def with_gate(self, gate: GateRun) -> ChainRun:
        return replace(self, gates=tuple(gate if each.id == gate.id else each for each in self.gates))


class Shelf:
    """The records of the project at `root`."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".ralph" / "gates"

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Be the one process that drives runs here. Raises StorageError that names the other one."""
        with files.lock(self.folder / "runs", timeout_s=0):
            yield

    def begin(self, text: str, steps: Sequence[Sequence[Gate]], *, now: datetime, base_tree: str) -> ChainRun:
        """A new run of a text with the gates of each of its steps, on disk."""
        started = rfc3339(now)
        run_id = hashlib.sha256(f"{started}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
        gates = tuple(
            GateRun(id=f"{run_id}-{step}.{number}", gate=gate, step=step)
            for step, each in enumerate(steps, start=1)
            for number, gate in enumerate(each, start=1)
        )
        run = ChainRun(
            id=run_id,
            text=text,
            started_at=started,
            base_tree=base_tree,
            turns=(0,) * (len(steps) + 1),
            gates=gates,
        )
        with files.lock(self._file(run_id)):
            self._write(run)
        return run

    def unfinished(self, text: str, steps: Sequence[Sequence[Gate]]) -> ChainRun | None:
        """The newest run of exactly this text and these gates that did not end."""
        gates = [(step, gate) for step, each in enumerate(steps, start=1) for gate in each]
        found = [run for run in self.runs() if run.text == text and run.state not in ENDED]
        same = [run for run in found if [(each.step, each.gate) for each in run.gates] == gates]
        return same[-1] if same else None

    def runs(self) -> list[ChainRun]:
        """Every run, oldest first. Raises StorageError if one cannot be read."""
        if not self.folder.is_dir():
            return []
        found = [self.load(each.parent.name) for each in self.folder.glob("*/run.json")]
        return sorted(found, key=lambda run: (run.started_at, run.id))

    def load(self, run_id: str) -> ChainRun:
        """Raises StorageError."""
        return _read(self._file(run_id))

    def change(self, run_id: str, by: Callable[[ChainRun], ChainRun]) -> ChainRun:
        """Read, change and write a run as its only writer. Raises StorageError."""
        with files.lock(self._file(run_id)):
            changed = by(self.load(run_id))
            self._write(changed)
        return changed

    def find(self, beginning: str) -> tuple[ChainRun, GateRun]:
        """The gate whose id is, or alone begins with, `beginning`. Raises UsageError."""
        every = [(run, gate) for run in self.runs() for gate in run.gates]
        found = [pair for pair in every if pair[1].id == beginning]
        found = found or [pair for pair in every if beginning and pair[1].id.startswith(beginning)]
        if len(found) == 1:
            return found[0]
        what = f"{len(found)} gates begin with" if found else "No gate is called"
        raise UsageError(f"{what} {beginning!r}; `ralph gate list` shows those there are.")

    def log(self, gate: GateRun, name: str) -> Path:
        """Where the output of an attempt goes."""
        run_id, _, place = gate.id.partition("-")
        return self.folder / run_id / place / f"{name}.log"

    def _file(self, run_id: str) -> Path:
        return self.folder / run_id / "run.json"

    def _write(self, run: ChainRun) -> None:
        gates = [dataclasses.asdict(each) | {"gate": _kind(each.gate)} for each in run.gates]
        files.write_json(self._file(run.id), dataclasses.asdict(run) | {"gates": gates})


@record(kw_only=True)
class _Gate:
    verify: VerifyGate | None = None
    criterion: CriteriaGate | None = None


@record(kw_only=True)
class _GateRun:
    id: str
    gate: _Gate
    state: GateState
    attempts: tuple[Attempt, ...]
    judgements: tuple[Judgement, ...]
    reason: str
    step: int
    forgiven: int


@record(kw_only=True)
class _ChainRun:
    id: str
    text: str
    started_at: str
    base_tree: str
    turns: tuple[int, ...]
    gates: tuple[_GateRun, ...]
    state: RunState


def _kind(gate: Gate) -> dict[str, Any]:
    return {"verify" if isinstance(gate, VerifyGate) else "criterion": dataclasses.asdict(gate)}


def _read(path: Path) -> ChainRun:
    try:
        saved = records.parse(_ChainRun, files.read_json(path), str(path))
        gates = tuple(_gate_run(each, path) for each in saved.gates)
    except ConfigError as error:
        raise StorageError(f"{str(error).rstrip('.')}; correct it, or move {path.parent} away.") from None
    return ChainRun(**asdict(saved) | {"gates": gates})


def _gate_run(saved: _GateRun, path: Path) -> GateRun:
    gate = saved.gate.verify or saved.gate.criterion
    if gate is None or (saved.gate.verify and saved.gate.criterion):
        raise ConfigError(f"{path}: the gate {saved.id} must be either a command or a criterion.")
    return GateRun(**asdict(saved) | {"gate": gate})
