"""`.ralph/state.json` from a run's state, and what a new run takes over from it (spec: RalphState; decision 32)."""

from __future__ import annotations

from datetime import datetime

from ralph.loop.breaker import Breaker
from ralph.loop.saved import RalphState
from ralph.loop.state import State, session_id
from ralph.loop.words import Spent
from ralph.record import replace
from ralph.system.clock import rfc3339


def project(state: State, before: RalphState, now: datetime) -> RalphState:
    """The file as it should be: what it holds beyond the run's state stays."""
    return replace(
        before,
        current_phase=state.phase,
        iteration_count=state.iteration,
        total_cost_usd=state.total.cost_usd,
        total_tokens_used=state.total.tokens,
        total_runtime_s=state.total.runtime_s,
        unpriced_turns=state.total.unpriced,
        session_id=session_id(state),
        sessions=state.session.number,
        session_started_at=state.session.started_at,
        session_cost_usd=state.session.spent.cost_usd,
        session_tokens_used=state.session.spent.tokens,
        tasks_completed_this_session=len(state.session.completed),
        run_id=state.run,
        last_activity_at=rfc3339(now),
        paused=state.status == "paused" or state.wants_pause,
        circuit_breaker=state.breaker,
    )


def carried(saved: RalphState | None) -> tuple[Spent, Breaker]:
    """The totals and the breaker that earlier runs left."""
    if saved is None:
        return Spent(), Breaker()
    spent = Spent(
        cost_usd=saved.total_cost_usd,
        tokens=saved.total_tokens_used,
        runtime_s=saved.total_runtime_s,
        iterations=saved.iteration_count,
        unpriced=saved.unpriced_turns,
    )
    return spent, saved.circuit_breaker
