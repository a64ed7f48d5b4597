"""What `ralph.yml` says about `ralph run`: limits, the breaker, phases, agents, the sandbox (design section 6).

A key that is left out keeps its default, whatever stands beside it. A limit may be `null`: there is none then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

AgentKind = Literal["claude", "claude-cli", "codex", "command", "scripted", "replay"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLimits:
    """US dollars; `total` counts over all runs of the project."""

    per_iteration: float | None = 2.0
    per_session: float | None = 50.0
    total: float | None = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What one run may use."""

    iterations: int | None = 100
    runtime_s: float | None = 14_400.0
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerEntry:
    """When the circuit breaker opens, and for how long."""

    failures: int = 3
    stagnation: int = 5
    cooldown_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEntry:
    """`max_iterations` None: what the run may take."""

    max_iterations: int | None = None
    require_human_approval: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """Each phase by itself: what one is given says nothing about another."""

    discovery: PhaseEntry = field(default_factory=PhaseEntry)
    planning: PhaseEntry = field(default_factory=PhaseEntry)
    building: PhaseEntry = field(default_factory=PhaseEntry)
    validation: PhaseEntry = field(default_factory=PhaseEntry)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceEntry:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEntry:
    """One agent. Its name is its kind unless `kind` says another, or a `command` makes it one.

    `command` is a program and its arguments, as a shell parts them; no shell runs it. `program` is the client's own,
    where the one on the PATH is not meant. `network`, `reports_usage`, `readable` and `writable` are for commands.
    """

    kind: AgentKind | None = None
    command: str | None = None
    program: str | None = None
    model: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    prices: PriceEntry | None = None
    context_window: int = 200_000
    wait_for_rate_limits: bool = True
    fallback: tuple[str, ...] = ()
    network: bool = False
    reports_usage: bool = False
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEntry:
    """The level that must be enforced; a machine that cannot is told so, and nothing runs."""

    required: Literal["none", "landlock", "bubblewrap"] | None = None
