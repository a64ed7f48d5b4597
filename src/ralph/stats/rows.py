"""Figures by agent, model and hat: pure sums over turns and claims.

Rules: a task counts for everybody who had a turn in it, so the figures of a group need not add up to those of all. A
cost that nobody knows is not in a sum, and says so (`unpriced`). A share or quotient of nothing is None, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from ralph.events.honesty import Claim, tally
from ralph.record import record
from ralph.stats.facts import Turn

By = Literal["all", "agent", "model", "hat"]
GROUPS: tuple[By, ...] = ("all", "agent", "model", "hat")


@record(kw_only=True)
class Row:
    """What one of them did. `first_pass` and `honesty` are percentages, `attempts` measured claims per
    verified task."""

    name: str
    turns: int
    tasks: int
    verified: int
    first_pass: float | None
    attempts: float | None
    regressions: int
    cost_usd: float
    unpriced: int
    cost_per_task_usd: float | None
    tokens: int
    runtime_s: float
    claims: int
    honesty: float | None
    contradicted: int


def rows(turns: Sequence[Turn], claims: Sequence[Claim], by: By) -> list[Row]:
    """One row for each name, by name; for `all` there is one."""
    names = {_name(turn, by) for turn in turns} | {_name(claim, by) for claim in claims}
    return [_row(name, turns, claims, by) for name in sorted(names)]


def _name(of: Turn | Claim, by: By) -> str:
    return "all" if by == "all" else getattr(of, by) or "unknown"


def _row(name: str, turns: Sequence[Turn], claims: Sequence[Claim], by: By) -> Row:
    own = [turn for turn in turns if _name(turn, by) == name]
    said = [claim for claim in claims if _name(claim, by) == name]
    tasks = {turn.task for turn in own if turn.task}
    of_tasks = {task: [turn for turn in turns if turn.task == task and turn.measured] for task in tasks}
    verified = [measured for measured in of_tasks.values() if any(turn.verified for turn in measured)]
    costs = [turn.cost_usd for turn in own if turn.cost_usd is not None and math.isfinite(turn.cost_usd)]
    cost = math.fsum(max(0.0, each) for each in costs)
    true = sum(row.true for row in tally(said, "hat"))
    return Row(
        name=name,
        turns=len(own),
        tasks=len(tasks),
        verified=len(verified),
        first_pass=_percent(sum(measured[0].verified for measured in verified), len(of_tasks)),
        attempts=_over(sum(len(measured) for measured in verified), len(verified)),
        regressions=sum(turn.regressions for turn in own),
        cost_usd=round(cost, 4),
        unpriced=len(own) - len(costs),
        cost_per_task_usd=_over(cost, len(verified)),
        tokens=sum(turn.tokens for turn in own),
        runtime_s=round(math.fsum(turn.runtime_s for turn in own), 1),
        claims=len(said),
        honesty=_percent(true, len(said)),
        contradicted=sum(claim.contradiction for claim in said),
    )


def _over(sum_: float, count: int) -> float | None:
    return round(sum_ / count, 4) if count else None


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
