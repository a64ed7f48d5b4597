"""What happened, as data: the inputs of the machine, which are the lines of a run's log.

Rules: an input holds every fact that a decision follows from, so that the fold of the log gives the same state again
without looking at the world. Times are those of the log's lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ralph.agents.base import EndReason, Usage
from ralph.events.honesty import Claim
from ralph.events.model import Event
from ralph.hats.handling import NextStep
from ralph.loop.breaker import Breaker, BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.thrash import Thrash
from ralph.loop.words import Phase, Spent
from ralph.record import field, record

Outcome = Literal[
    "open",  # nothing was claimed, or only events on the way
    "complete",  # the task's completion claim holds
    "refused",  # it was measured, and does not hold
    "inherited",  # it was measured, and does not hold only for what failed before the work
    "blocked",  # the verdict is BLOCKED by findings
    "tampered",  # a contract exceeded, what judges was touched, or a tool ran that nobody had allowed
    "gave up",  # the agent says that the task cannot be done
    "abandoned",  # claim after claim without progress
    "left out",  # a person has decided meanwhile that the task is not to be done
    "thrashing",  # so many tasks abandoned that the loop ends
    "waits",  # a person was asked for (`escalate.human`)
    "phase",  # the agent says that the phase is complete
    "stalled",  # no hat has anything to do
]


@record(kw_only=True)
class PhaseSettings:
    """`iterations`: how many turns the phase may take (None: what the run may take)."""

    iterations: int | None = None
    approval: bool = False


@record(kw_only=True)
class Settings:
    """What holds for the whole run. `unattended`: nobody answers questions, so agents decide and note it.

    `context_window` counts where the client names none. `handoff_at` is a share of it.
    """

    limits: Limits
    breaker: BreakerSettings
    phases: Mapping[str, PhaseSettings] = field(default_factory=dict)
    wait_for_limits: bool = True
    rollback: bool = True
    handoff_at: float = 0.6
    context_window: int = 200_000
    validations: int = 3


@record(kw_only=True)
class Hint:
    """What a person says to the agent; the higher the priority, the further up."""

    text: str
    priority: int = 0


@record(kw_only=True)
class Begun:
    """A run begins. `tree` and `plan` are what is there, so that what changes can be told from it. What is carried over
    from earlier runs: totals, the breaker, and the hints that no prompt had."""

    run: str
    prompt: str
    phase: Phase
    agent: str
    settings: Settings
    base: str | None
    tree: str | None = None
    plan: str = ""
    carried: Spent = field(default_factory=Spent)
    iterations: int = 0
    sessions: int = 0
    breaker: Breaker = field(default_factory=Breaker)
    control: int = 0
    """The last line of the control ledger that an earlier run took in."""
    hints: tuple[Hint, ...] = ()


@record(kw_only=True)
class Resumed:
    """A person goes on with a run that had stopped. `settings` replaces the former ones (a raised limit)."""

    settings: Settings
    reset_breaker: bool = False


@record(kw_only=True)
class Surveyed:
    """`next` is the task to do, `attempts` how many of it failed before. `stuck`: why there is none although some are
    open."""

    next: str | None
    attempts: int = 0
    open: int = 0
    blocked: tuple[str, ...] = ()
    complete: int = 0
    stuck: str = ""


@record(kw_only=True)
class Checkpointed:
    """`commit` is what the next task is judged against, `id` what a rollback goes to."""

    id: str
    commit: str
    tree: str


@record(kw_only=True)
class BaseMeasured:
    """`failing` is what failed before anything was built, as `measured.failing` names it."""

    failing: tuple[str, ...] = ()
    runtime_s: float = 0.0


@record(kw_only=True)
class TurnEnded:
    """A turn is over. `usage` is None if nobody knows; `session` is the client's conversation, by hat.

    `ungoverned` says which calls ran that nobody had decided, `summary` is what the agent said to a handoff.
    """

    reason: EndReason
    detail: str = ""
    usage: Usage | None = None
    runtime_s: float = 0.0
    session: str | None = None
    hat: str | None = None
    retry_after_s: float | None = None
    summary: str = ""
    ungoverned: tuple[str, ...] = ()


@record(kw_only=True)
class Judged:
    """What became of a turn's claims and events, which are published next.

    `moved`: the tree or the plan is not what it was, or an event was newly accepted; refused ones do not count. `told`
    is what the next prompt says of it, `expected` and `unreliable` are where a confession stands.
    """

    outcome: Outcome
    tree: str
    plan: str = ""
    moved: bool = False
    told: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    claims: tuple[Claim, ...] = ()
    reason: str = ""
    notes: str = ""
    verdict: str | None = None
    verdict_run: str | None = None
    runtime_s: float = 0.0
    thrash: Thrash = field(default_factory=Thrash)
    expected: NextStep | None = None
    unreliable: int = 0


@record(kw_only=True)
class PhaseChecked:
    complete: bool
    problems: tuple[str, ...] = ()
    tree: str = ""


@record(kw_only=True)
class Validated:
    """`reopen` are the tasks that go back to building; without any a failed validation ends the run."""

    passed: bool
    verdict: str | None = None
    verdict_run: str | None = None
    blocked: bool = False
    problems: tuple[str, ...] = ()
    reopen: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    runtime_s: float = 0.0


@record(kw_only=True)
class Answered:
    """A person's answer; `approved` None: there is none yet."""

    approved: bool | None
    reason: str = ""


@record(kw_only=True)
class RolledBack:
    """`rejected` is the ref under which the work that was taken back is kept."""

    tree: str
    rejected: str = ""


@record(kw_only=True)
class Waited:
    """The time is over."""


@record(kw_only=True)
class Controlled:
    """A person's word from outside. `number` is its line in `.ralph/control.jsonl` (0: said to the run's own process).

    `settings` are those that `limits` brings, for a run that was cut off and goes on with others.
    """

    do: Literal["pause", "resume", "stop", "inject", "handoff", "reset_breaker", "limits"]
    number: int = 0
    text: str = ""
    priority: int = 0
    settings: Settings | None = None


Input = (
    Begun
    | Resumed
    | Surveyed
    | Checkpointed
    | BaseMeasured
    | TurnEnded
    | Judged
    | PhaseChecked
    | Validated
    | Answered
    | RolledBack
    | Waited
    | Controlled
)
