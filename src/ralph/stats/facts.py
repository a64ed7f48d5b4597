"""Reads the runs' logs into turns: who worked, what it cost, and what was measured of it.

Rules: the log alone counts, folded as the loop itself folds it. Who had a turn is told by the events and claims of it,
by Ralph's own stamp; a turn without any is its run's agent's. A log that cannot be read is named, and the others count.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.audit.store import AuditStore
from ralph.errors import StorageError
from ralph.events.honesty import Claim
from ralph.events.model import Event
from ralph.loop.inputs import Judged, Outcome, TurnEnded
from ralph.loop.journal import Moment, moments, runs
from ralph.loop.state import State
from ralph.record import record
from ralph.system import files
from ralph.system.places import audit_dir

UNKNOWN = "unknown"
MEASURED: tuple[Outcome, ...] = ("complete", "refused", "inherited", "blocked", "tampered", "abandoned", "thrashing")
"""The outcomes of a claim of completion that was measured."""


@record(kw_only=True)
class Turn:
    """One turn. `task` is (run, id); `outcome` None: nothing was judged. `cost_usd` None: nobody knows."""

    run: str
    time: str
    agent: str
    model: str
    hat: str
    task: tuple[str, str] | None
    cost_usd: float | None
    tokens: int
    runtime_s: float
    outcome: Outcome | None
    verdict: str | None
    regressions: int

    @property
    def measured(self) -> bool:
        return self.outcome in MEASURED

    @property
    def verified(self) -> bool:
        """A task was completed, and the engine's verdict on it is PASS."""
        return self.outcome == "complete" and self.verdict == "PASS"


@record
class Facts:
    """Every turn, oldest first, and the sentences about what could not be read."""

    turns: tuple[Turn, ...]
    problems: tuple[str, ...]


def read(root: Path) -> Facts:
    """The turns of all runs of a project."""
    turns: list[Turn] = []
    problems: list[str] = []
    store = AuditStore(audit_dir(root))
    for folder in runs(root):
        try:
            found, _ = moments(folder)
            turns += _turns(found, store, problems)
        except StorageError as error:
            problems.append(str(error))
    return Facts(tuple(turns), tuple(dict.fromkeys(problems)))


def _turns(found: list[Moment], store: AuditStore, problems: list[str]) -> Iterator[Turn]:
    """A turn, and what was judged right after it."""
    before: State | None = None
    pending: tuple[Moment, State] | None = None
    for each in found:
        if isinstance(each.given, TurnEnded) and before is not None:
            if pending:
                yield _turn(*pending, None, store, problems)
            pending = (each, before)
        elif isinstance(each.given, Judged) and pending:
            yield _turn(*pending, each.given, store, problems)
            pending = None
        before = each.state
    if pending:
        yield _turn(*pending, None, store, problems)


def _turn(at: Moment, before: State, judged: Judged | None, store: AuditStore, problems: list[str]) -> Turn:
    ended = at.given
    assert isinstance(ended, TurnEnded)
    stamps: list[Claim | Event] = [*judged.claims, *judged.events] if judged else []
    usage = ended.usage
    return Turn(
        run=before.run,
        time=at.time,
        agent=next((each.agent for each in stamps if each.agent), before.agent),
        model=next((each.model for each in stamps if each.model), UNKNOWN),
        hat=ended.hat or next((each.hat for each in stamps if each.hat), UNKNOWN),
        task=(before.run, before.work.task) if before.work else None,
        cost_usd=usage.cost_usd if usage else None,
        tokens=usage.tokens if usage else 0,
        runtime_s=ended.runtime_s,
        outcome=judged.outcome if judged else None,
        verdict=judged.verdict if judged else None,
        regressions=_regressions(store, judged, problems),
    )


def _regressions(store: AuditStore, judged: Judged | None, problems: list[str]) -> int:
    """How many failures the measured tree had that its base had not."""
    if judged is None or judged.verdict_run is None or judged.outcome not in MEASURED:
        return 0
    path = store.path(judged.verdict_run) / "verdict.json"
    try:
        return len(files.parse_json(files.read_bytes(path))["regressions"])
    except (FileNotFoundError, StorageError, ValueError, KeyError, TypeError):
        problems.append(f"{path} cannot be read, so its regressions are not counted.")
        return 0
