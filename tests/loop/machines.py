"""The machine alone, played by hand: inputs go in, and what it wants comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from ralph.agents.base import EndReason, Usage
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.effects import Asking, Effect, RunAgent
from ralph.loop.inputs import (
    BaseMeasured,
    Begun,
    Checkpointed,
    Controlled,
    Input,
    Judged,
    Outcome,
    Resumed,
    Settings,
    Surveyed,
    TurnEnded,
)
from ralph.loop.machine import fits, step
from ralph.loop.state import State
from ralph.loop.words import Phase

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RUN = "20260101T000000000Z-000000000000"
FREE = Limits(per_iteration_usd=None, per_session_usd=None, total_usd=None, iterations=10**6, runtime_s=None)
"""No limit that a test comes to."""
SETTINGS = Settings(limits=FREE, breaker=BreakerSettings())

E = TypeVar("E")


class Play:
    """A run of the machine. `effects` are those of the last input, `inputs` all that were given, and `times` when."""

    def __init__(self, phase: Phase = Phase.BUILDING, settings: Settings = SETTINGS, **begun: Any) -> None:
        self.now = NOW
        first = Begun(run=RUN, prompt="Do it.", phase=phase, agent="test", settings=settings, base=None, **begun)
        self.inputs: list[Input] = [first]
        self.times = [NOW]
        self.state: State
        self.effects: tuple[Effect, ...]
        self.state, self.effects = step(None, first, NOW)

    def give(self, *given: Input, after_s: float = 0.0) -> Play:
        for each in given:
            self.now += timedelta(seconds=after_s)
            assert fits(self.state, each), f"{each} while {self.state.awaiting} is awaited"
            self.state, self.effects = step(self.state, each, self.now)
            self.inputs.append(each)
            self.times.append(self.now)
        return self

    def turn(self, outcome: Outcome = "open", end: TurnEnded | None = None, **judged: Any) -> Play:
        """A turn that ended, and what its claims came to."""
        return self.give(end or ended(), heard(outcome, **judged))

    def control(self, do: Any, **more: Any) -> Play:
        return self.give(Controlled(do=do, **more))

    def resume(self, settings: Settings | None = None, **more: Any) -> Play:
        return self.give(Resumed(settings=settings or self.state.settings, **more))

    @property
    def wants(self) -> Asking:
        assert self.state.awaiting is not None
        return self.state.awaiting

    @property
    def agent(self) -> RunAgent:
        """The turn that is wanted."""
        assert isinstance(self.wants, RunAgent), self.wants
        return self.wants

    @property
    def kinds(self) -> list[str]:
        return [type(each).__name__ for each in self.effects]

    def effect(self, kind: type[E]) -> E:
        """The one effect of this kind that followed from the last input."""
        (found,) = [each for each in self.effects if isinstance(each, kind)]
        return found

    @property
    def end(self) -> str | None:
        return self.state.end


def building(settings: Settings = SETTINGS, task: str = "one", **begun: Any) -> Play:
    """A run whose agent is about to begin with a task."""
    return Play(settings=settings, **begun).give(checkpointed(), BaseMeasured(), selected(task))


def in_phase(phase: Phase, settings: Settings = SETTINGS) -> Play:
    """A run whose agent is about to begin in a phase without tasks."""
    play = Play(phase, settings)
    assert play.agent.kind == "work"
    return play


def ended(
    reason: EndReason = "completed", *, context: int | None = 1_000, cost: float | None = 0.1, **more: Any
) -> Any:
    usage = Usage(input_tokens=90, output_tokens=10, cost_usd=cost, context_tokens=context, context_window=10_000)
    return TurnEnded(**{"reason": reason, "usage": usage, "runtime_s": 1.0, "session": "conversation", **more})


def heard(outcome: Outcome = "open", *, moved: bool = True, **more: Any) -> Judged:
    return Judged(**{"outcome": outcome, "tree": "tree", "moved": moved, **more})


def selected(task: str | None, **more: Any) -> Surveyed:
    return Surveyed(**{"next": task, "open": 1 if task else 0, **more})


def checkpointed(name: str = "c1") -> Checkpointed:
    return Checkpointed(id=name, commit=f"commit of {name}", tree=f"tree of {name}")


def with_limits(settings: Settings = SETTINGS, **limits: Any) -> Settings:
    return replace(settings, limits=replace(settings.limits, **limits))


def with_breaker(**breaker: Any) -> Settings:
    return replace(SETTINGS, breaker=BreakerSettings(**breaker))


def fields(record: object, *names: str) -> Mapping[str, Any]:
    return {name: getattr(record, name) for name in names}
