"""Topics and patterns: what they are, what matches, what is reserved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.events.topics import LONGEST, is_negative, is_pattern, is_reserved, is_topic, matches, overlap, vagueness

SEGMENT = st.sampled_from(["build", "done", "a", "b", "LOOP_COMPLETE"])
TOPICS = st.lists(SEGMENT, min_size=1, max_size=4).map(".".join)
PATTERNS = st.lists(SEGMENT | st.just("*"), min_size=1, max_size=4).map(".".join)


@pytest.mark.parametrize("text", ["build.done", "LOOP_COMPLETE", "a", "a-b.c_d.0", "a" * LONGEST])
def test_topics(text: str) -> None:
    assert is_topic(text)
    assert is_pattern(text)


@pytest.mark.parametrize(
    "text",
    ["", ".", "a.", ".a", "a..b", "a b", "a\n", "a\x00", "ä.done", "buіld.done", "a/b", "a:b", "a*", "*a.b", "a" * 201],
)
def test_no_topics_and_no_patterns(text: str) -> None:
    assert not is_topic(text)
    assert not is_pattern(text)


@pytest.mark.parametrize("text", ["*", "*.done", "impl.*", "*.*", "a.*.c"])
def test_patterns_that_are_no_topics(text: str) -> None:
    assert is_pattern(text)
    assert not is_topic(text)


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("build.done", "build.done", True),
        ("build.done", "Build.done", False),
        ("build.done", "build.done.x", False),
        ("build.done", "buildxdone", False),
        ("impl.*", "impl.done", True),
        ("impl.*", "impl.a.b", False),
        ("impl.*", "impl", False),
        ("*.blocked", "build.blocked", True),
        ("*.blocked", "a.build.blocked", False),
        ("a.*.c", "a.b.c", True),
        ("*.*", "a.b", True),
        ("*.*", "a", False),
        ("*", "a", True),
        ("*", "a.b.c", True),
    ],
)
def test_matching(pattern: str, topic: str, expected: bool) -> None:
    assert matches(pattern, topic) is expected


def test_the_more_specific_comes_first() -> None:
    patterns = ["*", "*.*.*", "a.*.*", "a.b.*", "a.b.c"]
    assert sorted(patterns, key=vagueness) == patterns[::-1]


@given(PATTERNS, PATTERNS, TOPICS)
def test_what_both_match_overlaps(one: str, other: str, topic: str) -> None:
    if matches(one, topic) and matches(other, topic):
        assert overlap(one, other)
        assert overlap(other, one)


@given(PATTERNS, PATTERNS)
def test_what_overlaps_has_a_topic_in_common(one: str, other: str) -> None:
    if overlap(one, other):
        longest = max(one, other, key=lambda pattern: (pattern != "*", pattern.count(".")))
        pairs = zip(one.split("."), other.split("."), strict=False)
        common = [next((part for part in pair if part != "*"), "x") for pair in pairs]
        topic = longest.replace("*", "x") if "*" in (one, other) else ".".join(common)
        assert matches(one, topic)
        assert matches(other, topic)


@pytest.mark.parametrize(
    "topic",
    [
        "human.guidance",
        "human.guidance.ack",
        "human.response",
        "human",
        "Human.Approved",
        "loop.terminate",
        "loop.handled",
        "task.start",
        "task.resume",
        "build.task",
        "BUILD.task",
        "build.task.abandoned",
    ],
)
def test_reserved(topic: str) -> None:
    assert is_reserved(topic)


@pytest.mark.parametrize(
    "topic", ["escalate.human", "LOOP_COMPLETE", "humane.x", "build.tasks", "build.done", "tasks.a"]
)
def test_not_reserved(topic: str) -> None:
    assert not is_reserved(topic)


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("build.blocked", True),
        ("x.blocked", True),
        ("verify.failed", True),
        ("build.failed", False),
        ("blocked", False),
    ],
)
def test_negative(topic: str, expected: bool) -> None:
    assert is_negative(topic) is expected
