"""Words that the rooms of the loop share: phases, what was spent, how a run ended (spec: core concepts)."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Literal

from ralph.agents.base import Usage
from ralph.record import record, replace


class Phase(StrEnum):
    """In their order."""

    DISCOVERY = "discovery"
    PLANNING = "planning"
    BUILDING = "building"
    VALIDATION = "validation"


RunEnd = Literal[
    "passed",  # everything is complete and the engine's last verdict is PASS
    "failed",  # the run went to its end, and tasks are blocked or the validation failed
    "blocked",  # a second BLOCKED on the same task, or a change to what judges (exit 2)
    "waits",  # a person has to answer first (exit 4)
    "limit",  # breaker, cost, tokens, time, iterations (exit 5)
    "stopped",  # `ralph stop`, Ctrl-C (exit 130); goes on with `ralph resume`
    "error",  # the environment fails: the agent's login, a full disk (exit 3)
]


@record(kw_only=True)
class Spent:
    """What was used. `cost_usd` counts what is known; `unpriced` counts turns whose cost nobody knows."""

    cost_usd: float = 0.0
    tokens: int = 0
    runtime_s: float = 0.0
    iterations: int = 0
    unpriced: int = 0

    def plus(self, usage: Usage | None, *, runtime_s: float, iterations: int = 1) -> Spent:
        """With one more turn; no figure ever falls. A cost that is no finite number of at least 0 is unknown."""
        cost = usage.cost_usd if usage else None
        known = cost is not None and math.isfinite(cost) and cost >= 0
        return replace(
            self,
            cost_usd=self.cost_usd + (cost if known and cost is not None else 0.0),
            tokens=self.tokens + (max(0, usage.tokens) if usage else 0),
            runtime_s=self.runtime_s + runtime_s,
            iterations=self.iterations + iterations,
            unpriced=self.unpriced + (not known),
        )

    def plus_time(self, seconds: float) -> Spent:
        """With more time, and nothing else."""
        return replace(self, runtime_s=self.runtime_s + seconds)
