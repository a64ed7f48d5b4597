"""The bus: every event goes to exactly the hats that the topology says, and the log alone rebuilds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.events import bus, log
from ralph.events.bus import COORDINATOR, Bus, handled, next_hat, publish, receivers, replay
from ralph.events.model import Event
from ralph.events.topics import matches, vagueness
from ralph.hats.model import Hat
from tests.events.situation import HATS, MOMENT, event

SEGMENT = st.sampled_from(["a", "b", "done"])
TOPICS = st.lists(SEGMENT, min_size=1, max_size=3).map(".".join)
PATTERNS = st.lists(SEGMENT | st.just("*"), min_size=1, max_size=3).map(".".join)
EVENTS = TOPICS.map(event)
TOPOLOGIES = st.lists(st.lists(PATTERNS, max_size=4).map(tuple), max_size=5).map(
    lambda triggers: tuple(Hat(id=f"h{n}", name="H", triggers=each) for n, each in enumerate(triggers))
)


def hat(name: str, *triggers: str) -> Hat:
    return Hat(id=name, name=name, triggers=triggers)


@pytest.mark.parametrize(
    ("hats", "topic", "expected"),
    [
        ([hat("a", "x.y"), hat("b", "x.z")], "x.y", ["a"]),
        ([hat("b", "x.y"), hat("a", "x.y")], "x.y", ["b", "a"]),
        ([hat("a", "x.*"), hat("b", "x.y")], "x.y", ["b", "a"]),
        ([hat("a", "*"), hat("b", "x.y")], "x.y", ["b"]),
        ([hat("a", "*"), hat("b", "*.y")], "x.y", ["b"]),
        ([hat("a", "*"), hat("b", "x.y")], "x.z", ["a"]),
        ([hat("a", "*", "x.y"), hat("b", "x.y")], "x.y", ["a", "b"]),
        ([hat("a", "x.y", "x.*", "*.y")], "x.y", ["a"]),
        ([hat("a", "x.y")], "x.z", [COORDINATOR]),
        ([], "x", [COORDINATOR]),
        ([hat("a")], "x", [COORDINATOR]),
    ],
    ids=[
        "only the one that listens",
        "equals in the order of the topology",
        "a topic before a pattern",
        "the star gets nothing that a topic asks for",
        "nor what another pattern asks for",
        "the star gets what nobody asks for",
        "the most specific trigger of a hat counts",
        "once, however many triggers match",
        "an orphan",
        "no hats",
        "a hat without triggers",
    ],
)
def test_who_gets_an_event(hats: list[Hat], topic: str, expected: list[str]) -> None:
    assert list(receivers(hats, topic)) == expected


@given(TOPOLOGIES, EVENTS)
def test_each_event_goes_to_exactly_the_hats_of_the_topology(hats: tuple[Hat, ...], published: Event) -> None:
    specific = {each.id for each in hats if any(matches(one, published.topic) for one in each.triggers if one != "*")}
    catching = {each.id for each in hats if "*" in each.triggers}
    after, deliveries = publish(Bus(hats=hats), published)
    got = [each.hat for each in deliveries]
    assert set(got) == (specific or catching or {COORDINATOR})
    assert len(got) == len(set(got))
    assert all(each.event == replace(published, number=1) for each in deliveries)
    assert {name: list(events) for name, events in after.waiting.items()} == {
        name: [replace(published, number=1)] for name in got
    }
    by_name = {each.id: each for each in hats}
    if got != [COORDINATOR]:
        ranks = [min(vagueness(t) for t in by_name[n].triggers if matches(t, published.topic)) for n in got]
        assert ranks == sorted(ranks)


@given(TOPOLOGIES, st.lists(EVENTS, max_size=12))
def test_turns_take_everything_once_and_in_order(hats: tuple[Hat, ...], events: list[Event]) -> None:
    state = Bus(hats=hats)
    expected: dict[str, list[Event]] = {}
    for each in events:
        state, deliveries = publish(state, each)
        for delivery in deliveries:
            expected.setdefault(delivery.hat, []).append(delivery.event)
    got: dict[str, list[Event]] = {}
    while name := next_hat(state):
        got.setdefault(name, []).extend(state.waiting[name])
        state, none = publish(state, handled(name, state.waiting[name]))
        assert none == ()
    assert got == expected
    assert state.turns == dict.fromkeys(expected, 1)


STEPS = st.lists(EVENTS | st.integers(0, 3), max_size=15)


@settings(max_examples=40)
@given(TOPOLOGIES, STEPS)
def test_replay_of_the_log_gives_the_same_state(
    tmp_path_factory: pytest.TempPathFactory, hats: tuple[Hat, ...], steps: list[Event | int]
) -> None:
    """A whole number is a turn: of the hat that is next, with that many of its events left unhandled."""
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    state = Bus(hats=hats)
    for step in steps:
        if isinstance(step, int):
            name = next_hat(state)
            if name is None:
                continue
            step = handled(name, state.waiting[name][: len(state.waiting[name]) - step])
        (written,) = log.append(path, [step], time=MOMENT)
        state, _ = publish(state, written)
    assert replay(hats, log.read(path)[0]) == state


def test_the_longest_waiting_is_next() -> None:
    state = replay(HATS, [event("confession.clean"), event("build.done"), event("unheard.of")])
    order = []
    while name := next_hat(state):
        order.append(name)
        state, _ = publish(state, handled(name, state.waiting[name]))
    assert order == ["handler", "confessor", COORDINATOR]


def test_what_is_published_during_a_turn_keeps_waiting() -> None:
    state = replay(HATS, [event("build.task", "t1")])
    given_to_builder = state.waiting["builder"]
    state, _ = publish(state, event("build.blocked", "the builder wakes itself"))
    state, _ = publish(state, handled("builder", given_to_builder))
    assert [each.payload for each in state.waiting["builder"]] == ["the builder wakes itself"]


def test_a_turn_that_was_cut_off_gets_its_events_again() -> None:
    state = replay(HATS, [event("build.task", "t1"), replace(event("unheard.of"), number=2)])
    assert next_hat(state) == "builder"  # nothing says that a turn handled it


def test_a_task_begins_with_nothing_waiting() -> None:
    state = replay(HATS, [event("build.task"), event("unheard.of")])
    state, _ = publish(state, handled("builder", state.waiting["builder"]))
    state, deliveries = publish(state, Event(topic=bus.BEGUN, payload="", origin="ralph", task="t2"))
    assert (state, deliveries) == (Bus(hats=HATS, published=4), ())


@pytest.mark.parametrize("payload", ["", "x", "-1", "1e3", "٣", "9" * 5000], ids=lambda text: text[:5])
def test_an_unreadable_number_handles_nothing(payload: str) -> None:
    state = replay(HATS, [event("build.task")])
    state, _ = publish(state, Event(topic=bus.HANDLED, payload=payload, origin="ralph", hat="builder"))
    assert len(state.waiting["builder"]) == 1


def test_a_bus_is_a_value(tmp_path: Path) -> None:
    before = Bus(hats=HATS)
    after, _ = publish(before, event())
    assert before == Bus(hats=HATS) != after
