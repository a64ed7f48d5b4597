"""`ralph status` for a run of many iterations, and what the loop's own bookkeeping costs in each of them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from report import Table, median_ms

from measures.startup import RALPH
from ralph.agents.base import Usage
from ralph.config.run import AgentEntry
from ralph.config.schema import Config
from ralph.loop import journal as journals
from ralph.loop import standing
from ralph.loop.control import Alive, Control
from ralph.loop.inputs import Begun, Judged, TurnEnded
from ralph.loop.journal import Journal
from ralph.loop.settings import limits_of, settings_of
from ralph.loop.words import Phase


def measure(table: Table, work: Path, *, quick: bool) -> None:
    iterations, times = (100, 5) if quick else (1000, 20)
    root = work / "status"
    journal = run_of(root, iterations)
    kept = journal.folder / standing.STANDING

    def status() -> None:
        subprocess.run([RALPH, "status", "-C", root], check=True, capture_output=True)

    def folded() -> None:
        kept.unlink(missing_ok=True)
        status()

    table.row(
        f"`ralph status`, run of {iterations} iterations, median of {times}",
        f"{median_ms(status, times):.0f} ms",
        "under 150 ms",
        f"without `{kept.name}`, from the log: {median_ms(folded, 3):.0f} ms",
    )
    control, nobody = Control(root), Alive(id="nobody")
    for _ in range(100):
        control.post("inject", "a hint")
    table.row(
        "leaving how a run stands, once for each input",
        f"{median_ms(lambda: standing.keep(journal), times):.2f} ms",
        "",
        f"looking for orders among 100: {median_ms(lambda: control.since(100, nobody), times):.2f} ms",
    )


def run_of(root: Path, iterations: int) -> Journal:
    """A run of so many iterations."""
    now = datetime.now(UTC)
    limits = replace(
        limits_of(Config()), per_session_usd=None, total_usd=None, iterations=None, runtime_s=None, tokens=10**9
    )
    settings = settings_of(Config(), AgentEntry(), limits)
    begun = Begun(run="run", prompt="x", phase=Phase.DISCOVERY, agent="a", settings=settings, base=None)
    journal = journals.begin(root, begun, now)
    used = Usage(input_tokens=900, output_tokens=100, cost_usd=0.01, context_tokens=1000)
    for number in range(iterations):
        journal.add(TurnEnded(reason="completed", usage=used, runtime_s=1.0), now)
        journal.add(Judged(outcome="open", tree=f"{number:040x}", moved=True, told=("Nothing was claimed.",)), now)
    standing.keep(journal)
    return journal
