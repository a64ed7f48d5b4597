"""The one door to the bus: every event passes here, whatever its origin (spec: events; design decisions 15 to 19).

Rules, in this order; the first that objects decides:

1. An agent's event carries the token of this iteration. Hat, agent and model are the turn's, as Ralph knows them.
2. The topic is written as a topic, the payload holds at most 64 KiB.
3. Reserved topics are refused from agents and from a hat's default.
4. A hat's agent publishes only what the hat declares, negative topics included. The coordinator's publishes only what
   the topology knows.
5. The gate of the topic accepts the claim, or rewrites the event. A default without a payload passes ungated where
   evidence is claimed; where it is measured it is gated like any other.
   A call of the tool for completion is a claim in itself: where it is measured, notes without any evidence are enough.
   An agent may write the tool's name itself, so that holds for `build.done` alone, of which everything is measured.
6. Where evidence is measured, an accepted claim is measured, and the measurement decides: what does not hold is
   rewritten just as a claim that says so itself, and readings that are not good outweigh a measurement that calls
   itself good. Without a way to measure it is not published.

A rewritten event keeps the topic that was claimed. A refusal publishes nothing; its message says what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from ralph.events import tokens
from ralph.events.bus import COORDINATOR, Listener
from ralph.events.gates import BUILTIN, decide, refused
from ralph.events.model import Event, Gate, GateDecision, Origin, Outcome, Reading
from ralph.events.topics import EVERY, LONGEST, RESERVED, is_reserved, is_topic, matches
from ralph.record import field, record, replace
from ralph.system.text import visible
from ralph.verdict import Verdict

LARGEST_PAYLOAD = 64 * 1024
COMPLETION = ("ralph_mark_task_complete", "build.done")
Objection = Literal["token", "topic", "payload", "reserved", "scope", "unmeasured"]
Evidence = Literal["measured", "claimed"]


@record(kw_only=True)
class Emission:
    """What somebody wants to publish, before anything is known about it."""

    topic: str
    payload: str
    origin: Origin
    hat: str | None = None
    agent: str | None = None
    model: str | None = None
    task: str | None = None
    iteration: int | None = None
    token: str | None = field(default=None, repr=False)
    tool: str | None = None
    """The tool of Ralph that the agent called to say it; None for an event that it published itself."""


@record(kw_only=True)
class Measurement:
    """What Ralph measured of a claim. `readings` holds the checks that it could measure; others stay claimed."""

    holds: bool
    readings: Mapping[str, Reading] = field(default_factory=dict)
    message: str = ""
    """What the agent is told when it does not hold, behind what differs check by check."""
    tree: str | None = None
    """The tree that was measured."""
    verdict: Verdict | None = None
    """The engine's, where it measured."""


Measure = Callable[[Emission, GateDecision], Measurement]


@record(kw_only=True)
class Rules:
    """The law of one iteration, as Ralph holds it. `seal` is None while no agent's turn runs."""

    hats: tuple[Listener, ...]
    evidence: Evidence = "measured"
    gates: Mapping[str, Gate] = field(default_factory=lambda: BUILTIN)
    warn_mutation_below: float | None = None
    seal: tokens.Seal | None = None


@record(kw_only=True)
class Admitted:
    """The event that is published, how its claim read, what was measured, and what was decided after that."""

    event: Event
    read: GateDecision
    decision: GateDecision
    measurement: Measurement | None = None

    @property
    def rewritten(self) -> bool:
        return self.event.claimed is not None


@record
class Refused:
    """Nothing is published. `message` is one sentence that says why, and what to do."""

    emission: Emission
    objection: Objection
    message: str


def examine(emission: Emission, rules: Rules) -> Admitted | Refused:
    """Rules 1 to 5: what becomes of it as far as reading goes. Pure; `ralph emit` answers an agent with it."""
    emission = replace(emission, payload=_text(emission.payload))
    if refusal := _objection(emission, rules):
        return Refused(emission, *refusal)
    topic, payload = emission.topic, emission.payload
    if emission.origin == "default" and not payload.strip() and rules.evidence == "claimed":
        decision = GateDecision(topic=topic, outcome=Outcome.UNGATED, publishes=topic)
    else:
        decision = decide(topic, payload, rules.gates, warn_mutation_below=rules.warn_mutation_below)
    calls = (emission.tool, topic) == COMPLETION
    if calls and rules.evidence == "measured" and decision.outcome is Outcome.MISSING:
        decision = replace(decision, outcome=Outcome.ACCEPTED, publishes=topic, failed=(), message="")
    return Admitted(event=_event(emission, decision), read=decision, decision=decision)


