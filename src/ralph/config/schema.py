"""`ralph.yml` as records: the keys that this version uses (design section 6). Those of `ralph run` are in `run`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ralph.config.run import AgentEntry, BreakerEntry, CostLimits, Phases, RunLimits, SandboxEntry

Evidence = Literal["measured", "claimed"]
"""`measured`: a claim that reads well is then measured. `claimed`: it is believed, for work that is no code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatEntry:
    """A hat as a file has it. None is a key that is not there: over a preset's hat, only what is there counts."""

    name: str | None = None
    description: str | None = None
    triggers: tuple[str, ...] | None = None
    publishes: tuple[str, ...] | None = None
    default_publishes: str | None = None
    instructions: str | None = None
    tools: tuple[str, ...] | None = None
    agent: str | None = None
    model: str | None = None
    max_activations: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLoop:
    """Settings of the event loop. The numbers are percentages; `confidence` and `done` replace those of the preset."""

    mutation_score_warn_threshold: float | None = None
    confidence: int | None = None
    done: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What `ralph.yml` says; each key may be left out. `gates` is as the file has it: the events read it.

    `evidence` None means measured where a context exists, else claimed.
    """

    agent: str | None = None
    preset: str | None = None
    evidence: Evidence | None = None
    event_loop: EventLoop = field(default_factory=EventLoop)
    gates: Mapping[str, object] = field(default_factory=dict)
    hats: Mapping[str, HatEntry] = field(default_factory=dict)
    cost_limits: CostLimits = field(default_factory=CostLimits)
    limits: RunLimits = field(default_factory=RunLimits)
    breaker: BreakerEntry = field(default_factory=BreakerEntry)
    phases: Phases = field(default_factory=Phases)
    agents: Mapping[str, AgentEntry] = field(default_factory=dict)
    sandbox: SandboxEntry = field(default_factory=SandboxEntry)
