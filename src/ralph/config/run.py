"""What `ralph.yml` says about `ralph run`: limits, the breaker, phases, agents, the sandbox (design section 6).

A key that is left out keeps its default, whatever stands beside it. A limit may be `null`: there is none then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ralph.record import field, record

AgentKind = Literal["claude", "claude-cli", "codex", "command", "scripted", "replay"]


@record(kw_only=True)
class CostLimits:
    """US dollars; `total` counts over all runs of the project."""

    per_iteration: float | None = 2.0
    """What one turn may cost."""
    per_session: float | None = 50.0
    """What one conversation may cost."""
    total: float | None = 200.0
    """What all runs of the project together may cost."""


@record(kw_only=True)
class RunLimits:
    """What one run may use."""

    iterations: int | None = 100
    """Turns."""
    runtime_s: float | None = 14_400.0
    """Seconds."""
    tokens: int | None = None
    """Tokens of all turns together; no limit by default."""


@record(kw_only=True)
class BreakerEntry:
    """When the circuit breaker opens, and for how long."""

    failures: int = 3
    """So many failures without a success between open it."""
    stagnation: int = 5
    """So many iterations without progress open it."""
    cooldown_s: float = 300.0
    """After so many seconds it lets one attempt through."""


@record(kw_only=True)
class PhaseEntry:
    """`max_iterations` None: what the run may take."""

    max_iterations: int | None = None
    """How many turns the phase may take."""
    require_human_approval: bool = False
    """A person must agree before the phase ends. `building` ends by itself, so there it does nothing."""


@record(kw_only=True)
class Phases:
    """Each phase by itself: what one is given says nothing about another."""

    discovery: PhaseEntry = field(default_factory=PhaseEntry)
    """Writing down what is wanted."""
    planning: PhaseEntry = field(default_factory=PhaseEntry)
    """Making tasks of it."""
    building: PhaseEntry = field(default_factory=PhaseEntry)
    """Doing them one by one."""
    validation: PhaseEntry = field(default_factory=PhaseEntry)
    """Judging the whole."""


@record(kw_only=True)
class PriceEntry:
    """US dollars per million tokens."""

    input: float
    """Input tokens."""
    output: float
    """Output tokens."""
    cache_read: float | None = None
    """Tokens read from the cache; as input by default."""
    cache_write: float | None = None
    """Tokens written to the cache; as input by default."""


@record(kw_only=True)
class AgentEntry:
    """One agent. Its name is its kind unless `kind` says another, or a `command` makes it one.

    `command` is a program and its arguments, as a shell parts them; no shell runs it. `program` is the client's own,
    where the one on the PATH is not meant. `network`, `reports_usage`, `readable` and `writable` are for commands.
    """

    kind: AgentKind | None = None
    """Which client it is; by default the agent's own name, or `command` if there is one."""
    command: str | None = None
    """The program to run and its arguments; parted as a shell does, and no shell runs it."""
    program: str | None = None
    """The client's program, where the one on the PATH is not meant; not for commands."""
    model: str | None = None
    """Which model it uses; the client's choice by default."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for its process, beside yours."""
    prices: PriceEntry | None = None
    """What it costs, where the client does not say: US dollars per million tokens."""
    context_window: int = 200_000
    """How many tokens fit into its context, where the client does not say."""
    wait_for_rate_limits: bool = True
    """Wait when its provider asks to, or stop the run."""
    fallback: tuple[str, ...] = ()
    """Agents that take over when it cannot work at all, in this order."""
    network: bool = False
    """A command reaches the network, as it must if its model is elsewhere."""
    reports_usage: bool = False
    """A command writes lines `RALPH-USAGE {...}` with what it used."""
    readable: tuple[str, ...] = ()
    """Paths from `/` or `~/` that a command needs to read outside the project."""
    writable: tuple[str, ...] = ()
    """Paths from `/` or `~/` that a command needs to write outside the project."""


@record(kw_only=True)
class SandboxEntry:
    """The level that must be enforced; a machine that cannot is told so, and nothing runs."""

    required: Literal["none", "landlock", "bubblewrap"] | None = None
    """The least level; what the policy demands by default."""
