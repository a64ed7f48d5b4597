"""How a run stands, for people: what `ralph status` shows, and the live view.

Rules:

- It is computed from the state alone. The runner leaves it beside the log (`standing.json`) with the place of the log's
  last line, so that who asks need not fold a long log. What does not belong to the last line is not believed: the log
  is folded then. So nothing depends on the file, and a failure to write it stops nothing.
- Loading this module costs little; what costs more is loaded by who computes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ralph.errors import StorageError
from ralph.system import files, ledger

if TYPE_CHECKING:
    from ralph.loop.journal import Journal
    from ralph.loop.state import State

RUNS = Path(".ralph", "runs")
LOG = "log.jsonl"
STANDING = "standing.json"

Standing = dict[str, Any]


def standing(state: State) -> Standing:
    """How things stand in a run, as JSON."""
    from ralph.loop import budget
    from ralph.loop.moves import counted

    limits, session, total = state.settings.limits, state.session.spent, counted(state)
    return {
        "run": state.run,
        "prompt": state.prompt,
        "agent": state.agent,
        "status": state.status,
        "end": state.end,
        "why": state.why,
        "phase": str(state.phase),
        "iteration": state.iteration,
        "task": {"id": state.work.task, "attempt": state.work.attempt} if state.work else None,
        "doing": doing(state),
        "verdict": state.verdict,
        "verdict_run": state.verdict_run,
        "tasks": {"complete": state.complete, "open": state.open, "blocked": list(state.blocked)},
        "breaker": {**asdict(state.breaker), "cooldown_s": state.settings.breaker.cooldown_s},
        "spent": {**asdict(state.total), "here": asdict(state.here), "session": asdict(session)},
        "left": asdict(budget.remaining(limits, session, total)),
        "nearing": list(budget.nearing(limits, state.last, session, total)),
        "context": state.session.context,
        "told": list(state.told),
        "hints": len(state.hints),
    }


def doing(state: State) -> str:
    """What is being done now, in a few words; "" if nothing is."""
    awaited: Any = state.awaiting
    if state.status == "ended" or awaited is None:
        return ""
    return _DOING.get(type(awaited).__name__, lambda _: "")(awaited)


_DOING: Mapping[str, Callable[[Any], str]] = {
    "Survey": lambda _: "Ralph looks for the next task",
    "Checkpoint": lambda _: "Ralph keeps the state of the project",
    "MeasureBase": lambda _: "Ralph measures what is there before the work",
    "RunAgent": lambda effect: "the agent sums up its session" if effect.kind == "handoff" else "the agent works",
    "Measure": lambda _: "Ralph measures what the agent did",
    "CheckPhase": lambda effect: f"Ralph looks whether {effect.phase} is complete",
    "Validate": lambda effect: f"Ralph validates the whole, for the {effect.number}. time",
    "AskHuman": lambda effect: f"a person is asked: {effect.question}",
    "Rollback": lambda effect: f"Ralph takes the work on {effect.task} back",
    "Wait": lambda effect: f"waits {effect.seconds:.0f} s: {effect.why}",
    "Pause": lambda _: "paused; `ralph resume` goes on",
}


def keep(journal: Journal) -> None:
    """Leave how things stand beside the log."""
    with suppress(OSError, StorageError, ValueError):
        kept = {"at": list(ledger.head(journal.path)), "standing": standing(journal.state)}
        temporary = journal.folder / f".{STANDING}.tmp"
        temporary.write_text(json.dumps(kept, allow_nan=False), "utf-8", "surrogatepass")
        temporary.replace(journal.folder / STANDING)


def newest(root: Path) -> tuple[Path, Standing] | None:
    """The folder of the newest run, and how it stands; None where nothing ever ran. Raises StorageError."""
    logs = sorted(path for path in (root / RUNS).glob(f"*/{LOG}") if path.stat().st_size)
    if not logs:
        return None
    return logs[-1].parent, of(logs[-1].parent)


def of(folder: Path) -> Standing:
    """How the run stands whose folder it is. Raises StorageError."""
    return _kept(folder) or _folded(folder)


def _kept(folder: Path) -> Standing | None:
    """What the runner left, if it belongs to the log as it is."""
    try:
        kept = json.loads(files.read_bytes(folder / STANDING).decode("utf-8", "surrogatepass"))
        if tuple(kept["at"]) == ledger.head(folder / LOG) and isinstance(kept["standing"], dict):
            return dict(kept["standing"])
    except (FileNotFoundError, StorageError, ValueError, KeyError, TypeError):
        pass
    return None


def _folded(folder: Path) -> Standing:
    from ralph.loop import journal

    return standing(journal.read(folder).state)
