"""What the machine wants done, as data. The runner performs it, and answers with an input (see `inputs`).

Rules (DESIGN section 2; decision 32): `Quiet` effects have no answer and are performed first; at most one `Asking`
effect follows, and its answer is the next input. After a crash the effects of the last input are performed again, so
performing one twice must be the same as once.
"""

from __future__ import annotations

from typing import Literal

from ralph.events.honesty import Claim
from ralph.events.model import Event
from ralph.loop.words import Phase, RunEnd, Spent
from ralph.record import record

TurnKind = Literal["work", "handoff"]


@record(kw_only=True)
class ResetStale:
    """Tasks that an ended run left IN_PROGRESS are PENDING again."""


@record(kw_only=True)
class FreezePlan:
    """Planning has ended: the tasks' criteria do not change any more."""


@record(kw_only=True)
class StartTask:
    """`again`: another attempt of the task at work, with what was published for it."""

    task: str
    again: bool = False


@record(kw_only=True)
class CompleteTask:
    """Only ever the answer to a measurement that holds."""

    task: str
    notes: str
    tokens: int


@record(kw_only=True)
class FailTask:
    """Attempt number `attempt` of the task failed: PENDING again, or BLOCKED after the last one."""

    task: str
    attempt: int
    reason: str


@record(kw_only=True)
class BlockTask:
    task: str
    reason: str


@record(kw_only=True)
class ReopenTasks:
    """The validation failed, and these tasks go back to building; `failing` are criteria that have to hold then."""

    tasks: tuple[str, ...]
    reason: str
    validation: int
    failing: tuple[str, ...] = ()


@record(kw_only=True)
class Publish:
    """Events for `.ralph/events.jsonl` and claims for the record of honesty. `key` names this publication for ever."""

    key: str
    events: tuple[Event, ...]
    claims: tuple[Claim, ...] = ()


@record(kw_only=True)
class CaptureMemory:
    """The memory of the iteration that ended; `end` is how its turn did."""

    iteration: int
    phase: Phase
    session: int
    progress: bool
    spent: Spent
    end: str
    task: str | None = None
    completed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@record(kw_only=True)
class CapturePhase:
    """The memory of the phase that ended. `summary` is the agent's."""

    phase: Phase
    iteration: int
    spent: Spent
    summary: str = ""


@record(kw_only=True)
class Handoff:
    """A session ended: its memory, MEMORY.md, the archive. Without a `summary` Ralph writes its own facts."""

    session: int
    reason: str
    phase: Phase
    iteration: int
    started_at: str
    spent: Spent
    completed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    summary: str = ""


Quiet = (
    ResetStale
    | FreezePlan
    | StartTask
    | CompleteTask
    | FailTask
    | BlockTask
    | ReopenTasks
    | Publish
    | CaptureMemory
    | CapturePhase
    | Handoff
)


@record(kw_only=True)
class Survey:
    """Look at the plan: which task is next, and how things stand. Answer: `Surveyed`."""


@record(kw_only=True)
class Checkpoint:
    """Keep the tree as it is: the next task is judged against it. Answer: `Checkpointed`."""

    name: str


@record(kw_only=True)
class MeasureBase:
    """Measure what is there before anything is built: what fails now is nobody's fault. Answer: `BaseMeasured`."""


@record(kw_only=True)
class RunAgent:
    """One turn. It is played again if it was cut off, as the same iteration; `played` is how many playings are in the
    log already. Answer: `TurnEnded`."""

    kind: TurnKind
    phase: Phase
    iteration: int
    task: str | None = None
    played: int = 0


@record(kw_only=True)
class Measure:
    """Read what the turn published, measure its claims. Answer: `Judged`."""

    iteration: int


@record(kw_only=True)
class CheckPhase:
    """An agent says that a phase is complete: look whether it is. Answer: `PhaseChecked`."""

    phase: Phase
    summary: str


@record(kw_only=True)
class Validate:
    """Measure everything: the engine, every criterion, the specs. Answer: `Validated`."""

    number: int
    summary: str


@record(kw_only=True)
class AskHuman:
    """A person must agree before the phase ends. Answer: `Answered`."""

    phase: Phase
    question: str


@record(kw_only=True)
class Rollback:
    """The task ended without success: the tree goes back to the checkpoint, and what was there is kept as a ref.
    Answer: `RolledBack`."""

    checkpoint: str
    task: str


@record(kw_only=True)
class Wait:
    """Nothing can be done for so long, or until then: whatever is sooner, so that a wait that was interrupted does not
    begin again. (The provider asks to wait, the network is gone.) Answer: `Waited`."""

    seconds: float
    until: str
    why: str


@record(kw_only=True)
class Pause:
    """A person paused the run. Answer: a `Controlled` that resumes or stops it."""


@record(kw_only=True)
class Stop:
    """The run is over. Answer: none."""

    end: RunEnd
    why: str


Asking = (
    Survey
    | Checkpoint
    | MeasureBase
    | RunAgent
    | Measure
    | CheckPhase
    | Validate
    | AskHuman
    | Rollback
    | Wait
    | Pause
    | Stop
)
Effect = Quiet | Asking
