"""How work flows through a topology: who publishes what for whom, what is reached, from where the end is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ralph.events.bus import COORDINATOR, receivers
from ralph.events.topics import is_reserved
from ralph.hats.model import Hat, Topology
from ralph.record import record

COMPLETE = "LOOP_COMPLETE"
ESCALATE = "escalate.human"


@record
class Edge:
    """An event from one hat to another. `source` None is Ralph, `target` None: it ends the work, or no hat takes it.

    `refused`: not the hat publishes it, but a gate, instead of what the hat claimed.
    """

    source: str | None
    topic: str
    target: str | None
    refused: bool = False


@record(slots=False)
class Flow:
    """A topology with its gates: `refusals` maps each gated topic to what is published when a claim does not hold."""

    topology: Topology
    refusals: Mapping[str, str]

    @property
    def ends(self) -> tuple[str, ...]:
        """Topics that Ralph takes: the work is done, or waits for a person."""
        return tuple(dict.fromkeys((self.topology.done, COMPLETE, ESCALATE)))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every way of an event, in the order of the topology. What hats hear of Ralph or a person is not drawn."""
        start = self.topology.start
        found = [Edge(None, start, target) for target in self._targets(start)]
        for hat in self.topology.hats:
            found += [Edge(hat.id, topic, target) for topic in hat.publishes for target in self._targets(topic)]
            for topic in hat.publishes:
                if refusal := self.refusals.get(topic):
                    found += [Edge(hat.id, refusal, target, refused=True) for target in self._targets(refusal)]
        return tuple(dict.fromkeys(found))

    @cached_property
    def reached(self) -> frozenset[str]:
        """The hats that some course of events wakes."""
        woken = {edge.target for edge in self.edges if edge.source is None}
        woken |= {hat.id for hat in self.topology.hats if any(is_reserved(each) for each in hat.triggers)}
        ways = [(edge.source, edge.target) for edge in self.edges]
        return _closure((each for each in woken if each), ways)

    @cached_property
    def finishing(self) -> frozenset[str]:
        """The hats from which the work can end."""
        last = [hat.id for hat in self.topology.hats if any(topic in self.ends for topic in hat.publishes)]
        return _closure(last, [(edge.target, edge.source) for edge in self.edges])

    def sources(self) -> Iterator[str]:
        """Every topic that is published, by hats, by their gates, and by Ralph to begin with."""
        yield self.topology.start
        for hat in self.topology.hats:
            for topic in (*hat.publishes, *_default(hat)):
                yield topic
                if topic in self.refusals:
                    yield self.refusals[topic]

    def _targets(self, topic: str) -> tuple[str | None, ...]:
        if topic in self.ends:
            return (None,)
        return tuple(None if each == COORDINATOR else each for each in receivers(self.topology.hats, topic))


def _default(hat: Hat) -> tuple[str, ...]:
    return (hat.default_publishes,) if hat.default_publishes else ()


def _closure(start: Iterable[str], ways: list[tuple[str | None, str | None]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += [there for begin, there in ways if begin == here and there is not None]
    return frozenset(seen)
