"""The bus: which hats get which event, in which order. A value; publishing gives the next one.

Rules (spec: events; design decisions 18 to 20, 32):

- An event goes to every hat with a trigger that matches its topic, once each: the most specific trigger first, hats
  of the same specificity in the order of the topology. Hats that only listen to `*` get it if no other trigger
  matches. What no hat listens to goes to the coordinator, so nothing is dropped. A hat may wake itself.
- Events wait for a hat until `loop.handled` says that its turn is over; the payload is the number of the last event it
  was given. What was published meanwhile keeps waiting, and a turn that was cut off gets its events again.
- `loop.begun` begins a task: nothing of an earlier one waits any more, and no hat has had a turn.
- The state is nothing but a fold of the published events: `replay` of the log rebuilds it, turns taken included.
- The bus has no opinion on content, origin or scope: what reaches it came through `events.door`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ralph.events.model import Event
from ralph.events.topics import EVERY, matches, vagueness
from ralph.record import field, record, replace

COORDINATOR = "ralph"
"""Who gets what no hat listens to."""
HANDLED = "loop.handled"
"""Published by Ralph at the end of a turn."""
BEGUN = "loop.begun"
"""Published by Ralph before the first event of a task."""

_NUMBER = re.compile("[0-9]{1,15}")


class Listener(Protocol):
    """What the bus needs to know of a hat; `hats.model.Hat` is one."""

    @property
    def id(self) -> str: ...
    @property
    def triggers(self) -> Sequence[str]: ...
    @property
    def publishes(self) -> Sequence[str]: ...


@record
class Delivery:
    """One event for one hat."""

    hat: str
    event: Event


@record(kw_only=True)
class Bus:
    """Who listens, how many events were published, and what waits for whom, oldest first."""

    hats: tuple[Listener, ...]
    published: int = 0
    waiting: Mapping[str, tuple[Event, ...]] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)
    """How often each hat was activated."""


def receivers(hats: Iterable[Listener], topic: str) -> tuple[str, ...]:
    """The hats that get an event of this topic, in order; the coordinator alone if there are none."""
    ranked = []
    for place, hat in enumerate(hats):
        ranks = [vagueness(pattern) for pattern in hat.triggers if matches(pattern, topic)]
        if ranks:
            ranked.append((min(ranks), place, hat.id))
    ranked.sort()
    specific = [hat for rank, _, hat in ranked if rank < vagueness(EVERY)]
    return tuple(specific or [hat for _, _, hat in ranked]) or (COORDINATOR,)


def publish(bus: Bus, event: Event) -> tuple[Bus, tuple[Delivery, ...]]:
    """The bus after this event, and who gets it. An event without a number gets the next one."""
    number = event.number or bus.published + 1
    event = event if event.number else replace(event, number=number)
    if event.topic == BEGUN:
        return Bus(hats=bus.hats, published=number), ()
    if event.topic == HANDLED:
        return _handled(replace(bus, published=number), event), ()
    deliveries = tuple(Delivery(hat, event) for hat in receivers(bus.hats, event.topic))
    waiting = {**bus.waiting}
    for each in deliveries:
        waiting[each.hat] = (*waiting.get(each.hat, ()), event)
    return replace(bus, published=number, waiting=waiting), deliveries


def replay(hats: Iterable[Listener], events: Iterable[Event]) -> Bus:
    """The bus as it stands after these events: what a crash or a restart begins with."""
    bus = Bus(hats=tuple(hats))
    for event in events:
        bus, _ = publish(bus, event)
    return bus


def next_hat(bus: Bus) -> str | None:
    """Whose turn it is: whoever has waited longest; between equals the order of `receivers`. None if nothing waits."""
    heads = {hat: events[0] for hat, events in bus.waiting.items()}
    if not heads:
        return None
    oldest = min(heads.values(), key=lambda event: event.number or 0)
    order = receivers(bus.hats, oldest.topic)
    return min((hat for hat, event in heads.items() if event.number == oldest.number), key=order.index)


def handled(hat: str, given: Sequence[Event], *, iteration: int | None = None) -> Event:
    """What Ralph publishes when the turn of a hat that was given these events is over."""
    last = max((event.number or 0 for event in given), default=0)
    return Event(topic=HANDLED, payload=str(last), origin="ralph", hat=hat, iteration=iteration)


def _handled(bus: Bus, event: Event) -> Bus:
    """Nothing up to the number in the payload waits for the hat any more. An unreadable number handles nothing."""
    hat, last = event.hat or COORDINATOR, int(event.payload) if _NUMBER.fullmatch(event.payload) else 0
    left = tuple(each for each in bus.waiting.get(hat, ()) if (each.number or 0) > last)
    waiting = {name: events for name, events in bus.waiting.items() if name != hat}
    turns = {**bus.turns, hat: bus.turns.get(hat, 0) + 1}
    return replace(bus, waiting={**waiting, hat: left} if left else waiting, turns=turns)
