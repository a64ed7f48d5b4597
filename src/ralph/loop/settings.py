"""What holds for a run, from `ralph.yml` and what the command line says (design section 6)."""

from __future__ import annotations

from dataclasses import asdict, fields

from ralph.config.run import AgentEntry
from ralph.config.schema import Config
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.inputs import PhaseSettings, Settings


def limits_of(config: Config, *, iterations: int | None = None, cost_usd: float | None = None) -> Limits:
    """The limits of the file; what is given here replaces one. `cost_usd` is that of all runs."""
    costs, run = config.cost_limits, config.limits
    return Limits(
        per_iteration_usd=costs.per_iteration,
        per_session_usd=costs.per_session,
        total_usd=costs.total if cost_usd is None else cost_usd,
        tokens=run.tokens,
        iterations=run.iterations if iterations is None else iterations,
        runtime_s=run.runtime_s,
    )


def settings_of(config: Config, agent: AgentEntry, limits: Limits, *, rollback: bool = True) -> Settings:
    """What holds for a whole run of an agent. `rollback`: as the policy wants it."""
    phases = {each.name: getattr(config.phases, each.name) for each in fields(config.phases)}
    return Settings(
        limits=limits,
        breaker=BreakerSettings(**asdict(config.breaker)),
        phases={
            name: PhaseSettings(iterations=entry.max_iterations, approval=entry.require_human_approval)
            for name, entry in phases.items()
        },
        wait_for_limits=agent.wait_for_rate_limits,
        rollback=rollback,
        context_window=agent.context_window,
    )
