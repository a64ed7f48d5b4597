"""Where a run stands: the value that the machine moves, and nothing that only the world knows.

It is never written down as such: it is the fold of the run's log (`journal`). `.ralph/state.json` is its projection for
people and for the next run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ralph.hats.handling import NextStep
from ralph.loop.breaker import Breaker
from ralph.loop.effects import Asking
from ralph.loop.inputs import Checkpointed, Hint, Settings, TurnEnded
from ralph.loop.thrash import Thrash
from ralph.loop.words import Phase, RunEnd, Spent
from ralph.record import field, record

Status = Literal["running", "paused", "ended"]


@record(kw_only=True)
class Work:
    """The task at work. `attempt` counts from 1, `blocked` its BLOCKED verdicts."""

    task: str
    attempt: int
    blocked: int = 0
    tokens: int = 0


@record(kw_only=True)
class Session:
    """One conversation for each hat (`clients`, by the hat's name, "" without one), and what it used.

    `contexts` are the shares of the window that the last model call of each hat used; None: unknown. `hat` had the last
    turn.
    """

    number: int
    started_at: str
    clients: Mapping[str, str] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    contexts: Mapping[str, float | None] = field(default_factory=dict)
    hat: str = ""
    completed: tuple[str, ...] = ()

    @property
    def context(self) -> float | None:
        """How full the fullest conversation is; None: nobody knows."""
        known = [each for each in self.contexts.values() if each is not None]
        return max(known) if known and len(known) == len(self.contexts) else None

    @property
    def is_empty(self) -> bool:
        """Nothing happened in it."""
        return self == Session(number=self.number, started_at=self.started_at)


@record(kw_only=True)
class State:
    """`total` and `iteration` count over all runs of the project, `here` only this one. `told` and `hints` are for the
    next prompt. `awaiting` is the effect whose answer is the next input."""

    run: str
    prompt: str
    agent: str
    settings: Settings
    base: str | None
    phase: Phase
    session: Session
    summary: str = ""
    """What the agent said as it declared the phase complete."""
    status: Status = "running"
    end: RunEnd | None = None
    why: str = ""
    iteration: int = 0
    phase_turns: int = 0
    validations: int = 0
    total: Spent = field(default_factory=Spent)
    here: Spent = field(default_factory=Spent)
    in_phase: Spent = field(default_factory=Spent)
    last: Spent = field(default_factory=Spent)
    """What the last iteration used."""
    breaker: Breaker = field(default_factory=Breaker)
    thrash: Thrash = field(default_factory=Thrash)
    work: Work | None = None
    checkpoint: Checkpointed | None = None
    red: tuple[str, ...] | None = None
    """What failed before anything was built; None: nobody looked yet."""
    turn: TurnEnded | None = None
    """The turn whose claims are being measured."""
    replays: int = 0
    """How often the turn of this iteration was cut off, or had to wait, since the run began or went on."""
    played: int = 0
    """How many playings of the next iteration's turn have ended, and are in the log."""
    told: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    expected: NextStep | None = None
    unreliable: int = 0
    tree: str | None = None
    plan: str = ""
    """A digest of what its tasks are."""
    verdict: str | None = None
    verdict_run: str | None = None
    complete: int = 0
    open: int = 0
    blocked: tuple[str, ...] = ()
    wants_pause: bool = False
    wants_handoff: str = ""
    control: int = 0
    """The last line of the control ledger that was taken in."""
    awaiting: Asking | None = None
    interrupted: Asking | None = None
    """What was about to be done when the run was stopped."""
    left: Work | None = None
    """What was at work then: it goes on if the same task is selected."""


def session_id(state: State, number: int | None = None) -> str:
    """The name of a session, of the one at work by default."""
    return f"{state.run}-{state.session.number if number is None else number}"