def admit(emission: Emission, rules: Rules, measure: Measure | None = None) -> Admitted | Refused:
    """The event to publish, or why there is none. Raises what `measure` raises."""
    read = examine(emission, rules)
    if isinstance(read, Refused) or rules.evidence == "claimed" or read.decision.outcome is not Outcome.ACCEPTED:
        return read
    emission = replace(emission, payload=read.event.payload)
    if measure is None:
        why = f"{emission.topic} must be measured, and nothing here can: give the project a context, then try again."
        return Refused(emission, "unmeasured", why)
    measurement = measure(emission, read.decision)
    decision = _weighed(read.decision, emission.payload, rules.gates, measurement)
    return Admitted(event=_event(emission, decision), read=read.decision, decision=decision, measurement=measurement)


def _objection(emission: Emission, rules: Rules) -> tuple[Objection, str] | None:
    """Rules 1 to 4."""
    agent = emission.origin == "agent"
    topic = visible(emission.topic[:LONGEST])
    if agent and (why := tokens.objection(emission.token, rules.seal)):
        return "token", f"The event {topic} was refused: {why}; publish with `ralph emit` from within the turn."
    if not is_topic(emission.topic):
        return "topic", (
            f"{topic!r} is no topic: write segments of letters, digits, `_` and `-`, parted by points, at most "
            f"{LONGEST} characters, as in `build.done`."
        )
    if (size := len(emission.payload.encode())) > LARGEST_PAYLOAD:
        return "payload", (
            f"The payload of {topic} has {size} bytes, and at most {LARGEST_PAYLOAD} are taken: shorten it, or "
            "write it to a file and name that."
        )
    if emission.origin in ("agent", "default") and is_reserved(emission.topic):
        return (
            "reserved",
            f"{topic} is reserved for Ralph and for people ({', '.join(RESERVED)}): use a topic of the hat.",
        )
    return _scope(emission, rules.hats) if agent else None


def _scope(emission: Emission, hats: tuple[Listener, ...]) -> tuple[Objection, str] | None:
    name = emission.hat or COORDINATOR
    hat = next((each for each in hats if each.id == name), None)
    if hat is not None:
        declared = list(hat.publishes)
    elif name == COORDINATOR:
        declared = list(dict.fromkeys(topic for each in hats for topic in (*each.triggers, *each.publishes)))
    else:
        return "scope", f"There is no hat {visible(name)!r}, so it publishes nothing; there are: {_listed(hats)}."
    if any(matches(pattern, emission.topic) for pattern in declared if pattern != EVERY):
        return None
    may = ", ".join(each for each in declared if each != EVERY and not is_reserved(each)) or "nothing"
    return "scope", f"The hat {name} does not publish {emission.topic}; it may publish: {may}."


def _listed(hats: tuple[Listener, ...]) -> str:
    return ", ".join(each.id for each in hats) or "none"


def _event(emission: Emission, decision: GateDecision) -> Event:
    rewritten = decision.publishes != emission.topic
    return Event(
        topic=decision.publishes,
        payload=decision.message if rewritten else emission.payload,
        origin=emission.origin,
        hat=emission.hat,
        agent=emission.agent,
        model=emission.model,
        task=emission.task,
        iteration=emission.iteration,
        claimed=emission.topic if rewritten else None,
    )


def _weighed(read: GateDecision, payload: str, gates: Mapping[str, Gate], measurement: Measurement) -> GateDecision:
    """The decision on a claim that reads well, once it was measured."""
    decision = refused(read, measured=measurement.readings, payload=payload, gates=gates)
    if measurement.holds:
        return decision
    gate = gates[read.topic]
    generic = f"{gate.topic} was measured and does not hold, so {gate.refusal} is published instead."
    message = "\n".join(filter(None, (decision.message, measurement.message))) or generic
    return replace(decision, outcome=Outcome.FAILED, publishes=gate.refusal, message=message, warnings=())


def _text(payload: str) -> str:
    """The payload as it can be written down: bytes that were no UTF-8 are written out, never dropped."""
    return payload.encode("utf-8", "backslashreplace").decode("utf-8")
