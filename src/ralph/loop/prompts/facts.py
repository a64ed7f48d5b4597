"""What a turn's prompt is made of, as one record. The runner fills it in; `turn` makes the text of it."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.context.schema import Commands
from ralph.events.model import Event
from ralph.hats.model import Hat, Topology
from ralph.loop.budget import Remaining
from ralph.loop.phases.check import PhaseCheck
from ralph.loop.phases.specs import Spec
from ralph.loop.plan.model import ImplementationPlan, Task
from ralph.loop.words import Phase
from ralph.record import field, record


@record(kw_only=True)
class PromptFacts:
    """`goal` is what the person asked for. `tools` are the names of Ralph's tools as the client shows them; without any
    the agent publishes with `ralph emit`.

    `task` is the one to work on, `measured` maps those of its criteria that Ralph measures to their commands, and
    `finished` are the tasks it depends on. `told` and `hints` are what Ralph refused last, and what a person says.
    """

    phase: Phase
    iteration: int
    goal: str
    project: str = ""
    guidance: str = ""
    """What the project asks of every agent (CLAUDE.md, AGENTS.md)."""
    memory: str = ""
    learnings: str = ""
    task: Task | None = None
    attempt: int = 1
    measured: Mapping[str, str] = field(default_factory=dict)
    finished: tuple[Task, ...] = ()
    plan: ImplementationPlan | None = None
    specs: tuple[Spec, ...] = ()
    check: PhaseCheck | None = None
    """What the phase's check would say now."""
    commands: Commands | None = None
    tools: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    left: Remaining | None = None
    attended: bool = False
    """Somebody is there to answer questions."""
    topology: Topology | None = None
    hat: Hat | None = None
    """None with a topology: nobody listens to what was published, and the coordinator decides."""
    given: tuple[Event, ...] = ()
    material: str = ""
    """What a confessor reads. It frames and bounds itself (`hats.material`), and stands on top of the limit."""
