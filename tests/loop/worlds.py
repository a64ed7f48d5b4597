"""A world that answers whatever the machine wants, as badly as it may: any end of a turn, any outcome, any word from
outside. Only the plan is kept truthfully, since what is done to it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from hypothesis import strategies as st

from ralph.agents.base import EndReason, Usage
from ralph.loop import effects, inputs
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.inputs import PhaseSettings, Settings
from ralph.loop.plan import transitions
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.selection import standing
from ralph.loop.words import Phase

COSTS = st.sampled_from([0.0, 0.1, 0.4, 2.0, float("nan"), -1.0, None])
ENDS = st.sampled_from([*get_args(EndReason), *["completed"] * 12])
BUILDING = (
    "open",
    "complete",
    "refused",
    "inherited",
    "blocked",
    "tampered",
    "gave up",
    "abandoned",
    "left out",
    "thrashing",
    "waits",
    "stalled",
)
ELSEWHERE = ("open", "phase", "phase", "phase", "tampered")

usages = st.none() | st.builds(
    Usage,
    input_tokens=st.integers(0, 5_000),
    output_tokens=st.integers(0, 500),
    cost_usd=COSTS,
    context_tokens=st.none() | st.integers(0, 12_000),
    context_window=st.none() | st.just(10_000),
)
ends = st.builds(
    inputs.TurnEnded,
    reason=ENDS,
    detail=st.sampled_from(["", "because"]),
    usage=usages,
    runtime_s=st.floats(0, 100),
    session=st.none() | st.just("conversation"),
    hat=st.none() | st.sampled_from(["builder", "reviewer"]),
    retry_after_s=st.none() | st.floats(),
    summary=st.sampled_from(["", "What I did."]),
    ungoverned=st.sampled_from([(), (), (), (), (), ("Bash x",)]),
)
optional = st.none() | st.integers(1, 6)
settings = st.builds(
    Settings,
    limits=st.builds(
        Limits,
        per_iteration_usd=st.none() | st.just(1.0),
        per_session_usd=st.none() | st.just(1.5),
        total_usd=st.none() | st.just(2.0),
        tokens=st.none() | st.just(9_000),
        iterations=st.integers(1, 15),
        runtime_s=st.none() | st.just(500.0),
    ),
    breaker=st.builds(BreakerSettings, failures=st.integers(1, 3), stagnation=st.integers(1, 5)),
    phases=st.dictionaries(
        st.sampled_from([str(each) for each in Phase]),
        st.builds(PhaseSettings, iterations=optional, approval=st.booleans()),
    ),
    wait_for_limits=st.booleans(),
    rollback=st.booleans(),
    validations=st.integers(1, 3),
)
words = st.builds(
    inputs.Controlled,
    do=st.sampled_from(["pause", "resume", "stop", "inject", "handoff", "reset_breaker", "limits"]),
    number=st.integers(0, 9),
    text=st.sampled_from(["", "Look."]),
    priority=st.integers(-1, 1),
    settings=st.none() | settings,
)


@dataclass
class World:
    """The plan, and what was done to it."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    plan: ImplementationPlan = field(
        default_factory=lambda: transitions.add(
            ImplementationPlan(),
            Task(id="a", description="a"),
            Task(id="b", description="b", dependencies=("a",)),
            Task(id="c", description="c"),
        )
    )
    completed: list[str] = field(default_factory=list)

    def keep(self, effect: effects.Effect) -> None:
        """Change the plan by its real transitions, which refuse what must not be."""
        match effect:
            case effects.ResetStale():
                self.plan = transitions.reset_stale(self.plan)
            case effects.StartTask():
                self.plan = transitions.start(self.plan, effect.task)
            case effects.CompleteTask():
                self.plan = transitions.complete(self.plan, effect.task, at="now")
                self.completed.append(effect.task)
            case effects.FailTask():
                self.plan = transitions.failed(self.plan, effect.task, attempt=effect.attempt, reason=effect.reason)
            case effects.BlockTask():
                self.plan = transitions.block(self.plan, effect.task, effect.reason)
            case effects.ReopenTasks():
                repair = Task(id=f"repair-{effect.validation}", description="Repair.")
                self.plan = transitions.add(self.plan, repair)

    def answer(self, asking: effects.Asking) -> inputs.Input | None:
        """Something that may come of it; None if nothing comes but words from outside."""
        maker = _ANSWERS.get(type(asking))
        return maker(self, asking) if maker else None

    def survey(self) -> inputs.Surveyed:
        now = standing(self.plan)
        return inputs.Surveyed(
            next=now.next.id if now.next else None,
            attempts=now.next.retry_count if now.next else 0,
            open=now.remaining,
            blocked=tuple(task.id for task in self.plan.tasks if task.status is TaskStatus.BLOCKED),
            complete=now.complete,
            stuck="" if now.next else (now.waiting or ""),
        )

    def judged(self, working: bool) -> inputs.Judged:
        return inputs.Judged(
            outcome=self.draw(st.sampled_from(BUILDING if working else ELSEWHERE)),
            tree=self.draw(st.sampled_from(["t1", "t2"])),
            moved=self.draw(st.booleans()),
            told=self.draw(st.sampled_from([(), ("no",)])),
            reason=self.draw(st.sampled_from(["", "because"])),
            runtime_s=self.draw(st.floats(0, 50)),
        )

    def validated(self) -> inputs.Validated:
        passed = self.draw(st.booleans())
        return inputs.Validated(
            passed=passed,
            verdict="PASS" if passed else "FAIL",
            blocked=not passed and self.draw(st.booleans()),
            problems=() if passed else ("wrong",),
            reopen=() if passed else self.draw(st.sampled_from([(), ("a",)])),
        )


_ANSWERS: Mapping[type, Callable[[World, Any], inputs.Input]] = {
    effects.Survey: lambda world, _: world.survey(),
    effects.Checkpoint: lambda world, _: inputs.Checkpointed(id="c", commit="c", tree="t1"),
    effects.RunAgent: lambda world, _: world.draw(ends),
    effects.Measure: lambda world, _: world.judged(any(t.status is TaskStatus.IN_PROGRESS for t in world.plan.tasks)),
    effects.CheckPhase: lambda world, _: inputs.PhaseChecked(complete=world.draw(st.booleans()), problems=("missing",)),
    effects.Validate: lambda world, _: world.validated(),
    effects.AskHuman: lambda world, _: inputs.Answered(approved=world.draw(st.sampled_from([None, True, False]))),
    effects.MeasureBase: lambda world, _: inputs.BaseMeasured(failing=world.draw(st.sampled_from([(), ("lint: x",)]))),
    effects.Rollback: lambda world, _: inputs.RolledBack(tree="t1"),
    effects.Wait: lambda world, _: inputs.Waited(),
    effects.Stop: lambda world, _: inputs.Resumed(
        settings=world.draw(settings), reset_breaker=world.draw(st.booleans())
    ),
}
