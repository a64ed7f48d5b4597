"""Short runs in this process, which together have every effect: what is measured passes, what is believed fails."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ralph.agents.base import Record
from ralph.agents.script import Answer, When
from ralph.agents.scripted import ScriptedAgent
from ralph.contracts import Limits as Sizes
from ralph.hats.model import Hat, Topology
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.inputs import Input, Settings
from ralph.loop.plan.model import Task
from ralph.loop.state import State
from ralph.loop.words import Phase
from tests.audit.evidence import CONTEXT, CONTRACT
from tests.loop.workshop import Watcher, Workshop, tool
from tests.project import repository

Turn = tuple[tuple[str, Any], ...]
GOOD = "tests: pass\nlint: pass\ntypecheck: pass\naudit: pass\ncoverage: pass\ncomplexity: 3\nduplication: pass"
HATS = Topology(
    name="noting",
    done="build.done",
    hats=(
        Hat(
            id="builder",
            name="Builder",
            triggers=("build.task", "build.blocked", "work.noted"),
            publishes=("build.done", "work.noted", "escalate.human"),
            instructions="Build.",
        ),
    ),
)


def used(number: int, context: int = 1000) -> tuple[str, Any]:
    """A sum of its own for every turn."""
    return ("usage", {"input_tokens": number, "cost_usd": number / 1024, "context_tokens": context})


def page(name: str, text: str) -> tuple[str, Any]:
    return ("write", {"path": f"{name}.md", "content": f"{text}\n"})


def add(name: str) -> tuple[str, Any]:
    criteria = [f'verify:"grep -q done {name}.md"']
    return tool("ralph_add_task", task_id=name, description=f"Write {name}.", verification_criteria=criteria)


def done(name: str) -> tuple[str, Any]:
    return tool("ralph_mark_task_complete", task_id=name, verification_notes=GOOD)


SIGNAL = tool("ralph_signal_phase_complete", summary="All of it is there.")
NOTED = ("emit", {"topic": "work.noted", "payload": "half of it"})
MEASURED: tuple[Turn, ...] = (
    (add("one"), add("two"), SIGNAL),
    (page("one", "begun"), done("one")),
    (page("one", "done"), done("one")),
    (page("two", "done"), page("one", "gone"), done("two")),  # and so the validation fails
    (SIGNAL,),
    (page("one", "done"), ("claim", {"topic": "build.done", "payload": GOOD})),
    (SIGNAL,),
)
BELIEVED: tuple[Turn, ...] = (
    (page("one", "worse"), tool("ralph_mark_task_blocked", task_id="one", reason="It cannot be.")),
    (page("two", "begun"), NOTED, used(2, context=150_000)),
    (page("two", "done"), tool("ralph_emit", topic="build.done", payload=GOOD.replace("lint: pass", "lint: fail"))),
    (tool("ralph_emit", topic="build.done", payload=GOOD),),
    (SIGNAL,),
)
SUMMARY = Answer(When(contains=("This session ends now",)), (("say", "## Progress\nHalf of two."), used(64, 150_000)))


@dataclass
class Killer(Watcher):
    """Watches a run, and its clock; calls `at` at every boundary."""

    at: Callable[[str], None] = field(default=lambda where: None)

    def moved(self, given: Input | None, state: State) -> None:
        self.at(f"moved {type(given).__name__}")

    def record(self, record: Record) -> None:
        self.at(f"record {type(record).__name__}")


@dataclass(frozen=True)
class Short:
    """A run that is short: where it begins, and what its agent does."""

    turns: tuple[Turn, ...]
    phase: Phase
    planned: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def stage(self, place: Path) -> Path:
        root = repository(place / "project", {"a.md": "one\n"})
        (place / "tmp").mkdir(exist_ok=True)
        if self.planned:
            tasks = (Task(id=each, description=f"Write {each}.", priority=n) for n, each in enumerate(self.planned, 1))
            self.shop(root).plan(*tasks)
        return root

    def shop(self, root: Path, at: Callable[[str], None] = lambda where: None, **site: Any) -> Workshop:
        turns = tuple(
            turn if any(word == "usage" for word, _ in turn) else (*turn, used(2**number))
            for number, turn in enumerate(self.turns)
        )
        agent = ScriptedAgent("scripted", turns, (SUMMARY,))
        shop = Workshop(
            root,
            lambda name: agent,
            settings=Settings(limits=Limits(iterations=60), breaker=BreakerSettings()),
            view=Killer(at=at),
            **self.more,
        )
        shop.site_with = {**shop.site_with, **site}
        return shop


SIZES = dataclasses.replace(CONTRACT, limits=Sizes(lines_added=200))
RUNS: Mapping[str, Short] = {
    "measured": Short(
        MEASURED,
        Phase.PLANNING,
        more={"evidence": "measured", "context": CONTEXT, "site_with": {"contract": SIZES}},
    ),
    "believed": Short(BELIEVED, Phase.BUILDING, ("one", "two"), {"topology": HATS}),
}
