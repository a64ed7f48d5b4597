"""Hats at work on a task: events wake hats, turns publish events, gates and measurement decide what is published.

Rules (spec: events; design decisions 17 to 21, 30): a turn ends, then its events pass the door in their order, then the
limits are looked at. What the door refuses or rewrites is told in the next prompt. A turn without an event publishes
the hat's default, if it has one. Completion is an event, and counts only if `complete` has nothing against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ralph.agents.base import Agent, Claim, Record, Turn
from ralph.events import bus as buses
from ralph.events import diagnostics, honesty, inbox, log, tokens
from ralph.events.door import Admitted, Emission, Measure, Refused, Rules, admit
from ralph.events.model import Event, Outcome
from ralph.hats.flow import COMPLETE, ESCALATE
from ralph.hats.handling import NextStep
from ralph.hats.model import Hat, Topology
from ralph.loop import thrash
from ralph.loop.confessional import TOPICS, Confessional, note
from ralph.loop.hat_prompt import prompt
from ralph.system import clock
from ralph.system.scratch import scratch

Ending = Literal["complete", "waits for a person", "abandoned", "thrashing", "limit", "stalled"]
_ENDINGS: dict[thrash.Reaction, Ending | None] = {
    "go on": None,
    "abandon the task": "abandoned",
    "end the loop": "thrashing",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """One turn of a hat: what woke it, what it did, what was published, what it is told afterwards."""

    number: int
    hat: str
    given: tuple[Event, ...]
    records: tuple[Record, ...]
    published: tuple[Event, ...]
    told: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class HatLoop:
    """A topology at work in the repository at `root`. `play` gives the agent for a hat (None: the coordinator).

    `complete` gives an objection to completion, or None. The state of a run is in `ending` and `thrash`, which several
    tasks share.
    """

    topology: Topology
    rules: Rules
    root: Path
    play: Callable[[Hat | None], Agent]
    measure: Measure | None = None
    confessional: Confessional | None = None
    complete: Callable[[], str | None] = lambda: None
    env: Mapping[str, str] = field(default_factory=dict)
    max_iterations: int = 100
    diagnose: Callable[[str], None] | None = None
    ending: Ending = "stalled"
    thrash: thrash.Thrash = field(default_factory=thrash.Thrash)
    _bus: buses.Bus = field(default_factory=lambda: buses.Bus(hats=()))
    _notes: list[str] = field(default_factory=list)
    _expected: NextStep | None = None
    _unreliable: int = 0

    def run(self, task: str, text: str) -> Iterator[Iteration]:
        """Work on one task until it ends; `ending` then says how."""
        self._bus, self.ending = buses.Bus(hats=self.topology.hats), "limit"
        self._notes, self._expected, self._unreliable = [], None, 0
        begun = Event(topic=buses.BEGUN, payload="", origin="ralph", task=task)
        self._publish([begun, Event(topic=self.topology.start, payload=text, origin="ralph", task=task)])
        for number in range(1, self.max_iterations + 1):
            name = buses.next_hat(self._bus)
            if name is None:
                self.ending = "stalled"
                return
            hat, turns = self.topology.hat(name), self._bus.turns.get(name, 0)
            if hat and hat.max_activations is not None and turns >= hat.max_activations:
                return
            given = self._bus.waiting[name]
            records, emissions = self._turn(hat, given, number, task, text)
            ended, events = self._judged(hat, emissions, task)
            published = self._publish([*events, buses.handled(name, given, iteration=number)])
            yield Iteration(
                number=number, hat=name, given=given, records=records, published=published, told=tuple(self._notes)
            )
            if ended:
                self.ending = ended
                return

    def _turn(
        self, hat: Hat | None, given: Sequence[Event], number: int, task: str, text: str
    ) -> tuple[tuple[Record, ...], list[Emission]]:
        """Play a turn; what it did, and what it wants to publish."""
        agent, (token, seal) = self.play(hat), tokens.mint(number)
        self.rules = replace(self.rules, seal=seal)
        words, self._notes = list(self._notes), []
        if hat and self.confessional and set(hat.publishes) & set(TOPICS):
            words.append(self.confessional.material(text))
        turn = inbox.Turn(
            iteration=number, hat=hat.id if hat else None, agent=agent.name, model=hat.model if hat else None, task=task
        )
        with scratch("turn") as folder:
            env = {**self.env, **inbox.open_turn(folder, turn, self.rules, token)}
            told = prompt(hat, self.topology, given, words)
            records = tuple(agent.run(Turn(prompt=told, workdir=self.root, iteration=number, env=env)))
            posted, _ = inbox.collect(folder, turn)
        said = [turn.emission(each.topic, each.payload, token) for each in records if isinstance(each, Claim)]
        for each in posted:
            if isinstance(each, inbox.Unreadable):
                self._notes.append(f"An event could not be read: {each.reason}.")
        emissions = [*said, *(each for each in posted if isinstance(each, Emission))]
        if not emissions and hat and hat.default_publishes:
            emissions = [replace(turn.emission(hat.default_publishes, "", None), origin="default")]
        return records, emissions

    def _judged(self, hat: Hat | None, emissions: Sequence[Emission], task: str) -> tuple[Ending | None, list[Event]]:
        """What is published of it, and whether the task ends with that."""
        expected, self._expected = self._expected, None
        handles = expected is not None and hat is not None and bool(set(hat.triggers) & set(TOPICS))
        events: list[Event] = []
        for emission in emissions:
            if handles and expected and emission.topic not in expected.allowed:
                allowed = ", ".join(expected.allowed)
                self._notes.append(
                    f"{emission.topic} does not follow from what Ralph found; publish one of: {allowed}."
                )
                continue
            event, ended = self._admitted(emission, task)
            events += [event] if event else []
            if ended:
                return ended, events
        if handles and expected and not events:
            event = Event(topic=expected.topic, payload=expected.payload, origin="ralph", task=task)
            return self._ends(event), [event]
        if not handles and self._expected is None:
            self._expected = expected
        return None, events

    def _admitted(self, emission: Emission, task: str) -> tuple[Event | None, Ending | None]:
        answer = admit(emission, self.rules, self.measure)
        if isinstance(answer, Refused):
            self._notes.append(answer.message)
            return None, None
        if self.diagnose:
            for line in diagnostics.lines(answer.decision):
                self.diagnose(line)
        if answer.measurement:
            gate = self.rules.gates[emission.topic]
            honesty.record(self.root / honesty.CLAIMS, honesty.compare(answer, gate), time=clock.now())
        if answer.event.topic in (self.topology.done, COMPLETE) and (objection := self.complete()):
            self._notes.append(f"{answer.event.topic} does not count: {objection}")
            return None, None
        if answer.event.topic in TOPICS and self.confessional:
            self._confessed(answer.event)
        return answer.event, self._ends(answer.event) or self._thrashes(answer, task)

    def _confessed(self, event: Event) -> None:
        assert self.confessional is not None
        finding, step = self.confessional.examine(event, self._unreliable)
        self._unreliable = self._unreliable + 1 if step.action == "confess" else 0
        self._expected = step
        self._notes.append(note(finding, step))

    def _thrashes(self, answer: Admitted, task: str) -> Ending | None:
        if answer.decision.outcome is Outcome.ACCEPTED:
            self.thrash = thrash.accepted(self.thrash, task)
        if not answer.rewritten:
            return None
        self.thrash, reaction = thrash.refused(self.thrash, task, answer.decision.failed)
        return _ENDINGS[reaction]

    def _ends(self, event: Event) -> Ending | None:
        if event.topic in (self.topology.done, COMPLETE):
            return "complete"
        return "waits for a person" if event.topic == ESCALATE else None

    def _publish(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Write events down, together, then put them on the bus."""
        written = log.append(self.root / log.LOG, events, time=clock.now())
        for event in written:
            self._bus, _ = buses.publish(self._bus, event)
        return tuple(event for event in written if event.topic not in (buses.HANDLED, buses.BEGUN))
