"""What a run may spend, what is left of it, and what a turn costs (spec: cost tracking; design decisions 28 and 36).

Rules:

- A limit is reached when what was spent is as much as the limit. What is no amount (NaN, infinite, negative) reaches
  every limit: what cannot be counted is never within one.
- A turn gets what is left of every limit (`turn_limits`), counted from the totals of all sessions and runs, so that no
  limit is overshot by more than one turn, after a resume as before.
- A cost that nobody knows counts as nothing, and that is said wherever a sum is shown. An agent of unknown cost needs a
  limit of tokens, iterations or time, or does not start: `unbounded` tells before the run, `exceeded` afterwards. Where
  nobody counts tokens, a limit of tokens is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.agents.base import TurnLimits
from ralph.loop.words import Spent
from ralph.record import record

WARN_AT = 0.8
CENT = 0.01
"""The least that a turn is given: clients write amounts down with few digits, and 0 is no limit to some."""
_DUST = 1e-9
"""What adding leaves: ten times ten cents are a dollar."""


@record(kw_only=True)
class Limits:
    """Each is a positive number, or None for no limit. Costs are in US dollars, `total_usd` counts over all runs of the
    project; the last three count what this run used."""

    per_iteration_usd: float | None = 2.0
    per_session_usd: float | None = 50.0
    total_usd: float | None = 200.0
    tokens: int | None = None
    iterations: int | None = 100
    runtime_s: float | None = 14_400.0


@record(kw_only=True)
class Remaining:
    """What is left, never below 0; None where there is no limit. `unpriced` counts turns of unknown cost."""

    cost_usd: float | None
    tokens: int | None
    iterations: int | None
    runtime_s: float | None
    unpriced: int


def exceeded(
    limits: Limits, iteration: Spent, session: Spent, total: Spent, *, here: Spent | None = None
) -> str | None:
    """The first limit that is reached, such as `cost_limit:$2.00 of $2.00 per iteration`; None while all are kept.

    `iteration` is the last one, `session` the client's conversation, `here` this run, `total` all runs; without `here`
    this run is all there was.
    """
    for name, spent, limit in _measured(limits, iteration, session, total, here or total):
        if not _within(spent, limit):
            return _told(name, spent, limit)
    if total.unpriced and (why := unbounded(limits, cost_known=False, tokens_known=total.tokens > 0)):
        return f"cost_unknown:{why}"
    return None


def way_on(over: str) -> str:
    """How a person lets a run go on, for what `exceeded` told."""
    if over.startswith("iteration_limit"):
        return "go on with `ralph resume --max-iterations N`"
    if over.startswith("cost_limit") and over.endswith("in total"):
        return "go on with `ralph resume --max-cost USD`"
    return "raise it in ralph.yml and accept that (`ralph init --accept`), then `ralph resume`"


def nearing(
    limits: Limits, iteration: Spent, session: Spent, total: Spent, *, here: Spent | None = None
) -> tuple[str, ...]:
    """The limits of which four fifths are used up, and which are not reached yet; told as `exceeded` tells them."""
    return tuple(
        _told(name, spent, limit)
        for name, spent, limit in _measured(limits, iteration, session, total, here or total)
        if name != "iteration" and _within(spent, limit) and spent >= WARN_AT * limit
    )


def unbounded(limits: Limits, *, cost_known: bool, tokens_known: bool = True) -> str | None:
    """Why a run with these limits does not start: nothing that can be measured would ever stop it."""
    tokens = limits.tokens if tokens_known else None
    if any(each is not None for each in (tokens, limits.iterations, limits.runtime_s)):
        return None
    costs = (limits.per_iteration_usd, limits.per_session_usd, limits.total_usd)
    if cost_known and any(each is not None for each in costs):
        return None
    if cost_known:
        return "the run has no limit at all; set one of cost_limits or limits in ralph.yml"
    return (
        "nobody knows what the agent costs, so that a limit of cost would never be reached; set limits.tokens, "
        "limits.iterations or limits.runtime_s in ralph.yml, or agents.<name>.prices"
    )


def remaining(limits: Limits, session: Spent, total: Spent, *, here: Spent | None = None) -> Remaining:
    """What is left after what was spent, for the display."""
    run = here or total
    return Remaining(
        cost_usd=_least((limits.per_session_usd, session.cost_usd), (limits.total_usd, total.cost_usd)),
        tokens=None if limits.tokens is None else max(0, limits.tokens - run.tokens),
        iterations=None if limits.iterations is None else max(0, limits.iterations - run.iterations),
        runtime_s=_least((limits.runtime_s, run.runtime_s)),
        unpriced=total.unpriced,
    )


def turn_limits(limits: Limits, session: Spent, total: Spent, *, here: Spent | None = None) -> TurnLimits:
    """What the next turn may use, for a run of which `exceeded` says nothing."""
    left = remaining(limits, session, total, here=here)
    cost_usd = _least((limits.per_iteration_usd, 0.0), (left.cost_usd, 0.0))
    return TurnLimits(
        cost_usd=None if cost_usd is None else max(CENT, cost_usd),
        runtime_s=left.runtime_s,
        tokens=left.tokens,
    )


def _measured(
    limits: Limits, iteration: Spent, session: Spent, total: Spent, here: Spent
) -> Iterator[tuple[str, float, float]]:
    """(name, spent, limit) of every limit there is; costs first."""
    pairs: tuple[tuple[str, float, float | None], ...] = (
        ("iteration", iteration.cost_usd, limits.per_iteration_usd),
        ("session", session.cost_usd, limits.per_session_usd),
        ("total", total.cost_usd, limits.total_usd),
        ("token_limit", here.tokens, limits.tokens),
        ("iteration_limit", here.iterations, limits.iterations),
        ("runtime_limit", here.runtime_s, limits.runtime_s),
    )
    for name, spent, limit in pairs:
        if limit is not None:
            yield name, spent, limit


def _told(name: str, spent: float, limit: float) -> str:
    if name == "runtime_limit":
        return f"{name}:{spent:.0f} of {limit:.0f} s"
    if name in ("token_limit", "iteration_limit"):
        return f"{name}:{spent} of {limit}"
    return f"cost_limit:${spent:.2f} of ${limit:.2f} {'in total' if name == 'total' else f'per {name}'}"


def _within(spent: float, limit: float) -> bool:
    return 0 <= spent < limit - _DUST


def _least(*pairs: tuple[float | None, float]) -> float | None:
    """The least that is left of pairs of limit and spent, never below 0; None without a limit."""
    left = [limit - spent if 0 <= spent < limit else 0.0 for limit, spent in pairs if limit is not None]
    return min(left, default=None)
