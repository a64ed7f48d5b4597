"""A hat and a topology, as records. Spec: events, evidence and confession; design section 2, decisions 18 to 20."""

from __future__ import annotations

from ralph.record import record


@record(kw_only=True)
class Hat:
    """A role. `triggers` are topics or patterns (`*` is one segment) that wake it, `publishes` all that it may publish.

    `default_publishes` is published when a turn ends without an event. `max_activations` None means no limit.
    """

    id: str
    name: str
    description: str = ""
    triggers: tuple[str, ...] = ()
    publishes: tuple[str, ...] = ()
    default_publishes: str | None = None
    instructions: str = ""
    tools: tuple[str, ...] = ()
    agent: str | None = None
    model: str | None = None
    max_activations: int | None = None


@record(kw_only=True)
class Topology:
    """Hats that work together. `start` is the topic that begins a task, `done` the one that ends it when it is
    accepted, `confidence` the limit of confessions.
    """

    name: str
    hats: tuple[Hat, ...]
    start: str = "build.task"
    done: str = "LOOP_COMPLETE"
    description: str = ""
    confidence: int = 80

    def hat(self, identifier: str) -> Hat | None:
        return next((each for each in self.hats if each.id == identifier), None)
