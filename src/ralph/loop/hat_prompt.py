"""What an agent reads at the beginning of a hat's turn. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.events.model import Event
from ralph.hats.model import Hat, Topology
from ralph.system.text import visible


def prompt(hat: Hat | None, topology: Topology, given: Sequence[Event], notes: Sequence[str]) -> str:
    """The hat's instructions, what woke it, and what Ralph has to say (`notes`: refusals, findings, material).

    Without a hat it is the coordinator's turn: nobody listens to what was published.
    """
    parts = [hat.instructions.rstrip() if hat else _coordinator(topology)]
    for event in given:
        told = f" (claimed as {event.claimed}, and refused)" if event.claimed else ""
        task = f" for task {visible(event.task)}" if event.task else ""
        parts.append(
            f"## Event `{event.topic}`{task}{told}\n\n{visible(event.payload, keep=chr(10)) or '(no payload)'}"
        )
    parts += [f"## Ralph says\n\n{note}" for note in notes]
    may = ", ".join(f"`{topic}`" for topic in hat.publishes) if hat else "any topic of a hat"
    parts.append(f'Publish with `ralph emit TOPIC "PAYLOAD"`: {may}. A turn that publishes nothing changes nothing.')
    return "\n\n".join(parts)


def _coordinator(topology: Topology) -> str:
    lines = [f"- {hat.id}: {', '.join(hat.triggers)}" for hat in topology.hats]
    return (
        f"No hat of {topology.name} listens to the event below. Decide which hat goes on, and publish an event that it "
        "listens to:\n" + "\n".join(lines)
    )
