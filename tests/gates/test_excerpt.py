"""What of an output is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ralph.gates.excerpt import LIMIT, code, excerpt, fenced
from ralph.system.text import visible


def test_a_short_output_is_shown_whole() -> None:
    assert excerpt("one\r\ntwo\n") == "one\ntwo"


def test_nothing_in_it_acts_on_a_terminal() -> None:
    assert excerpt("\x1b[31mred\x1b[0m \x07bell \u202eback") == "red \\x07bell \\u202eback"


def test_failures_come_first_wherever_they_stand() -> None:
    output = "\n".join(["fine"] * 5000 + ["npm warn something"] + ["tests/test_a.py::test_b FAILED"] + ["fine"] * 5000)
    shown = excerpt(output)
    assert shown.startswith("Lines that tell of a failure:\ntests/test_a.py::test_b FAILED\n")


def test_head_and_tail_are_kept() -> None:
    shown = excerpt("the head\n" + "x" * 100_000 + "\nthe tail")
    assert "the head" in shown
    assert shown.endswith("the tail")


@given(st.text(max_size=9000).map(lambda text: text * 2), st.sampled_from([LIMIT, 1000]))
def test_it_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    shown = excerpt(text, limit=limit)
    assert len(shown) <= limit
    assert visible(shown, keep="\n") == shown


@given(st.text(alphabet="`a\n", max_size=60))
def test_a_fence_cannot_be_closed_from_within(text: str) -> None:
    first, *body, last = fenced(text).split("\n")
    assert first == last
    assert first not in body


def test_a_command_is_shown_as_code() -> None:
    assert code("echo `date`") == "`` echo `date` ``"
    assert code("npm test") == "`npm test`"
