"""Which hats can work together: one table of what is wrong with them, one of what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.config.schema import Evidence
from ralph.errors import ConfigError
from ralph.hats.check import check, require
from ralph.hats.model import Hat, Topology
from tests.hats.shapes import BUILDER, REFUSALS, hat, topology

REVIEWER = hat("reviewer", "build.done", "review.done review.rejected")
REVIEWED = hat("builder", "build.task build.blocked review.rejected", "build.done")

SOUND = {
    "one hat": topology(BUILDER),
    "two hats and a way back": topology(REVIEWED, REVIEWER, done="review.done"),
    "a pattern of one segment": topology(hat("builder", "build.task *.blocked", "build.done")),
    "a fallback beside triggers of others": topology(
        hat("builder", "build.task", "build.done odd.thing"), hat("rest", "*", "escalate.human")
    ),
    "a way to a person": topology(hat("builder", "build.task", "build.done escalate.human")),
    "a hat that only a person wakes": topology(BUILDER, hat("guide", "human.guidance", "escalate.human")),
    "a hat that wakes itself": topology(hat("builder", "build.task more.work", "more.work build.done")),
    "a refusal that goes back to Ralph": topology(hat("builder", "build.task", "build.done")),
    "a claim that ends the loop": topology(hat("builder", "build.task", "LOOP_COMPLETE"), done="LOOP_COMPLETE"),
    "a default that claims nothing": topology(
        hat("builder", "build.task build.stuck", "build.done build.stuck", default_publishes="build.stuck")
    ),
}


@pytest.mark.parametrize("sound", SOUND.values(), ids=SOUND.keys())
def test_sound(sound: Topology) -> None:
    assert check(sound, REFUSALS) == []
    require(sound, REFUSALS, "measured", "ralph.yml")


WRONG: dict[str, tuple[Topology, str, str]] = {
    "no hat": (topology(), "hats", "there is none"),
    "no instructions": (topology(hat("a", "build.task", "build.done", instructions=" \n")), "hats.a.instructions", ""),
    "an empty name": (topology(hat("a", "build.task", "build.done", name=" ")), "hats.a.name", "empty"),
    "no trigger": (topology(BUILDER, hat("idle", "", "build.done")), "hats.idle.triggers", "nothing wakes"),
    "an id in upper case": (topology(hat("Builder", "build.task", "build.done")), "hats.Builder", "lower case"),
    "Ralph's own name": (topology(hat("ralph", "build.task", "build.done")), "hats.ralph", "Ralph's own"),
    "the same id": (topology(BUILDER, hat("builder", "odd", "build.done", name="Odd")), "hats.builder", "this id"),
    "the same name": (
        topology(
            hat("a", "build.task", "b.wake build.done", name="Eve"), hat("b", "b.wake", "build.done", name=" eve")
        ),
        "hats.b.name",
        "two hats are called ' eve'",
    ),
    "no activation": (
        topology(hat("a", "build.task", "build.done", max_activations=0)),
        "hats.a.max_activations",
        "less than 1",
    ),
    "a topic with a blank": (topology(Hat(id="a", name="A", triggers=("build task",))), "hats.a.triggers", "no topic"),
    "a topic with an empty part": (topology(hat("a", "build.task a..b", "build.done")), "hats.a.triggers", "no topic"),
    "half a part as a pattern": (topology(hat("a", "build.task x.y*", "build.done")), "hats.a.triggers", "no topic"),
    "a pattern as what is published": (topology(hat("a", "build.task", "build.* build.done")), "hats.a.publishes", ""),
    "a topic twice": (topology(hat("a", "build.task build.task", "build.done")), "hats.a.triggers", "twice"),
    "the same trigger": (
        topology(BUILDER, hat("other", "build.task", "build.done")),
        "hats.other.triggers",
        "'build.task' wakes 'builder' too",
    ),
    "a pattern over a topic": (
        topology(BUILDER, hat("other", "build.*", "build.done")),
        "hats.other.triggers",
        "some topics of 'build.*' wake 'builder' too, by its 'build.task'",
    ),
    "patterns that cross": (
        topology(hat("a", "build.task *.red", "build.done x.red"), hat("b", "x.*", "build.done")),
        "hats.b.triggers",
        "by its '*.red'",
    ),
    "two fallbacks": (
        topology(hat("a", "build.task *", "build.done x"), hat("b", "*", "build.done")),
        "hats.b.triggers",
        "'*' wakes 'a' too",
    ),
    "a trigger that nobody publishes": (
        topology(hat("a", "build.task build.blokked", "build.done")),
        "hats.a.triggers",
        "nobody publishes 'build.blokked' (did you mean 'build.blocked'?)",
    ),
    "an event for nobody": (
        topology(hat("a", "build.task", "build.done review.done")),
        "hats.a.publishes",
        "no hat is woken by 'review.done'",
    ),
    "an end in another spelling": (
        topology(hat("a", "build.task", "build.done LOOP_COMPLETED")),
        "hats.a.publishes",
        "did you mean 'LOOP_COMPLETE'?",
    ),
    "hats that only wake each other": (
        topology(BUILDER, hat("x", "y.out", "x.out build.done"), hat("y", "x.out", "y.out")),
        "hats.x",
        "no course of events",
    ),
    "a cycle without an exit": (
        topology(
            hat("a", "build.task", "build.done round.one"), hat("x", "round.one two", "one"), hat("y", "one", "two")
        ),
        "hats.x",
        "never ends",
    ),
    "a hat that says nothing": (topology(BUILDER, hat("mute", "build.task", "")), "hats.mute", "never ends"),
    "nobody begins": (topology(hat("a", "other", "other build.done")), "hats", "no hat is woken by 'build.task'"),
    "nobody ends": (topology(hat("a", "build.task", "escalate.human")), "hats", "no hat publishes 'build.done'"),
    "an end that is no topic": (topology(BUILDER, done="build done"), "done", "no topic"),
    "a hat after the end": (
        topology(BUILDER, hat("late", "build.done", "escalate.human")),
        "hats.late.triggers",
        "ends the work",
    ),
    "a pattern that takes an end": (
        topology(BUILDER, hat("late", "late.start *.human", "escalate.human")),
        "hats.late.triggers",
        "'*.human' takes 'escalate.human'",
    ),
    "a trigger of the loop's own": (
        topology(BUILDER, hat("late", "loop.handled", "escalate.human")),
        "hats.late.triggers",
        "wakes no hat",
    ),
    "a refusal as the end": (
        topology(hat("a", "build.task", "build.done build.blocked"), done="build.blocked"),
        "done",
        "not done",
    ),
    "no model": (topology(hat("a", "build.task", "build.done", model=" ")), "hats.a.model", "empty"),
    "an empty tool": (topology(hat("a", "build.task", "build.done", tools=("read", ""))), "hats.a.tools", "empty"),
    "a reserved topic": (
        topology(hat("a", "build.task", "build.done build.task")),
        "hats.a.publishes",
        "only Ralph publishes 'build.task'",
    ),
    "a person's topic": (topology(hat("a", "build.task", "build.done human.yes")), "hats.a.publishes", "only Ralph"),
    "a default that is not declared": (
        topology(hat("a", "build.task", "build.done", default_publishes="build.stuck")),
        "hats.a.default_publishes",
        "not among",
    ),
    "silence as proof": (
        topology(hat("a", "build.task", "build.done", default_publishes="build.done")),
        "hats.a.default_publishes",
        "said nothing",
    ),
}


@pytest.mark.parametrize(("wrong", "place", "words"), WRONG.values(), ids=WRONG.keys())
def test_wrong(wrong: Topology, place: str, words: str) -> None:
    problems = check(wrong, REFUSALS)
    assert [each for each in problems if each.place == place and words in each.what], [str(each) for each in problems]
    with pytest.raises(ConfigError, match=r"ralph\.yml"):
        require(wrong, REFUSALS, "measured", "ralph.yml")


@pytest.mark.parametrize(
    ("evidence", "default", "done", "allowed"),
    [
        ("measured", "build.done", "LOOP_COMPLETE", False),
        ("claimed", "build.done", "LOOP_COMPLETE", True),
        ("measured", "docs.ready", "docs.ready", False),
        ("claimed", "docs.ready", "docs.ready", True),
        ("measured", "LOOP_COMPLETE", "LOOP_COMPLETE", False),
        ("claimed", "LOOP_COMPLETE", "LOOP_COMPLETE", False),
    ],
)
def test_what_silence_may_say(evidence: Evidence, default: str, done: str, allowed: bool) -> None:
    hats = topology(
        hat("a", "build.task", f"{default} {done}" if done != default else default, default_publishes=default),
        done=done,
    )
    places = [each.place for each in check(hats, REFUSALS, evidence)]
    assert ("hats.a.default_publishes" not in places) == allowed


def test_every_problem_is_told_at_once() -> None:
    broken = topology(hat("a", "build.task", "build.done human.yes", instructions="", max_activations=-1))
    with pytest.raises(ConfigError) as caught:
        require(broken, REFUSALS, "measured", "ralph.yml")
    first, *problems = str(caught.value).splitlines()
    assert first == "ralph.yml: the hats have 3 problems; correct each:"
    assert [line.split(":")[0].strip() for line in problems] == [
        "hats.a.instructions",
        "hats.a.max_activations",
        "hats.a.publishes",
    ]


TOPICS = st.sampled_from(["build.task", "build.done", "a", "b.c", "*.c", "*", "x..y", "", "human.x", "LOOP_COMPLETE"])
HATS = st.builds(
    Hat,
    id=st.sampled_from(["a", "b", "c", "ralph", ""]),
    name=st.sampled_from(["A", "B", ""]),
    triggers=st.lists(TOPICS, max_size=3).map(tuple),
    publishes=st.lists(TOPICS, max_size=3).map(tuple),
    default_publishes=st.none() | TOPICS,
    instructions=st.sampled_from(["", "Work."]),
)


@given(st.lists(HATS, max_size=4), TOPICS)
def test_whatever_stands_there_is_answered(hats: list[Hat], done: str) -> None:
    problems = check(topology(*hats, done=done), REFUSALS)
    assert problems == check(topology(*hats, done=done), REFUSALS)
    if not problems:
        assert any(done in each.publishes for each in hats)
