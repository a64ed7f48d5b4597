"""Runs without agents: the log of what would have happened, for those who only look at it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ralph.agents.base import EndReason, Usage
from ralph.config.run import AgentEntry
from ralph.config.schema import Config
from ralph.loop import journal as journals
from ralph.loop import standing
from ralph.loop.inputs import BaseMeasured, Begun, Checkpointed, Input, Judged, Outcome, Surveyed, TurnEnded
from ralph.loop.journal import Journal
from ralph.loop.projection import project
from ralph.loop.saved import StateStore, fresh
from ralph.loop.settings import limits_of, settings_of
from ralph.loop.words import Phase
from ralph.system import clock

RUN = "20260120T100000000Z-0123456789ab"
AT = datetime.fromisoformat("2026-01-20T10:00:00Z")
SETTINGS = settings_of(Config(), AgentEntry(), limits_of(Config()))
BEGUN = Begun(run=RUN, prompt="add a flag", phase=Phase.BUILDING, agent="tester", settings=SETTINGS, base="c" * 40)


def begin(root: Path, begun: Begun = BEGUN) -> Journal:
    """A run that has just begun to build a task."""
    journal = journals.begin(root, begun, AT)
    return happened(
        journal, Checkpointed(id="c1", commit="c" * 40, tree="t0"), BaseMeasured(), Surveyed(next="auth-01", open=2)
    )


def happened(journal: Journal, *inputs: Input) -> Journal:
    """The run, and its files, after these inputs. Opened breakers open now."""
    for given in inputs:
        journal.add(given, clock.now())
    root = journal.folder.parents[2]
    saved = StateStore(root)
    saved.save(project(journal.state, saved.load_or_none() or fresh(root, now=AT), AT))
    standing.keep(journal)
    return journal


def turn(cost_usd: float | None = 0.5, *, detail: str = "", reason: EndReason = "completed") -> TurnEnded:
    used = Usage(input_tokens=900, output_tokens=100, cost_usd=cost_usd, context_tokens=20_000, context_window=200_000)
    return TurnEnded(reason=reason, usage=used, runtime_s=60.0, detail=detail)


def judged(outcome: Outcome = "open", *, told: tuple[str, ...] = (), moved: bool = True, reason: str = "") -> Judged:
    return Judged(outcome=outcome, tree="t1", moved=moved, told=told, reason=reason)
