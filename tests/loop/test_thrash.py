"""Three refusals without progress abandon a task, three abandoned tasks end the loop (design decision 21)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.thrash import Reaction, Thrash, accepted, refused

STORIES: dict[str, tuple[list[str], Reaction]] = {
    "the same again": (["ab", "ab", "ab"], "abandon the task"),
    "to and fro": (["a", "b", "a"], "abandon the task"),
    "worse each time": (["a", "ab", "abc"], "abandon the task"),
    "slow but honest": (["abcd", "abcd", "abc", "abc", "ab", "ab", "a", "a"], "go on"),
    "two": (["a", "a"], "go on"),
    "progress, then none": (["ab", "a", "a", "a"], "abandon the task"),
}


@pytest.mark.parametrize("story", STORIES)
def test_what_counts_is_progress(story: str) -> None:
    failures, expected = STORIES[story]
    state, reaction = Thrash(), "go on"
    for failing in failures:
        assert reaction == "go on"
        state, reaction = refused(state, "one", failing)
    assert reaction == expected


def test_the_third_abandoned_task_ends_the_loop() -> None:
    state, reactions = Thrash(), []
    for task in ("one", "two", "three"):
        for _ in range(3):
            state, reaction = refused(state, task, {"tests"})
        reactions.append(reaction)
    assert reactions == ["abandon the task", "abandon the task", "end the loop"]
    assert state.abandoned == ("one", "two", "three")


def test_success_forgets_what_was_refused_before() -> None:
    state = Thrash()
    for _ in range(2):
        state, _ = refused(state, "one", {"tests"})
    state, reaction = refused(accepted(state, "one"), "one", {"tests"})
    assert reaction == "go on"


@given(st.lists(st.sets(st.sampled_from("abcdefg"), min_size=1), min_size=24, max_size=24))
def test_nobody_goes_on_for_ever(failures: list[set[str]]) -> None:
    """Each refusal is progress or counts, and seven checks can make progress only so often."""
    state, ended = Thrash(), False
    for failing in failures:
        state, reaction = refused(state, "one", failing)
        ended = ended or reaction != "go on"
    assert ended
