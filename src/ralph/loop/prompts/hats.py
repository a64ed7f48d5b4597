"""A hat's part of a prompt: its role and instructions, and the events that woke it. Pure (spec: events).

A hat's instructions come from a preset or from `ralph.yml`, which agents cannot change; they are to be followed, and
stand in a block quote. The payload of an event is an agent's, and stands in a fence.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.events.model import Event
from ralph.loop.prompts.facts import PromptFacts
from ralph.loop.prompts.parts import Part, quoted
from ralph.loop.prompts.quoting import code, followed, safe


def role(facts: PromptFacts) -> str:
    """Who the agent is in this turn; "" without a topology."""
    if facts.hat:
        return f"You wear the hat {code(facts.hat.name)}."
    return "You are the coordinator: you decide who goes on." if facts.topology else ""


def parts(facts: PromptFacts) -> Iterator[Part]:
    """What the hat has to do, and what it was woken by."""
    if facts.hat and facts.hat.instructions.strip():
        yield Part(title="Your instructions", quoted=facts.hat.instructions.strip(), frame=followed)
    elif facts.topology and facts.hat is None:
        yield Part(title="Your instructions", words=_coordinator(facts))
    for event in facts.given:
        yield _woken(event)


def _woken(event: Event) -> Part:
    told = f", claimed as {code(event.claimed)} and refused" if event.claimed else ""
    words = f"It was published by {code(event.hat or event.origin)}{told}."
    payload = safe(event.payload)
    return quoted(f"Event {code(event.topic)}", payload if payload.strip() else "(no payload)", words=words, rank=7)


def _coordinator(facts: PromptFacts) -> str:
    assert facts.topology is not None
    lines = [f"- {code(hat.id)}: {', '.join(code(each) for each in hat.triggers)}" for hat in facts.topology.hats]
    head = "No hat listens to the event below. Decide which one goes on, and publish an event that it listens to:"
    return "\n".join([head, "", *lines])
