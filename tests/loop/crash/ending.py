"""What a run came to, without what chance and the clock have put into it; and what must hold however it went."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ralph.errors import StorageError
from ralph.events import honesty, log
from ralph.loop import journal, wire
from ralph.loop.inputs import Judged, TurnEnded, Waited
from ralph.loop.journal import Journal
from ralph.loop.memory import history, notes
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.plan.files import PlanStore
from ralph.loop.saved import StateStore
from ralph.loop.turn_folder import TurnFolder
from ralph.loop.words import Spent
from ralph.system import ledger
from ralph.system.hold import take_over
from ralph.system.scratch import scratch

OURS = (".git", ".ralph", "state")
TIMES = {"completed_at", "actual_tokens_used"}


@dataclass(frozen=True, slots=True)
class Ending:
    """`moves` are the run's inputs, `tasks` the plan, `tree` the files, `kept` what the memories hold."""

    end: str | None
    why: str
    moves: tuple[str, ...]
    tasks: tuple[dict[str, Any], ...]
    tree: dict[str, str]
    events: tuple[tuple[Any, ...], ...]
    claims: tuple[tuple[Any, ...], ...]
    sessions: tuple[tuple[Any, ...], ...]
    kept: dict[str, Any]
    saved: tuple[Any, ...]

    def differences(self, other: Ending) -> list[str]:
        """Where two endings are not the same, for a person to read."""
        found = []
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                found.append(f"{name}: {_first_difference(mine, theirs)}")
        return found


def ending(root: Path) -> Ending:
    """Of the newest run of the project."""
    found = journal.latest(root)
    assert found is not None
    saved = StateStore(root).load()
    state, events = found.state, log.read(root / log.LOG)[0]
    return Ending(
        end=state.end,
        why=_timeless(state.why, state.run),
        moves=tuple(each.replace(str(root.parent), "PLACE") for each in _moves(found)),
        tasks=tuple(
            {name: value for name, value in asdict(task).items() if name not in TIMES}
            for task in PlanStore(root).load().tasks
        ),
        tree=_files(root),
        events=tuple((e.topic, e.payload, e.origin, e.hat, e.task, e.claimed) for e in events),
        claims=tuple(
            (claim.topic, claim.task, claim.true, claim.contradiction) for claim in honesty.read(root / honesty.CLAIMS)
        ),
        sessions=tuple(
            (_timeless(line.session_id, state.run), line.iteration, line.handoff_reason, line.tasks_completed)
            for line in history.read(root).lines
        ),
        kept=_kept(root),
        saved=(
            *(saved.current_phase, saved.iteration_count, saved.sessions, saved.paused, saved.run_id == state.run),
            replace(saved.circuit_breaker, opened_at=None),
        ),
    )


def _moves(found: Journal) -> list[str]:
    """The run's inputs. A provider that asks to wait is left out: a kill may come before it does."""
    told = []
    for entry in ledger.read(found.path):
        given = wire.from_record(entry.record, "a line")
        if isinstance(given, Waited) or (isinstance(given, TurnEnded) and given.reason in ("rate_limited", "offline")):
            continue
        told.append(_timeless(_essence(given), found.state.run))
    return told


def _essence(given: Any) -> str:
    if isinstance(given, TurnEnded):
        return f"TurnEnded {given.reason} {given.detail} {given.hat} {given.ungoverned} {given.summary!r}"
    if isinstance(given, Judged):
        topics = [(event.topic, event.payload) for event in given.events]
        return (
            f"Judged {given.outcome} {given.moved} {given.tree} {given.told} {topics} {given.reason!r} {given.verdict}"
        )
    fields = {name: value for name, value in wire.to_record(given).items() if name not in _CHANCE}
    return str(fields)


_CHANCE = {"id", "commit", "rejected", "verdict_run", "runtime_s", "settings", "base", "run", "plan", "carried"}


def _timeless(text: str, run: str) -> str:
    return text.replace(run, "RUN")


def _files(root: Path) -> dict[str, str]:
    """The project's own, by path."""
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    inside = (path for path in found if path.relative_to(root).parts[0] not in OURS)
    return {str(path.relative_to(root)): path.read_text() for path in inside}


def _kept(root: Path) -> dict[str, Any]:
    memory = MemoryFolder(root)
    said = [line.partition("] ")[2] for line in notes.learnings(root, 100_000)]
    return {
        "learnings": sorted(set(said)),  # an agent that is cut off says it again
        "notes": sorted(set(notes.remembered(root).split())),
        "iterations": _names(memory.iterations) + _names(memory.archive, "iter-"),
        "sessions": _names(memory.sessions) + _names(memory.archive, "session-"),
        "phases": _names(memory.phases),
    }


def _names(folder: Path, stem: str = "") -> list[str]:
    return sorted(path.name for path in folder.glob(f"{stem}*.md"))


def spent(found: Journal) -> Spent:
    """What all playings of all turns of a run have used, as their transcripts say."""
    total = Spent()
    for path in (found.folder / "turns").iterdir():
        if (usage := TurnFolder(path).usage) is not None:
            total = total.plus(usage, runtime_s=0.0)
    return total


def damage(root: Path) -> list[str]:
    """What must never be, whatever has just happened: reads everything, and says what is wrong."""
    wrong = []
    for read in (StateStore(root).load_or_none, PlanStore(root).load_or_none, partial(journal.latest, root)):
        try:
            read()
        except StorageError as error:
            wrong.append(str(error))
    for name in ("events.jsonl", "claims.jsonl", "control.jsonl", "audit/ledger.jsonl"):
        report = ledger.verify(root / ".ralph" / name)
        wrong += [] if report.ok else [f"{name}: {report.reason}"]
    if history.read(root).damaged:
        wrong.append("damaged lines in the history of sessions")
    return wrong


def miscounted(root: Path) -> list[str]:
    """What is wrong with the costs and tokens of a run that has ended."""
    found, saved = journal.latest(root), StateStore(root).load()
    assert found is not None
    used, counted, wrong = spent(found), found.state.here, list[str]()
    if not math.isclose(used.cost_usd, counted.cost_usd, abs_tol=1e-9) or used.tokens != counted.tokens:
        wrong.append(f"turns used {used.cost_usd} USD and {used.tokens} tokens, but {counted} was counted")
    if (saved.total_cost_usd, saved.total_tokens_used) != (found.state.total.cost_usd, found.state.total.tokens):
        wrong.append("state.json has other totals than the run")
    return wrong


def litter() -> list[str]:
    """What nobody uses any more in the folder for temporary files."""
    with scratch("looking") as own:  # whoever makes a scratch folder removes those that killed processes left
        folder = own.parent
    left = [path.name for path in folder.glob("inbox-*")]
    for mark in folder.glob("*.held"):
        if (held := take_over(mark.with_suffix(""))) is not None:
            os.close(held.descriptor)
            left.append(mark.name)
    return left


def _first_difference(mine: Any, theirs: Any) -> str:
    if isinstance(mine, dict) and isinstance(theirs, dict):
        keys = sorted(key for key in mine.keys() | theirs.keys() if mine.get(key) != theirs.get(key))
        return "; ".join(f"{key}: {mine.get(key)!r} != {theirs.get(key)!r}" for key in keys)
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        for number, (one, other) in enumerate(zip(mine, theirs, strict=False)):
            if one != other:
                return f"at {number}: {one!r} != {other!r}"
        more = max(mine, theirs, key=len)[min(len(mine), len(theirs))]
        return f"{len(mine)} and {len(theirs)}, the longer one goes on with {more!r}"
    return f"{mine!r} != {theirs!r}"
