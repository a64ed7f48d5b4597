"""`ralph.yml` as records: the keys that this version uses (design section 6). Those of `ralph run` are in `run`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ralph.config.notify import NotifyEntry
from ralph.config.run import AgentEntry, BreakerEntry, CostLimits, Phases, RunLimits, SandboxEntry
from ralph.config.telemetry import TelemetryEntry
from ralph.record import field, record

Evidence = Literal["measured", "claimed"]
"""`measured`: a claim that reads well is then measured. `claimed`: it is believed, for work that is no code."""


@record(kw_only=True)
class HatEntry:
    """A hat as a file has it. None is a key that is not there: over a preset's hat, only what is there counts."""

    name: str | None = None
    """What the hat is called; made from its id by default."""
    description: str | None = None
    """What it is for, in a line."""
    triggers: tuple[str, ...] | None = None
    """Topics or patterns that wake it. In a pattern `*` is one part of a topic; `*` alone takes what no other hat
    takes."""
    publishes: tuple[str, ...] | None = None
    """All topics that it may publish."""
    default_publishes: str | None = None
    """Published when its turn ends without an event; one of `publishes`."""
    instructions: str | None = None
    """What the agent is told. A hat needs them, from the preset or from here."""
    tools: tuple[str, ...] | None = None
    """The tools that it may use; all of the phase by default."""
    agent: str | None = None
    """Who plays it; the run's agent by default."""
    model: str | None = None
    """Which model plays it."""
    max_activations: int | None = None
    """How often it may be woken; no limit by default."""


@record(kw_only=True)
class EventLoop:
    """Settings of the event loop. The numbers are percentages; `confidence` and `done` replace those of the preset."""

    mutation_score_warn_threshold: float | None = None
    """Warn below this mutation score, in percent."""
    confidence: int | None = None
    """The confidence, in percent, that a confession must have in every objective; the preset's by default."""
    done: str | None = None
    """The topic that ends a task once it is accepted; the preset's by default."""


@record(kw_only=True)
class Config:
    """What `ralph.yml` says; each key may be left out. `gates` is as the file has it: the events read it.

    `evidence` None means measured where a context exists, else claimed.
    """

    agent: str | None = None
    """Who works when `ralph run` names nobody: a built-in agent, `command:PROGRAM ARGUMENTS`, or one of `agents`."""
    preset: str | None = None
    """The hats that build together, by the name of their preset; one builder by default."""
    evidence: Evidence | None = None
    """`measured`: a claim that reads well is then measured, the default where a context exists. `claimed`: it is
    believed."""
    event_loop: EventLoop = field(default_factory=EventLoop)
    """Settings of the event loop."""
    gates: Mapping[str, object] = field(default_factory=dict)
    """More gated topics, further checks and higher floors, by topic. No floor can be lowered."""
    hats: Mapping[str, HatEntry] = field(default_factory=dict)
    """Hats of your own by id, or changes to those of the preset."""
    cost_limits: CostLimits = field(default_factory=CostLimits)
    """What may be spent, in US dollars; `null` is no limit."""
    limits: RunLimits = field(default_factory=RunLimits)
    """What one run may use; `null` is no limit."""
    breaker: BreakerEntry = field(default_factory=BreakerEntry)
    """When a run stops because it breaks again and again, or goes in circles."""
    phases: Phases = field(default_factory=Phases)
    """Limits of single phases, and where a person must agree."""
    agents: Mapping[str, AgentEntry] = field(default_factory=dict)
    """Settings of agents by name, and agents of your own."""
    sandbox: SandboxEntry = field(default_factory=SandboxEntry)
    """What the machine must enforce."""
    notify: Mapping[str, NotifyEntry] = field(default_factory=dict)
    """Who is told when something waits for a person or ends, by names of your own."""
    telemetry: TelemetryEntry = field(default_factory=TelemetryEntry)
    """Where spans and metrics go."""
    queue: str | None = None
    """The queue that `ralph submit` and `ralph queue` use: `postgresql://user@host/database`, never with a password."""
